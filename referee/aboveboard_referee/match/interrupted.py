"""What becomes of a match that its referee can no longer carry on."""

from collections.abc import Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.match.referee import Referee
from aboveboard_referee.match.result import SERVICE


def finish_interrupted(
    records: Sequence[bytes],
    key: PrivateKey,
    stored: bytes,
    reason: pb.EndReason,
    text: str,
    now_us: int,
) -> tuple[tuple[bytes, ...], pb.MatchClose, bool]:
    """Close a match from its records on disk, as a fault of the service.

    Returns the records to append, the close, and whether it is to be played again:
    only where no entropy was asked for. Otherwise it counts as a tie, for else a bot
    could gain by bringing the referee down, and an operator by trying decks.
    A match that was over already only lacked its close, and keeps its result; so does
    one that a seat's going out had decided.
    """
    referee = Referee.resume(records, key, stored)
    stopped = referee.stop(reason, text, now_us)
    close = referee.close(now_us)
    again = referee.close_wire.reason in SERVICE and not referee.fold.entropy_asked
    return (*stopped.records, close), referee.close_wire, again
