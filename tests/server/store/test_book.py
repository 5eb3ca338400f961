"""The book: everything that a server knows, folded from its events."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.referee import Outbox
from aboveboard_referee.match.result import SERVICE
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from aboveboard_server.store.book import (
    CHECKPOINT,
    LOG,
    TOURNAMENT,
    Book,
    attempt_of,
    is_close,
    is_open,
    match_topic,
)
from aboveboard_server.store.database import Row
from tests.fakes.archive import Organiser
from tests.fakes.running import Running, Trouble
from tests.fakes.season import Season

MATCH = "r1-b1"


class Desk:
    """A season, and the book of a server that stores it."""

    def __init__(self) -> None:
        self.season: Season = Organiser("book", entrants=3, rounds=2).season()
        self.book = Book()
        self._copied = 0
        self.season.draw()
        self.copy_leaves()

    def copy_leaves(self) -> None:
        for leaf in self.season.leaves[self._copied :]:
            self.book.apply(LOG, "any", leaf)
        self._copied = len(self.season.leaves)

    def attempt(self, trouble: Trouble | None = None) -> None:
        """The next attempt at the only match, as it is stored."""
        for row in self.rows(trouble):
            self.book.apply(*row)

    def rows(self, trouble: Trouble | None = None, logged: bool = True) -> list[Row]:
        """The rows of such an attempt; not ``logged``: without its leaves."""
        (planned,) = self.season.ledger.planned()
        number = self.season.ledger.attempts.newest(MATCH) + 1
        records = self.season.attempt(planned, trouble).records
        self._copied = len(self.season.leaves)
        rows: list[Row] = []
        for record in records:
            if logged and (is_open(record) or is_close(record)):
                rows.append((LOG, "any", record))
            rows.append((match_topic(MATCH, number), "record", record))
        return rows


def stopped(reason: "pb.EndReason", phase: pb.Phase) -> Trouble:
    """The service fails at the first question of a phase."""

    def stop(running: Running, _: int) -> Outbox:
        return running.referee.stop(reason, "it fails", running.now_us)

    return Trouble(stop, phase)


def test_the_ledger_is_that_of_the_leaves() -> None:
    desk = Desk()
    desk.attempt()
    assert desk.book.leaves == desk.season.leaves
    assert desk.book.ledger.tournament == desk.season.ledger.tournament
    assert desk.book.ledger.played() == desk.season.ledger.played()


def test_a_leaf_that_cannot_be_where_it_is_is_not_taken() -> None:
    desk = Desk()
    with pytest.raises(Illegal):
        desk.book.apply(LOG, "entry", desk.season.leaves[1])


def test_a_match_has_no_result_until_its_close() -> None:
    desk = Desk()
    *begun, leaf, close = desk.rows()
    for row in begun:
        desk.book.apply(*row)
    assert desk.book.result(MATCH) is None
    for row in (leaf, close):
        desk.book.apply(*row)
    result = desk.book.result(MATCH)
    assert result is not None
    assert result.reason == pb.END_REASON_PLAYED_OUT
    assert desk.book.closed_attempts() == [(MATCH, 1)]


@pytest.mark.parametrize("reason", SERVICE)
def test_an_attempt_that_the_service_ended_before_any_entropy_is_void(
    reason: "pb.EndReason",
) -> None:
    desk = Desk()
    desk.attempt(stopped(reason, pb.PHASE_ACCEPT))
    assert desk.book.result(MATCH) is None
    *begun, leaf, close = desk.rows()
    for row in begun:
        desk.book.apply(*row)
    assert desk.book.result(MATCH) is None
    for row in (leaf, close):
        desk.book.apply(*row)
    result = desk.book.result(MATCH)
    assert result is not None
    assert result.reason == pb.END_REASON_PLAYED_OUT
    assert desk.book.closed_attempts() == [(MATCH, 1), (MATCH, 2)]


@pytest.mark.parametrize("reason", SERVICE)
def test_an_attempt_that_the_service_ended_after_entropy_counts(reason: "pb.EndReason") -> None:
    desk = Desk()
    desk.attempt(stopped(reason, pb.PHASE_MOVE))
    assert desk.book.result(MATCH) is not None


def test_the_last_attempt_counts_whatever_ended_it() -> None:
    desk = Desk()
    for _ in range(MOST_ATTEMPTS):
        assert desk.book.result(MATCH) is None
        desk.attempt(stopped(pb.END_REASON_INTERRUPTED, pb.PHASE_ACCEPT))
    assert desk.book.result(MATCH) is not None


def test_a_record_whose_leaf_is_missing_is_noticed() -> None:
    desk = Desk()
    rows = desk.rows(logged=False)
    for row in rows:
        desk.book.apply(*row)
    assert desk.book.unlogged == [rows[0][2], rows[-1][2]]


def test_no_record_is_missed_whose_leaf_is_there() -> None:
    desk = Desk()
    desk.attempt(stopped(pb.END_REASON_INTERRUPTED, pb.PHASE_ACCEPT))
    desk.attempt()
    assert desk.book.unlogged == []


def test_the_checkpoint_that_was_shown_last_is_known() -> None:
    book = Desk().book
    for note in (b"one", b"two"):
        book.apply(CHECKPOINT, "shown", note)
    assert book.note == b"two"


def test_a_topic_says_which_attempt_of_which_match_it_is() -> None:
    assert match_topic("r10-b3", 2) == "match/r10-b3/2"
    assert attempt_of("match/r10-b3/2") == ("r10-b3", 2)


def test_an_event_of_an_unknown_kind_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError, match="an event rumour of tournament"):
        Desk().book.apply(TOURNAMENT, "rumour", b"")


def test_an_empty_store_is_an_empty_book() -> None:
    book = Book().apply_all([])
    assert (book.ledger.size, book.note, book.told) == (0, b"", False)
