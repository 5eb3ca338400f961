"""A transcript that the referee rewrites afterwards, with all its own keys at hand.

It makes heads, numbers and signatures fit again, so nothing but the seats' signed answers
and the close can contradict: they name the heads that the seats saw.
"""

from collections.abc import Callable
from functools import cache

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Deviation, Step
from tests.fakes.forging import content, edited, follow, rechained, with_signatures
from tests.fakes.keys import key
from tests.fakes.scripted import Script, Setup, event_of

REFEREE = key("a referee")
GAMES = ["cribbage", "nebraska:family", "allegra"]
Records = tuple[bytes, ...]


@cache
def beginning(game: str) -> Records:
    """A few dozen records, the last of them an answer."""
    script = Script(Setup(game)).until(lambda s: len(s.records) > 40)
    records = script.records
    last = max(i for i, e in enumerate(script.events(), start=1) if e.HasField("answered"))
    return tuple(records[: last + 1])


def last_asked(records: Records) -> int:
    """The newest event whose head a seat has signed."""
    events = map(event_of, records[1:])
    return max(_asked(event) for event in events if event.HasField("answered"))


def _asked(event: pb.Event) -> int:
    return pb.Answer.FromString(parse_signed(event.answered.answer).body).asked


def rechain(records: Records) -> Records:
    """With sequences from 1, heads that follow from each other, and every event signed."""
    return (records[0], *rechained(records[1:], follow(records[:1]), REFEREE, renumber=True))


def found(records: Records) -> Deviation:
    with pytest.raises(Deviation) as refused:
        follow(records)
    assert refused.value.blame == "referee"
    return refused.value


@pytest.mark.parametrize("game", GAMES)
def test_the_honest_beginning_can_be_followed(game: str) -> None:
    assert follow(beginning(game)).sequence == len(beginning(game)) - 1
    follow(rechain(beginning(game)))


@pytest.mark.parametrize("game", GAMES)
def test_no_event_can_be_altered_once_a_seat_has_signed_a_later_head(game: str) -> None:
    records = beginning(game)
    for place in range(1, last_asked(records) + 1):
        later = edited(records[place], lambda e: setattr(e, "time_us", e.time_us + 1), REFEREE)
        forged = (*records[:place], later, *records[place + 1 :])
        assert found(forged).sequence == place + 1
        deviation = found(rechain(forged))
        assert deviation.sequence > place
        assert deviation.step is Step.ANSWER


@pytest.mark.parametrize("game", GAMES)
def test_no_event_can_be_dropped_afterwards(game: str) -> None:
    records = beginning(game)
    for place in range(1, last_asked(records) + 1):
        found(rechain((*records[:place], *records[place + 1 :])))


@pytest.mark.parametrize("game", GAMES)
def test_no_event_can_be_told_twice(game: str) -> None:
    records = beginning(game)
    for place in range(1, last_asked(records) + 1):
        found(rechain((*records[: place + 1], *records[place:])))


@pytest.mark.parametrize("game", GAMES)
def test_no_two_events_can_change_places(game: str) -> None:
    records = beginning(game)
    for place in range(1, last_asked(records)):
        first, second = records[place : place + 2]
        found(rechain((*records[:place], second, first, *records[place + 2 :])))


def test_the_opening_cannot_be_altered_afterwards() -> None:
    changes: list[Callable[[pb.MatchOpen], object]] = [
        lambda o: setattr(o, "time_us", o.time_us - 1),
        lambda o: setattr(o.clock, "bank_us", 0),
        lambda o: setattr(o.seats[0], "entrant", 7),
        lambda o: setattr(o, "chain_length", 1000),
        lambda o: setattr(o, "referee_tip", bytes(32)),
    ]
    records = beginning("cribbage")
    for change in changes:
        forged = (edited(records[0], change, REFEREE), *records[1:])
        assert found(forged).sequence == 1
        assert found(rechain(forged)).step is Step.ANSWER


# --- After the last answer only the close is left to tell -------------------------------------


@cache
def whole() -> Records:
    script = Script(Setup("nebraska:family")).until(lambda s: len(s.records) > 30)
    script.lost(1)
    script.play()
    script.finish()
    return tuple(script.records)


def reclosed(records: Records) -> bytes:
    """A close for these events by the referee, with the seats' signatures on the true one."""
    fold = follow(records)
    signed = parse_signed(whole()[-1])
    body = fold.close_body(fold.time_us)
    again = edited(whole()[-1], lambda c: c.CopyFrom(body), REFEREE)
    return with_signatures(again, *parse_signed(again).signatures, *signed.signatures[1:])


def test_the_last_events_are_held_by_the_close_that_the_seats_signed() -> None:
    *events, close = whole()
    places = range(last_asked(tuple(events)) + 1, len(events))
    assert places
    for place in places:
        later = edited(events[place], lambda e: setattr(e, "time_us", e.time_us + 1), REFEREE)
        forged = rechain((*events[:place], later, *events[place + 1 :]))
        assert found((*forged, close)).step is Step.CLOSE
        assert found((*forged, reclosed(forged))).step is Step.CLOSE


def test_the_rule_that_a_seat_broke_cannot_be_told_otherwise_afterwards() -> None:
    *events, _ = whole()
    place = next(i for i, e in enumerate(events) if i and content(e).HasField("seat_out"))
    other = edited(events[place], lambda e: setattr(e.seat_out, "rule", "something else"), REFEREE)
    forged = rechain((*events[:place], other, *events[place + 1 :]))
    assert found((*forged, reclosed(forged))).step is Step.CLOSE


def test_a_transcript_that_is_cut_short_has_no_close_to_show() -> None:
    *events, close = whole()
    for cut in range(1, len(events)):
        assert found((*events[:cut], close)).step is Step.CLOSE
