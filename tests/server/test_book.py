"""The book: everything that a server knows, folded from its events."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.match.result import SERVICE
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from aboveboard_referee.tournament.record import Played, Round
from aboveboard_server.book import TOURNAMENT, Book, attempt_of, match_topic
from tests.fakes.archive import Organiser
from tests.fakes.robots import REFEREE
from tests.fakes.serving import ORGANISER, Entrant, signed

HOME = Organiser("book", entrants=3, rounds=2)


def close_of(*half_points: int, reason: pb.EndReason = pb.END_REASON_PLAYED_OUT) -> bytes:
    seats = [pb.SeatResult(half_points=half, rank=1) for half in half_points]
    close = pb.MatchClose(match=bytes(32), reason=reason, seats=seats)
    return signed("match-close", close, REFEREE)


def an_event(shuffle: int = 0) -> bytes:
    return signed("event", pb.Event(match=bytes(32), sequence=1, shuffle=shuffle), REFEREE)


def pairings(number: int, *pairs: tuple[int, int], byes: tuple[int, ...] = ()) -> bytes:
    body = pb.Pairings(
        tournament=HOME.tournament,
        round=number,
        game="cribbage",
        pairings=[
            pb.Pairing(match=f"r{number}-b{board}", entrants=pair)
            for board, pair in enumerate(pairs, start=1)
        ],
        byes=byes,
    )
    return signed("pairings", body, ORGANISER)


def begun() -> Book:
    """Three entrants and the first round."""
    book = Book()
    book.apply(TOURNAMENT, "manifest", HOME.signed("tournament-manifest", HOME.manifest))
    for number in range(3):
        entry = signed("entry", HOME.entry(number), HOME.entry_key(number))
        book.apply(TOURNAMENT, "entry", entry)
    book.apply(TOURNAMENT, "pairings", pairings(1, (2, 0), byes=(1,)))
    return book


def test_the_tournament_is_named_by_its_manifest() -> None:
    book = begun()
    assert book.manifest == HOME.manifest
    assert book.tournament == tournament_id(parse_signed(book.signed_manifest).body)


def test_entries_keep_their_order_and_their_bytes() -> None:
    book = begun()
    assert book.names == list(HOME.names)
    assert book.keys == [HOME.entry_key(number).public.raw for number in range(3)]
    assert [entry.body for entry in book.signed_entries] == [
        entry.SerializeToString() for entry in book.entries
    ]


def record(book: Book, match: str, attempt: int, *records: bytes) -> None:
    for data in records:
        book.apply(match_topic(match, attempt), "record", data)


def test_a_match_has_no_result_until_its_close() -> None:
    book = begun()
    record(book, "r1-b1", 1, an_event())
    assert book.result("r1-b1") is None
    assert book.played() == [Round(1, (Played("r1-b1", (2, 0), None),), (1,))]
    record(book, "r1-b1", 1, close_of(2, 0))
    result = book.result("r1-b1")
    assert result is not None
    assert book.played() == [Round(1, (Played("r1-b1", (2, 0), (2, 0)),), (1,))]


@pytest.mark.parametrize("reason", SERVICE)
def test_an_attempt_that_the_service_ended_before_any_entropy_is_void(
    reason: pb.EndReason,
) -> None:
    book = begun()
    record(book, "r1-b1", 1, an_event(), close_of(1, 1, reason=reason))
    assert book.result("r1-b1") is None
    assert book.attempts == {"r1-b1": 1}
    record(book, "r1-b1", 2, an_event())
    assert book.result("r1-b1") is None
    assert book.attempts == {"r1-b1": 2}
    record(book, "r1-b1", 2, close_of(0, 2))
    result = book.result("r1-b1")
    assert result is not None
    assert [seat.half_points for seat in result.seats] == [0, 2]


@pytest.mark.parametrize("reason", SERVICE)
def test_an_attempt_that_the_service_ended_after_entropy_counts(reason: pb.EndReason) -> None:
    book = begun()
    record(book, "r1-b1", 1, an_event(), an_event(1), close_of(1, 1, reason=reason))
    assert book.result("r1-b1") is not None


def test_the_last_attempt_counts_whatever_ended_it() -> None:
    book = begun()
    for attempt in range(1, MOST_ATTEMPTS + 1):
        assert book.result("r1-b1") is None
        interrupted = close_of(1, 1, reason=pb.END_REASON_INTERRUPTED)
        record(book, "r1-b1", attempt, an_event(), interrupted)
    assert book.result("r1-b1") is not None


def test_matches_do_not_touch_each_other() -> None:
    book = begun()
    book.apply(TOURNAMENT, "pairings", pairings(2, (0, 1), (1, 2)))
    record(book, "r2-b1", 1, an_event())
    record(book, "r2-b2", 1, an_event(1))
    record(book, "r2-b1", 1, close_of(1, 1, reason=pb.END_REASON_INTERRUPTED))
    record(book, "r2-b2", 1, close_of(2, 0))
    assert book.result("r2-b1") is None
    assert book.result("r2-b2") is not None


def test_a_topic_says_which_attempt_of_which_match_it_is() -> None:
    assert match_topic("r10-b3", 2) == "match/r10-b3/2"
    assert attempt_of("match/r10-b3/2") == ("r10-b3", 2)


def test_an_event_of_an_unknown_kind_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError, match="an event of kind rumour"):
        begun().apply(TOURNAMENT, "rumour", b"")


def test_an_empty_store_is_an_empty_book() -> None:
    book = Book().apply_all([])
    assert (book.manifest, book.closed, book.close) == (None, b"", b"")
    assert book.played() == []
    assert Entrant(0).name not in book.names
