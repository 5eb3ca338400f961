"""Connections that break: what is kept, what runs on, and what nobody may claim."""

from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.forging import edited, follow
from tests.fakes.keys import key
from tests.fakes.places import PLACES, standing
from tests.fakes.refusing import everybody, out_now, refusers
from tests.fakes.scripted import Script, Setup, event_of, graceful, owes

SECOND = 1_000_000
GRACE = 20 * SECOND
GONE = pb.END_REASON_DISCONNECTED
LATE = pb.END_REASON_TIME_OUT


def at(place: str, **limits: int) -> Script:
    """A match with grace, where both seats owe an answer of a phase."""
    return standing(place, clock=graceful(GRACE, **limits))


def last(script: Script) -> pb.Event:
    return script.events()[-1]


def verified(script: Script) -> pb.MatchClose:
    """The close of a match, which everybody signs and which verifies."""
    script.finish()
    return verify_match(join(script.records)).close


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("answered", [False, True])
def test_a_seat_that_comes_back_within_its_grace_goes_on_with_the_same_question(
    place: str, answered: bool
) -> None:
    script = at(place)
    if answered:
        script.send(0, script.honest(0))
    before = dict(script.referee.owed)
    script.lost(0)
    assert last(script).seat_lost == pb.SeatLost(seat=0)
    assert script.referee.fold.presence.is_away(0)
    assert script.referee.owed == before
    script.came_back(0, 7 * SECOND)
    assert last(script).seat_back == pb.SeatBack(
        seat=0, away_us=7 * SECOND, grace_left_us=13 * SECOND
    )
    assert script.referee.owed == before
    script.rejoin(0)
    close = verified(script.play())
    assert not script.refusals
    assert close.reason == pb.END_REASON_PLAYED_OUT


def test_a_loss_of_connection_changes_no_card_and_no_result() -> None:
    calm, broken = Script(Setup(clock=graceful())), Script(Setup(clock=graceful()))
    calm.choose = broken.choose = lambda turn: turn.legal[-1]
    calm.play()
    steps = 0
    while not broken.referee.ended:
        seat = steps % 2
        broken.lost(seat)
        broken.step()
        broken.came_back(seat, 1)
        steps += 1
    assert steps > 50
    assert list(verified(broken).seats) == list(verified(calm).seats)
    for kind in ("deal_root", "shown"):
        payloads = [
            [getattr(e, kind) for e in script.events() if e.HasField(kind)]
            for script in (calm, broken)
        ]
        assert payloads[0] == payloads[1]


def test_while_one_seat_is_away_the_others_go_on() -> None:
    script = at("move")
    script.lost(0)
    script.send(1, script.honest(1))
    assert set(script.referee.owed) == {0}
    assert not script.referee.fold.outs
    script.came_back(0, SECOND)
    verified(script.play())


def test_both_seats_can_be_away_each_on_its_own_grace() -> None:
    script = at("move")
    script.lost(0)
    script.lost(1)
    script.came_back(1, 2 * SECOND)
    script.came_back(0, 3 * SECOND)
    assert [script.referee.fold.presence.grace_left(s) for s in (0, 1)] == [
        17 * SECOND,
        18 * SECOND,
    ]
    verified(script.play())


def test_grace_is_one_budget_for_all_absences_to_the_last_microsecond() -> None:
    script = at("move")
    for away_us, left in ((7 * SECOND, 13 * SECOND), (8 * SECOND, 5 * SECOND), (5 * SECOND, 0)):
        script.lost(0)
        script.came_back(0, away_us)
        assert last(script).seat_back.grace_left_us == left
        script.step()
    script.lost(0)
    script.came_back(0, 1)
    assert script.referee.fold.outs == {0: GONE}
    script.play()
    assert [row.half_points for row in verified(script).seats] == [0, 2]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("returns", [False, True])
def test_a_seat_away_beyond_its_grace_is_out_as_disconnected_with_how_long_it_was_gone(
    place: str, returns: bool
) -> None:
    script = at(place)
    script.lost(1)
    assert script.stayed_away(1, GRACE - 1) == ()
    away_us = GRACE + 1
    (script.came_back if returns else script.stayed_away)(1, away_us, wait_us=away_us)
    out = next(e.seat_out for e in script.events() if e.HasField("seat_out"))
    assert (out.seat, out.reason, out.away_us, out.evidence) == (1, GONE, away_us, b"")
    assert not script.referee.fold.presence.is_away(1)
    script.play()
    close = verified(script)
    assert (close.reason, close.seats[0].half_points) == (GONE, 2)


def test_a_seat_is_out_for_its_absence_though_nothing_was_asked_of_it() -> None:
    script = at("move")
    script.send(1, script.honest(1))
    script.lost(1)
    script.stayed_away(1, GRACE)
    assert script.referee.fold.outs == {1: GONE}
    out = next(e.seat_out for e in script.events() if e.HasField("seat_out"))
    assert not out.HasField("timing")
    verified(script.play())


@pytest.mark.parametrize("how", ["stayed_away", "came_back"])
def test_whoever_is_late_as_well_is_out_for_its_time(how: str) -> None:
    script = at("move", move_us=5 * SECOND)
    script.lost(0)
    getattr(script, how)(0, GRACE + 1, wait_us=GRACE + 1)
    assert script.referee.fold.outs == {0: LATE}
    out = next(e.seat_out for e in script.events() if e.HasField("seat_out"))
    assert out.away_us == 0
    verified(script.play())


@pytest.mark.parametrize("place", PLACES)
def test_the_clock_runs_on_while_a_seat_is_away(place: str) -> None:
    script = at(place, move_us=5 * SECOND, protocol_us=5 * SECOND)
    script.lost(0)
    assert script.overdue(0, wait_us=5 * SECOND) == ()
    script.overdue(0, wait_us=5 * SECOND + 1)
    assert script.referee.fold.outs == {0: LATE}
    verified(script.play())


def test_the_time_away_is_charged_to_the_bank() -> None:
    script = at("move", bank_us=100 * SECOND)
    script.lost(0)
    script.came_back(0, 9 * SECOND)
    script.send(0, script.honest(0), wait_us=11 * SECOND)
    assert script.referee.fold.clocks.left(0, pb.PHASE_MOVE) == min(
        89 * SECOND, script.setup.clock.move_us
    )
    verified(script.play())


def test_a_seat_whose_question_ran_out_before_its_connection_broke_is_late() -> None:
    script = at("move", move_us=5 * SECOND)
    script.lost(0, wait_us=6 * SECOND)
    assert script.referee.fold.outs == {0: LATE}


@pytest.mark.parametrize("place", PLACES)
def test_without_grace_a_seat_is_out_at_once_and_never_lost(place: str) -> None:
    game, phase = PLACES[place]
    script = Script(Setup(game)).until(owes(phase))
    script.lost(1)
    assert script.referee.fold.outs == {1: GONE}
    kinds = {event.WhichOneof("payload") for event in script.events()}
    assert not kinds & {"seat_lost", "seat_back"}
    out = next(e.seat_out for e in script.events() if e.HasField("seat_out"))
    assert out.away_us == 0
    script.play()
    assert verified(script).seats[0].half_points == 2


def test_what_changes_nothing_is_not_recorded() -> None:
    script = at("move")
    assert script.came_back(0, SECOND) == ()
    assert script.stayed_away(0, 10 * GRACE) == ()
    script.lost(0)
    assert script.lost(0) == ()
    script.send(1, script.players[1].resign())
    script.stayed_away(0, GRACE)
    assert script.lost(1) == script.came_back(1, 0) == script.stayed_away(1, GRACE) == ()
    assert script.referee.ended
    assert script.lost(0) == script.came_back(0, 0) == script.stayed_away(0, GRACE) == ()


def test_a_service_that_stops_while_a_seat_is_away_is_nobodys_loss() -> None:
    script = at("move")
    script.lost(0)
    script.stop()
    assert [row.half_points for row in verified(script).seats] == [1, 1]


def test_an_absence_just_before_the_end_does_not_hinder_the_close() -> None:
    script = at("move")
    script.lost(0)
    while not script.referee.ended:
        script.step()
    assert script.came_back(0, 1) == ()
    assert verified(script).reason == pb.END_REASON_PLAYED_OUT


# --- What a referee may not claim --------------------------------------------------------------


FALSE_IN_PLAY: dict[str, dict[str, Any]] = {
    "no such seat lost": {"seat_lost": pb.SeatLost(seat=2)},
    "a far seat lost": {"seat_lost": pb.SeatLost(seat=2**32 - 1)},
    "a seat away lost again": {"seat_lost": pb.SeatLost(seat=0)},
    "no such seat back": {"seat_back": pb.SeatBack(seat=2, grace_left_us=GRACE)},
    "a seat back that was not away": {
        "seat_back": pb.SeatBack(seat=1, away_us=1, grace_left_us=GRACE - 1)
    },
    "a seat there back for nothing": {"seat_back": pb.SeatBack(seat=1, grace_left_us=GRACE)},
    "more grace left": {"seat_back": pb.SeatBack(seat=0, away_us=5, grace_left_us=GRACE - 4)},
    "less grace left": {"seat_back": pb.SeatBack(seat=0, away_us=5, grace_left_us=GRACE - 6)},
    "no grace left": {"seat_back": pb.SeatBack(seat=0, away_us=5)},
    "back beyond its grace": {"seat_back": pb.SeatBack(seat=0, away_us=GRACE + 1)},
    "back after wrapping around": {
        "seat_back": pb.SeatBack(seat=0, away_us=GRACE + 1, grace_left_us=2**64 - 1)
    },
}


@pytest.mark.parametrize("what", FALSE_IN_PLAY)
def test_a_false_word_about_a_connection_is_refused_by_everybody(what: str) -> None:
    script = at("move")
    script.lost(0)
    assert refusers(script, **FALSE_IN_PLAY[what]) == everybody(script)


@pytest.mark.parametrize(
    "payload",
    [
        {"seat_lost": pb.SeatLost(seat=0)},
        {"seat_back": pb.SeatBack(seat=0)},
        {"seat_back": pb.SeatBack(seat=0, away_us=1)},
    ],
)
def test_without_grace_no_seat_is_lost_or_back(payload: dict[str, Any]) -> None:
    script = Script(Setup()).until(owes(pb.PHASE_MOVE))
    assert refusers(script, **payload) == everybody(script)


@pytest.mark.parametrize(
    "payload",
    [
        {"seat_lost": pb.SeatLost(seat=0)},
        {"seat_lost": pb.SeatLost(seat=1)},
        {"seat_back": pb.SeatBack(seat=0, grace_left_us=GRACE)},
        {"resumed": pb.Resumed(away_us=1)},
    ],
)
@pytest.mark.parametrize("ending", ["played out", "resigned"])
def test_nobody_is_lost_or_back_once_a_match_is_over(ending: str, payload: dict[str, Any]) -> None:
    script = at("move")
    if ending == "resigned":
        script.send(0, script.players[0].resign())
    script.play()
    assert refusers(script, **payload) == everybody(script)


@pytest.mark.parametrize("payload", ["seat_lost", "seat_back"])
def test_a_seat_that_is_out_is_neither_lost_nor_back(payload: str) -> None:
    script = at("move")
    script.lost(0)
    script.stayed_away(0, GRACE)
    wire = {"seat_lost": pb.SeatLost(seat=0), "seat_back": pb.SeatBack(seat=0, grace_left_us=GRACE)}
    assert refusers(script, **{payload: wire[payload]}) == everybody(script)


OUTS: dict[str, tuple[bool, dict[str, Any]]] = {
    "within its grace": (True, {"reason": GONE, "away_us": GRACE - 1}),
    "at once in spite of grace": (True, {"reason": GONE}),
    "without having been lost": (False, {"reason": GONE, "away_us": GRACE + 1}),
    "at once, never lost": (False, {"reason": GONE}),
    "with evidence": (True, {"reason": GONE, "away_us": GRACE, "evidence": b"x"}),
    "late by its clock": (True, {"reason": GONE, "away_us": GRACE, "wait_us": 10**12}),
    "a time-out with an absence": (True, {"reason": LATE, "away_us": 1, "wait_us": 10**12}),
    "garbage with an absence": (
        True,
        {"reason": pb.END_REASON_MALFORMED_MESSAGE, "away_us": 1, "evidence": b"x"},
    ),
    "no-show with an absence": (True, {"reason": pb.END_REASON_NO_SHOW, "away_us": GRACE}),
}


@pytest.mark.parametrize("what", OUTS)
def test_no_seat_is_put_out_for_an_absence_that_was_none_or_in_false_words(what: str) -> None:
    lost, fields = OUTS[what]
    script = at("move")
    if lost:
        script.lost(0)
    assert refusers(script, seat_out=out_now(script, 0, **fields)) == everybody(script)


def test_without_grace_a_disconnection_states_no_absence() -> None:
    script = Script(Setup()).until(owes(pb.PHASE_MOVE))
    wire = out_now(script, 0, GONE, away_us=1)
    assert refusers(script, seat_out=wire) == everybody(script)


def test_a_bot_that_never_came_was_never_away() -> None:
    script = Script(Setup(absent=frozenset({0}), clock=graceful()))
    referee = key(f"{script.setup.seed} referee")
    opening, no_show, *_ = script.records
    assert event_of(no_show).seat_out.reason == pb.END_REASON_NO_SHOW
    follow((opening, edited(no_show, lambda event: None, referee)))
    false = edited(no_show, lambda event: setattr(event.seat_out, "away_us", 1), referee)
    with pytest.raises(Deviation) as refusal:
        follow((opening, false))
    assert refusal.value.step == Step.CLOCK


def test_grace_spent_counts_against_a_later_disconnection_for_everybody() -> None:
    script = at("move")
    script.lost(0)
    script.came_back(0, 15 * SECOND)
    script.lost(0)
    wire = out_now(script, 0, GONE, away_us=5 * SECOND - 1)
    assert refusers(script, seat_out=wire) == everybody(script)
    again = at("move")
    again.lost(0)
    again.came_back(0, 15 * SECOND)
    again.lost(0)
    again.stayed_away(0, 5 * SECOND)
    assert again.referee.fold.outs == {0: GONE}
    verified(again.play())
