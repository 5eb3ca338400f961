"""Tournaments by an organiser without scruples, and what a verifier makes of them.

The organiser's server is the real ledger without the check that the attack needs off::

    season = begun("an attack")
    with ROW.without():
        …                       the attack, and the rest of the tournament
        archive = finished(season)
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.match.transcript import join
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_referee.verify.archive import LEAVES, match_file
from aboveboard_referee.verify.receipt import Receipt
from aboveboard_referee.verify.report import ORGANISER, Check, Finding
from aboveboard_referee.verify.trust import Trust
from tests.fakes.archive import Archive, Edit, Organiser, PublishedSeason, Running, Trouble, keep
from tests.fakes.attack_defence import WHOLE, Defence
from tests.fakes.attack_rows import WentThrough
from tests.fakes.audit import audit
from tests.fakes.leaves import Leaves
from tests.fakes.running import Log
from tests.fakes.troubles import gone, interrupted, referee_fault

M = TypeVar("M", bound=Message)
E = TypeVar("E", bound=Exception)

EARLY = Trouble(gone, after=6)
"""Seat 0 leaves soon, so that seat 1 wins."""

OTHERWISE = Trouble(gone, seats=(1,), after=6)
"""The same the other way round."""

VOID = Trouble(interrupted, pb.PHASE_ACCEPT, seats=(1,))
"""The service ends it before any entropy."""

DEALT = Trouble(referee_fault, pb.PHASE_ENTROPY, seats=(1,))
"""The service ends it when entropy was asked for."""


# --- Playing ---------------------------------------------------------------------------------


def begun(name: str, entrants: int = 2, rounds: int = 1) -> PublishedSeason:
    """Cribbage; entries are closed."""
    return Organiser(name, entrants, rounds, ("cribbage",)).season()


def played(
    season: PublishedSeason,
    planned: PlannedMatch,
    trouble: Trouble = EARLY,
    *,
    attempt: int = 1,
    edit: Edit = keep,
    key: PrivateKey | None = None,
    log: Log | None = None,
) -> list[bytes]:
    """The records of a match whose opening is in the log, or in another; its close is not."""
    running = Running.of(
        season.cup,
        planned,
        attempt,
        trouble,
        edit,
        key,
        log or season,
        [season.keys[entrant] for entrant in planned.entrants],
    )
    return running.play()


class Apart:
    """A log that shows the checkpoint of another and appends nothing to it."""

    def __init__(self, season: PublishedSeason, size: int | None = None) -> None:
        size = season.tree.size if size is None else size
        self.note = season.cup.note(season.tree, size)

    def opened(self, record: bytes) -> bytes:
        return self.note


def publish(
    season: PublishedSeason, planned: PlannedMatch, records: list[bytes], attempt: int = 1
) -> None:
    """Put a match's transcript where the archive will be taken from."""
    season.files[match_file(planned.match, attempt)] = join(records)


def finished(season: PublishedSeason) -> Archive:
    """Play what there is left to be played, every match over early, and publish it."""
    ledger = season.ledger
    while not ledger.over:
        if ledger.tables == len(ledger.rounds):
            season.draw()
        while due := ledger.due():
            for planned in due:
                season.attempt(planned, EARLY)
        season.standings()
    return season.published()


def copy(message: M) -> M:
    """Another message that says the same."""
    other = type(message)()
    other.CopyFrom(message)
    return other


# --- What must come of it --------------------------------------------------------------------


def must_blame(
    archive: Archive, check: Check, words: str = "", *receipts: Receipt, blame: str = ORGANISER
) -> None:
    """The archive convicts its organiser, at this step of its verification.

    Or somebody else, with receipts that the convict signed a part of.
    """
    must_find(archive, check, blame, words, *receipts)


def must_find(
    archive: Archive,
    check: Check,
    blame: str,
    words: str = "",
    *receipts: Receipt,
    files: Mapping[str, bytes] | None = None,
    trust: Trust | None = None,
) -> Finding:
    """The archive is refused at this step first, and by whose doing is said.

    ``files`` are other ones than it was published with.
    """
    trust = trust or Trust(archive.organiser.key.public)
    report = audit(archive.files if files is None else files, None, *receipts, trust=trust)
    if report.good:
        raise WentThrough("the archive verifies")
    first = report.findings[0]
    assert (int(first.step[0]), first.blame) == (check, blame), list(map(str, report.findings))
    assert words in str(first), first
    return first


def must_be_illegal(home: Leaves, leaf: bytes, words: str = "") -> None:
    """No log takes this leaf."""
    must_raise(Illegal, lambda: home.add(leaf), words)


def must_raise(error: type[E], attempt: Callable[[], object], words: str = "") -> E:
    """It is refused so."""
    refusal = None
    try:
        attempt()
    except error as refused:
        refusal = refused
    if refusal is None:
        raise WentThrough("it was taken")
    assert words in str(refusal), refusal
    return refusal


# --- Archives with words in them -------------------------------------------------------------


@cache
def wordy() -> Archive:
    """After its only match come two objections and two rulings, on which nothing hangs."""
    season = begun("wordy")
    (planned,) = season.draw()
    season.attempt(planned, EARLY)
    for seat in (0, 1):
        season.object(planned.match, seat)
    for text in ("so be it", "this as well"):
        season.rule(text)
    return finished(season)


NO_TREE = (
    Defence("verify.log_files:_Checking._fits", WHOLE, "return True"),
    Defence("verify.log_files:_Checking._last", "checkpoint.size != self._tree.size"),
)
"""Without these the leaves of an archive are held against no checkpoint."""


def with_leaves(archive: Archive, leaves: Sequence[bytes]) -> dict[str, bytes]:
    """The archive with other leaves under the checkpoints that it had."""
    return archive.altered({LEAVES: join(leaves)})
