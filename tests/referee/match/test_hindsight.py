"""A transcript that the referee rewrites afterwards, with all its own keys at hand.

Heads follow from what is there, so nothing but the seats' signed answers and the close
can contradict: they name the heads that the seats saw.
"""

from collections.abc import Callable
from functools import cache

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Deviation, Step
from tests.fakes.forging import content, edited, follow, with_signatures
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


def renumbered(records: Records) -> Records:
    """With sequences from 1, times that never step back, and every event signed."""
    latest = 0
    again = []
    for number, record in enumerate(records):
        if number == 0:
            again.append(record)
            continue
        latest = max(latest, content(record).time_us)

        def renumber(event: pb.Event, number: int = number, time_us: int = latest) -> None:
            event.sequence, event.time_us = number, time_us

        again.append(edited(record, renumber, REFEREE))
    return tuple(again)


def found(records: Records) -> Deviation:
    with pytest.raises(Deviation) as refused:
        follow(records)
    assert refused.value.blame == "referee"
    return refused.value


@pytest.mark.parametrize("game", GAMES)
def test_the_honest_beginning_can_be_followed(game: str) -> None:
    assert follow(beginning(game)).sequence == len(beginning(game)) - 1
    follow(renumbered(beginning(game)))


@pytest.mark.parametrize("game", GAMES)
def test_no_event_can_be_altered_once_a_seat_has_signed_a_later_head(game: str) -> None:
    records = beginning(game)
    for place in range(1, last_asked(records) + 1):
        later = edited(records[place], lambda e: setattr(e, "time_us", e.time_us + 1), REFEREE)
        deviation = found((*records[:place], later, *records[place + 1 :]))
        assert deviation.sequence > place


@pytest.mark.parametrize("game", GAMES)
def test_no_event_can_be_dropped_afterwards(game: str) -> None:
    records = beginning(game)
    for place in range(1, last_asked(records) + 1):
        found(renumbered((*records[:place], *records[place + 1 :])))


@pytest.mark.parametrize("game", ["cribbage", "allegra"])
def test_no_event_can_be_told_twice(game: str) -> None:
    records = beginning(game)
    for place in range(1, last_asked(records) + 1):
        found(renumbered((*records[: place + 1], *records[place:])))


@pytest.mark.parametrize("game", GAMES)
def test_no_two_events_can_change_places(game: str) -> None:
    records = beginning(game)
    for place in range(1, last_asked(records)):
        first, second = records[place : place + 2]
        found(renumbered((*records[:place], second, first, *records[place + 2 :])))


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
        assert found((edited(records[0], change, REFEREE), *records[1:])).sequence == 1


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
    body = fold.close_body(content(whole()[-1]).time_us)
    again = edited(whole()[-1], lambda c: c.CopyFrom(body), REFEREE)
    return with_signatures(again, *parse_signed(again).signatures, *signed.signatures[1:])


def test_the_last_events_are_held_by_the_close_that_the_seats_signed() -> None:
    *events, close = whole()
    asked = last_asked(tuple(events))
    altered = 0
    for place in range(asked + 1, len(events)):
        earlier = edited(
            events[place],
            lambda e: setattr(e, "time_us", e.time_us + (place == len(events) - 1)),  # noqa: B023 - called at once
            REFEREE,
        )
        forged = (*events[:place], earlier, *events[place + 1 :])
        if content(earlier) == content(events[place]):
            continue
        altered += 1
        assert found((*forged, close)).step is Step.CLOSE
        assert found((*forged, reclosed(forged))).step is Step.CLOSE
    assert altered


def test_a_disconnection_cannot_be_invented_afterwards_under_the_seats_signatures() -> None:
    *events, _ = whole()
    place = next(i for i, e in enumerate(events) if i and content(e).HasField("seat_out"))
    other = edited(
        events[place],
        lambda e: setattr(e.seat_out, "rule", "something else"),
        REFEREE,
    )
    forged = (*events[:place], other, *events[place + 1 :])
    assert found((*forged, reclosed(forged))).step is Step.CLOSE


def test_a_transcript_that_is_cut_short_has_no_close_to_show() -> None:
    *events, close = whole()
    for cut in range(1, len(events)):
        assert found((*events[:cut], close)).step is Step.CLOSE
