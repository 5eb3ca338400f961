"""What becomes of a match that its referee can no longer carry on."""

from collections.abc import Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.match.referee import Referee


def finish_interrupted(
    records: Sequence[bytes],
    key: PrivateKey,
    stored: bytes,
    reason: pb.EndReason,
    text: str,
    now_us: int,
) -> tuple[bytes, ...]:
    """Close a match from its records on disk, as a fault of the service.

    Returns the records to append, the close last. ``result.is_void`` says what it counts.
    A match that was over already only lacked its close, and keeps its result; so does
    one that a seat's going out had decided.
    """
    referee = Referee.resume(records, key, stored)
    stopped = referee.stop(reason, text, now_us)
    close = referee.close(now_us)
    return (*stopped.records, close)
