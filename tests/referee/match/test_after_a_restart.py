"""Whom a restart of the referee excuses, and what a match comes to that cannot go on."""

from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.places import PLACES, standing
from tests.fakes.refusing import everybody, out_now, refusers
from tests.fakes.scripted import Script, Setup, graceful

GRACE = 20_000_000
GONE = pb.END_REASON_DISCONNECTED
LATE = pb.END_REASON_TIME_OUT


def at(place: str, grace_us: int = GRACE, seats: int = 2) -> Script:
    return standing(place, seats, graceful(grace_us) if grace_us else None)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("grace_us", [0, GRACE])
def test_after_a_restart_no_seat_is_to_blame_for_being_gone(place: str, grace_us: int) -> None:
    script = at(place, grace_us)
    before = dict(script.referee.owed)
    script.resumed()
    assert script.referee.owed == before
    for seat in (0, 1):
        assert script.referee.fold.presence.is_excused(seat)
        assert script.overdue(seat, wait_us=10**12) == ()
        assert script.stayed_away(seat, 10**12, wait_us=10**12) == ()
        assert script.stayed_away(seat, 0) == ()
        assert script.lost(seat) == ()
    script.came_back(0, 10**12)
    script.came_back(1, 10**12)
    backs = [e.seat_back for e in script.events() if e.HasField("seat_back")]
    assert backs == [pb.SeatBack(seat=seat, away_us=0, grace_left_us=grace_us) for seat in (0, 1)]
    script.play()
    script.finish()
    assert verify_match(join(script.records)).close.reason == pb.END_REASON_PLAYED_OUT


def test_a_seat_that_was_away_when_the_referee_went_is_charged_nothing_for_it() -> None:
    script = at("move")
    script.lost(0)
    script.resumed()
    script.came_back(0, 10**12)
    assert script.referee.fold.presence.grace_left(0) == GRACE


def test_grace_spent_before_a_restart_stays_spent() -> None:
    script = at("move")
    script.lost(0)
    script.came_back(0, 15_000_000)
    script.resumed()
    script.all_back()
    assert script.referee.fold.presence.grace_left(0) == 5_000_000
    script.lost(0)
    script.stayed_away(0, 5_000_000)
    assert script.referee.fold.outs == {0: GONE}


@pytest.mark.parametrize("place", PLACES)
def test_once_it_is_back_a_seat_answers_for_itself_again(place: str) -> None:
    script = at(place)
    script.resumed()
    script.all_back()
    script.lost(0)
    script.stayed_away(0, GRACE)
    assert script.referee.fold.outs == {0: GONE}
    script.overdue(1, wait_us=10**12)
    assert script.referee.fold.outs == {0: GONE, 1: LATE}
    script.finish()
    verify_match(join(script.records))


def test_a_restart_after_a_seat_went_out_of_three_does_not_bring_it_back() -> None:
    script = at("move", seats=3)
    script.lost(2)
    script.stayed_away(2, GRACE)
    script.resumed()
    presence = script.referee.fold.presence
    assert [presence.is_away(seat) for seat in range(3)] == [True, True, False]
    assert script.came_back(2, 0) == ()
    script.all_back()
    script.play()
    assert script.referee.fold.outs == {2: GONE}
    script.finish()
    verify_match(join(script.records))


@pytest.mark.parametrize("seats", [2, 3])
def test_a_restart_leaves_out_a_bot_that_never_came(seats: int) -> None:
    script = Script(Setup("cribbage", seats, clock=graceful(), absent=frozenset({1})))
    script.restart()
    assert script.referee.ended == (seats == 2)
    if seats == 3:
        script.resumed()
        assert script.came_back(1, 0) == ()
        script.all_back()
        script.play()
    script.finish()
    assert verify_match(join(script.records)).close.seats[1].reason == pb.END_REASON_NO_SHOW


def test_a_restart_of_a_match_that_only_lacks_its_close_says_nothing() -> None:
    script = Script(Setup(clock=graceful())).play()
    assert script.resumed() == ()
    script.finish()
    verify_match(join(script.records))


FALSE: dict[str, dict[str, Any]] = {
    "a charge": {"seat_back": pb.SeatBack(seat=0, away_us=1, grace_left_us=GRACE - 1)},
    "a charge hidden": {"seat_back": pb.SeatBack(seat=0, away_us=1, grace_left_us=GRACE)},
    "grace taken": {"seat_back": pb.SeatBack(seat=0, grace_left_us=GRACE - 1)},
    "grace given": {"seat_back": pb.SeatBack(seat=0, grace_left_us=GRACE + 1)},
    "lost as well": {"seat_lost": pb.SeatLost(seat=0)},
}


@pytest.mark.parametrize("what", FALSE)
def test_what_a_restart_does_not_allow_is_refused_by_everybody(what: str) -> None:
    script = at("move")
    script.resumed()
    assert refusers(script, **FALSE[what]) == everybody(script)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("grace_us", [0, GRACE])
@pytest.mark.parametrize(
    "fields",
    [
        {"reason": LATE, "wait_us": 10**12},
        {"reason": GONE},
        {"reason": GONE, "away_us": 10**12},
        {"reason": GONE, "away_us": GRACE, "wait_us": 10**12},
    ],
)
def test_no_excused_seat_is_put_out_for_the_referees_absence(
    place: str, grace_us: int, fields: dict[str, Any]
) -> None:
    script = at(place, grace_us)
    script.resumed()
    assert refusers(script, seat_out=out_now(script, 0, **fields)) == everybody(script)


# --- A match that cannot be gone on with -------------------------------------------------------


@pytest.mark.parametrize("place", PLACES)
def test_a_match_whose_bots_do_not_come_back_is_played_again_or_a_tie(place: str) -> None:
    script = at(place)
    script.resumed()
    script.came_back(1, 0)
    script.stop()
    script.finish()
    match = verify_match(join(script.records))
    assert [(row.half_points, row.rank) for row in match.close.seats] == [(1, 1), (1, 1)]
    assert match.close.reason == pb.END_REASON_INTERRUPTED
    assert match.void == (place == "accept")
