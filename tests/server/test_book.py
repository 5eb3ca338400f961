"""The book: everything that a server knows, folded from its events."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.tournament.record import Played, Round
from aboveboard_server.book import TOURNAMENT, Book, attempt_of, match_topic
from tests.fakes.archive import Organiser
from tests.fakes.robots import REFEREE
from tests.fakes.serving import ORGANISER, Entrant, signed

HOME = Organiser("book", entrants=3, rounds=2)


def close_of(*half_points: int) -> bytes:
    seats = [pb.SeatResult(half_points=half, rank=1) for half in half_points]
    return signed("match-close", pb.MatchClose(match=bytes(32), seats=seats), REFEREE)


def an_event() -> bytes:
    return signed("event", pb.Event(match=bytes(32), sequence=1), REFEREE)


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


def test_a_match_has_no_result_until_its_close() -> None:
    book = begun()
    book.apply(match_topic("r1-b1", 1), "record", an_event())
    assert book.result("r1-b1") is None
    assert book.played() == [Round(1, (Played("r1-b1", (2, 0), None),), (1,))]
    book.apply(match_topic("r1-b1", 1), "record", close_of(2, 0))
    result = book.result("r1-b1")
    assert result is not None
    assert book.played() == [Round(1, (Played("r1-b1", (2, 0), (2, 0)),), (1,))]


def test_an_attempt_that_is_void_has_no_result_until_the_next_has_one() -> None:
    book = begun()
    book.apply(match_topic("r1-b1", 1), "record", close_of(1, 1))
    book.apply(match_topic("r1-b1", 1), "again", b"")
    assert book.result("r1-b1") is None
    assert book.attempts == {"r1-b1": 1}
    book.apply(match_topic("r1-b1", 2), "record", an_event())
    assert book.result("r1-b1") is None
    assert book.attempts == {"r1-b1": 2}
    book.apply(match_topic("r1-b1", 2), "record", close_of(0, 2))
    result = book.result("r1-b1")
    assert result is not None
    assert [seat.half_points for seat in result.seats] == [0, 2]


def test_matches_do_not_touch_each_other() -> None:
    book = begun()
    book.apply(TOURNAMENT, "pairings", pairings(2, (0, 1), (1, 2)))
    book.apply(match_topic("r2-b1", 1), "record", close_of(1, 1))
    book.apply(match_topic("r2-b1", 1), "again", b"")
    book.apply(match_topic("r2-b2", 1), "record", close_of(2, 0))
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
