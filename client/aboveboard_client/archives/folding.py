"""Folding an archive's log, for what hangs on more than its single leaves."""

from collections.abc import Callable, Mapping

from aboveboard_client.errors import WrongUse
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.illegal import Illegal
from aboveboard_referee.tournament.ledger import Ledger
from aboveboard_referee.tournament.ledger_state import LEAF_LIMIT
from aboveboard_referee.verify.archive import LEAVES


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
        raise WrongUse(f"{name}: there is no {LEAVES}: not an archive")
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
