"""Folding an archive's log, for what hangs on more than its single leaves."""

from collections.abc import Callable, Mapping

from aboveboard_client.archives.archive_folder import no_archive
from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.verify.archive import LEAVES

_PAIRINGS = type_of("pairings")


def fold_log(
    files: Mapping[str, bytes],
    name: str,
    until: Callable[[Ledger, bytes], bool] = lambda ledger, leaf: False,
) -> Ledger:
    """The ledger of an archive's leaves, as far as ``until`` is not true before one of them.

    Nothing else in the archive is looked at. Raises ``WrongUse`` naming the archive where
    the leaves cannot be followed.
    """
    if LEAVES not in files:
        raise WrongUse(f"{name}: {no_archive(files)}")
    ledger = Ledger()
    try:
        for leaf in split(files[LEAVES], LEAF_LIMIT):
            if until(ledger, leaf):
                return ledger
            ledger.apply(leaf)
    except (Refused, Illegal) as error:
        raise WrongUse(
            f"{name}: {LEAVES} cannot be followed beyond leaf {ledger.size}: {error};"
            " aboveboard verify tells more"
        ) from None
    if not ledger.size:
        raise WrongUse(f"{name}: {LEAVES} is empty")
    return ledger


def fold_to_draw(files: Mapping[str, bytes], name: str, number: int) -> Ledger:
    """The ledger as it is when a round has been drawn and is to be paired.

    Raises ``WrongUse`` as ``fold_log`` does, where there is no such round, and where the log
    paired it otherwise than follows.
    """
    found: list[bytes] = []

    def is_pairing(ledger: Ledger, leaf: bytes) -> bool:
        if len(ledger.rounds) + 1 != number or parse_signed(leaf, LEAF_LIMIT).type != _PAIRINGS:
            return False
        found.append(leaf)
        return True

    ledger = fold_log(files, name, is_pairing)
    if not found:
        raise WrongUse(f"there is no round {number}; there are {len(ledger.rounds)}")
    paired = decode(pb.Pairings, parse_signed(found[0], LEAF_LIMIT).body)
    if paired != ledger.next_pairings():
        raise WrongUse(
            f"{name}: round {number} was not paired as follows; aboveboard verify tells more"
        )
    return ledger
