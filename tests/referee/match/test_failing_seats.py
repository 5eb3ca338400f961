"""What becomes of a match when bots fail, do not come, or the service stops it."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Deviation, Step
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import follow
from tests.fakes.scripted import Script, Setup, owes

FAIL = {
    "sends rubbish": lambda script, seat: script.send(seat, b"rubbish"),
    "hangs up": lambda script, seat: script.lost(seat),
    "resigns": lambda script, seat: script.send(seat, script.players[seat].resign()),
    "is silent": lambda script, seat: script.overdue(seat, wait_us=10**12),
}
REASONS = {
    "sends rubbish": pb.END_REASON_MALFORMED_MESSAGE,
    "hangs up": pb.END_REASON_DISCONNECTED,
    "resigns": pb.END_REASON_RESIGNED,
    "is silent": pb.END_REASON_TIME_OUT,
}


def points(script: Script) -> list[int]:
    close = script.finish()
    follow(script.records)
    return [seat.half_points for seat in close.seats]


@pytest.mark.parametrize("stand", STANDS)
@pytest.mark.parametrize("how", FAIL)
def test_both_seats_failing_in_one_phase_both_get_nothing(stand: str, how: str) -> None:
    script = STANDS[stand]()
    FAIL[how](script, 1)
    FAIL["resigns"](script, 0)
    close = script.finish()
    assert [(seat.half_points, seat.reason) for seat in close.seats] == [
        (0, pb.END_REASON_RESIGNED),
        (0, REASONS[how]),
    ]
    assert close.reason == REASONS[how]
    follow(script.records)


@pytest.mark.parametrize("stand", STANDS)
@pytest.mark.parametrize("how", FAIL)
@pytest.mark.parametrize("loser", [0, 1])
def test_one_seat_failing_loses_whether_the_other_answered_before_or_after(
    stand: str, how: str, loser: Seat
) -> None:
    for answers_first in (True, False):
        script = STANDS[stand]()
        if answers_first:
            script.send(1 - loser, script.honest(1 - loser))
        FAIL[how](script, loser)
        if not answers_first:
            assert list(script.referee.owed) == [1 - loser]
            script.step()
        assert script.referee.ended
        assert script.referee.fold.outs == {loser: REASONS[how]}
        assert points(script) == [2 * (seat != loser) for seat in (0, 1)]


def test_a_seat_that_hangs_up_after_its_commitment_loses() -> None:
    script = STANDS["commitment"]()
    script.send(0, script.honest(0))
    script.lost(0)
    assert list(script.referee.owed) == [1]
    script.step()
    assert points(script) == [0, 2]


def test_a_seat_that_hangs_up_while_the_other_thinks_loses() -> None:
    script = Script().until(lambda s: list(s.referee.owed) == [0])
    script.lost(1)
    script.step()
    assert points(script) == [2, 0]


def test_a_seat_that_hangs_up_after_the_end_has_lost_nothing() -> None:
    script = Script().play()
    over = script.referee.fold.over
    assert script.lost(0) == ()
    assert script.referee.fold.over == over
    assert sum(points(script)) == 2


@pytest.mark.parametrize("absent", [0, 1])
def test_a_seat_that_did_not_come_loses_at_once(absent: Seat) -> None:
    script = Script(Setup(absent=frozenset({absent})))
    assert script.referee.ended
    assert script.referee.fold.outs == {absent: pb.END_REASON_NO_SHOW}
    assert not script.referee.fold.entropy_asked
    assert points(script) == [2 * (seat != absent) for seat in (0, 1)]


def test_where_nobody_came_nobody_gets_anything() -> None:
    script = Script(Setup(absent=frozenset({0, 1})))
    assert script.referee.ended
    close = script.finish()
    assert [(seat.half_points, seat.reason) for seat in close.seats] == [
        (0, pb.END_REASON_NO_SHOW)
    ] * 2
    assert follow(script.records).outs == dict.fromkeys((0, 1), pb.END_REASON_NO_SHOW)


def test_partners_lose_with_the_one_of_them_that_fails() -> None:
    script = Script(Setup("cribbage", 4)).until(owes(pb.PHASE_MOVE))
    script.lost(3)
    script.play()
    close = script.finish()
    assert [seat.half_points for seat in close.seats] == [2, 0, 2, 0]
    assert [seat.rank for seat in close.seats] == [1, 2, 1, 2]
    assert [seat.reason for seat in close.seats] == [0, 0, 0, pb.END_REASON_DISCONNECTED]


def test_partners_of_both_sides_failing_leave_nothing_to_either_side() -> None:
    script = Script(Setup("cribbage", 4)).until(owes(pb.PHASE_MOVE))
    script.lost(3)
    script.lost(2)
    script.play()
    assert points(script) == [0, 0, 0, 0]


def test_two_partners_failing_are_one_lost_match() -> None:
    script = Script(Setup("cribbage", 4)).until(owes(pb.PHASE_ENTROPY))
    script.lost(1)
    script.lost(3)
    script.play()
    assert points(script) == [2, 0, 2, 0]


@pytest.mark.parametrize("reason", [pb.END_REASON_INTERRUPTED, pb.END_REASON_REFEREE_FAULT])
@pytest.mark.parametrize("stand", STANDS)
def test_a_match_that_the_service_stops_is_a_tie(stand: str, reason: pb.EndReason) -> None:
    for answered in (0, 1):
        script = STANDS[stand]()
        if answered:
            script.step()
        script.stop(reason)
        assert script.referee.ended
        close = script.finish()
        assert close.reason == reason
        assert [(s.half_points, s.rank, s.reason) for s in close.seats] == [(1, 1, reason)] * 2
        follow(script.records)


def test_a_stop_gives_nothing_back_to_a_seat_that_was_out_already() -> None:
    script = STANDS["move"]()
    script.send(0, b"")
    script.stop()
    close = script.finish()
    assert [(s.half_points, s.reason) for s in close.seats] == [
        (0, pb.END_REASON_MALFORMED_MESSAGE),
        (2, 0),
    ]
    follow(script.records)


@pytest.mark.parametrize("how", ["stop", "lose"])
@pytest.mark.parametrize("game", ["cribbage", "nebraska:poker", "allegra"])
def test_every_rooted_deck_is_opened_before_an_early_close(game: str, how: str) -> None:
    script = Script(Setup(game)).until(lambda s: s.referee.fold.shuffle == 2)
    script.until(owes(pb.PHASE_MOVE) if game != "nebraska:poker" else owes(pb.PHASE_COMMITMENT))
    if how == "stop":
        script.stop()
    else:
        script.lost(0)
        script.play()
    rooted = [e.shuffle for e in script.events() if e.HasField("deal_root")]
    opened = [e.shuffle for e in script.events() if e.HasField("deck_opened")]
    assert sorted(opened) == rooted == [1, 2]
    script.finish()
    follow(script.records)


def test_a_stopped_match_tells_whether_entropy_was_asked_for() -> None:
    assert not Script().referee.fold.entropy_asked
    assert STANDS["entropy"]().referee.fold.entropy_asked


def test_no_close_is_signed_before_the_end() -> None:
    other = STANDS["move"]()
    other.stop()
    close = other.referee.close(other.now)
    for player in STANDS["move"]().players.values():
        with pytest.raises(Deviation) as refused:
            player.sign_close(close)
        assert (refused.value.step, refused.value.blame) == (Step.CLOSE, "referee")
