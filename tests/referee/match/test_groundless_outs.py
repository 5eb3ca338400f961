"""A referee that puts a seat out without ground, or ends a match otherwise, is caught."""

from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.referee import Outbox
from aboveboard_referee.match.result import BOT
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import edited, follow, next_event
from tests.fakes.keys import key
from tests.fakes.scripted import Script, Setup, Watcher, owes

REFEREE = key("a referee")
EVERYBODY: set[Watcher] = {None, 0, 1}


def out(script: Script, seat: int, reason: pb.EndReason, evidence: bytes = b"") -> pb.SeatOut:
    """A SeatOut with right sums, after a second."""
    wire = pb.SeatOut(seat=seat, reason=reason, evidence=evidence)
    owed = script.referee.owed.get(seat)
    if owed is not None:
        timing = script.referee.fold.clocks.timing(seat, owed.phase, 1_000_000, 0, 0)
        wire.MergeFrom(pb.SeatOut(phase=owed.phase, asked=owed.asked, timing=timing))
    return wire


def refused(script: Script, step: Step, **payload: Any) -> set[Watcher]:
    """Who refuses the referee's next event, each of them naming step, place and referee."""
    place = script.referee.fold.sequence + 1
    refusals = script.hand_over(Outbox((next_event(script.referee.fold, REFEREE, **payload),)))
    for refusal in refusals.values():
        assert (refusal.step, refusal.sequence, refusal.blame) == (step, place, "referee")
        assert f"event {place}" in str(refusal)
        assert "referee" in str(refusal)
    return set(refusals)


@pytest.mark.parametrize("stand", STANDS)
@pytest.mark.parametrize("reason", sorted(BOT - {pb.END_REASON_DISCONNECTED}))
def test_a_good_answer_is_no_ground_to_its_own_seat(stand: str, reason: pb.EndReason) -> None:
    script = STANDS[stand]()
    wire = out(script, 1, reason, script.honest(1))
    assert 1 in refused(script, Step.CLOCK, seat_out=wire)


@pytest.mark.parametrize("stand", STANDS)
@pytest.mark.parametrize(
    "reason", sorted(BOT - {pb.END_REASON_DISCONNECTED, pb.END_REASON_ILLEGAL_MOVE})
)
def test_a_good_answer_is_no_ground_to_anybody(stand: str, reason: pb.EndReason) -> None:
    script = STANDS[stand]()
    wire = out(script, 1, reason, script.honest(1))
    assert refused(script, Step.CLOCK, seat_out=wire) == EVERYBODY


@pytest.mark.parametrize("stand", ["accept", "entropy"])
def test_before_a_deck_exists_nobody_takes_an_answer_for_an_illegal_move(stand: str) -> None:
    script = STANDS[stand]()
    wire = out(script, 1, pb.END_REASON_ILLEGAL_MOVE, script.honest(1))
    assert refused(script, Step.CLOCK, seat_out=wire) == EVERYBODY


@pytest.mark.parametrize("stand", STANDS)
def test_an_accepted_answer_is_no_ground_afterwards(stand: str) -> None:
    for seat in (0, 1):
        script = STANDS[stand]()
        data = script.honest(0)
        script.send(0, data)
        for reason in (pb.END_REASON_MALFORMED_MESSAGE, pb.END_REASON_BAD_SIGNATURE):
            wire = out(script, seat, reason, data)
            assert refused(script, Step.CLOCK, seat_out=wire) == EVERYBODY
            script.refusals.clear()
            script = STANDS[stand]()
            script.send(0, data)


@pytest.mark.parametrize("stand", STANDS)
@pytest.mark.parametrize(
    "change", [{"wait_us": 10**18}, {"charged_us": 10**18}, {"left_us": 0}, {"left_us": 10**17}]
)
def test_an_answer_is_late_by_right_sums_or_not_at_all(stand: str, change: dict[str, int]) -> None:
    script = STANDS[stand]()
    wire = out(script, 1, pb.END_REASON_TIME_OUT)
    for name, value in change.items():
        setattr(wire.timing, name, value)
    assert refused(script, Step.CLOCK, seat_out=wire) == EVERYBODY


def test_a_seat_that_owes_nothing_cannot_be_late() -> None:
    script = STANDS["move"]()
    wire = out(script, 1, pb.END_REASON_TIME_OUT)
    wire.timing.CopyFrom(script.referee.fold.clocks.timing(1, pb.PHASE_MOVE, 10**12, 0, 0))
    script.send(1, script.honest(1))
    assert refused(script, Step.CLOCK, seat_out=wire) == EVERYBODY


def test_a_referee_that_was_late_itself_cannot_call_a_seat_late() -> None:
    script = STANDS["move"]()
    wire = out(script, 1, pb.END_REASON_TIME_OUT)
    lag = script.setup.clock.lag_us + 1
    wire.timing.CopyFrom(script.referee.fold.clocks.timing(1, pb.PHASE_MOVE, 10**12, 0, lag))
    assert refused(script, Step.CLOCK, seat_out=wire) == EVERYBODY


@pytest.mark.parametrize(
    "change",
    [
        {"phase": pb.PHASE_ENTROPY},
        {"phase": pb.PHASE_UNSPECIFIED},
        {"asked": 1},
        {"asked": 2**32 - 1},
    ],
)
def test_an_out_names_the_question_that_was_open(change: dict[str, Any]) -> None:
    script = STANDS["move"]()
    wire = out(script, 1, pb.END_REASON_DISCONNECTED)
    for name, value in change.items():
        setattr(wire, name, value)
    assert refused(script, Step.CLOCK, seat_out=wire) == EVERYBODY


@pytest.mark.parametrize("reason", sorted(BOT))
@pytest.mark.parametrize("absent", [0, 1])
def test_where_a_seat_did_not_come_only_that_ends_the_match(
    absent: int, reason: pb.EndReason
) -> None:
    opening = Setup(absent=frozenset({absent})).referee().start(0).records[0]
    for seat in (0, 1):
        for phase in (pb.PHASE_UNSPECIFIED, pb.PHASE_ACCEPT):
            wire = pb.SeatOut(seat=seat, reason=reason, phase=phase)
            event = next_event(follow((opening,)), REFEREE, seat_out=wire)
            if (seat, reason, phase) == (absent, pb.END_REASON_NO_SHOW, pb.PHASE_ACCEPT):
                assert follow((opening, event)).outs == {absent: reason}
                continue
            with pytest.raises(Deviation) as caught:
                follow((opening, event))
            assert caught.value.step is Step.CLOCK


@pytest.mark.parametrize(
    "reason",
    [
        pb.END_REASON_UNSPECIFIED,
        pb.END_REASON_PLAYED_OUT,
        pb.END_REASON_REFEREE_FAULT,
        pb.END_REASON_INTERRUPTED,
    ],
)
def test_a_seat_goes_out_for_a_reason_of_its_own(reason: pb.EndReason) -> None:
    script = STANDS["move"]()
    assert refused(script, Step.CHAIN, seat_out=out(script, 1, reason)) == EVERYBODY


def test_a_seat_that_is_not_at_the_table_cannot_go_out() -> None:
    script = STANDS["move"]()
    for seat in (2, 2**32 - 1):
        wire = out(script, seat, pb.END_REASON_DISCONNECTED)
        assert refused(script, Step.CHAIN, seat_out=wire) == EVERYBODY
        script = STANDS["move"]()


def test_a_seat_goes_out_once() -> None:
    script = STANDS["move"]()
    script.lost(1)
    wire = out(script, 1, pb.END_REASON_DISCONNECTED)
    assert refused(script, Step.CHAIN, seat_out=wire) == EVERYBODY


def test_nobody_goes_out_after_the_end() -> None:
    script = Script().play()
    wire = out(script, 1, pb.END_REASON_DISCONNECTED)
    assert refused(script, Step.CHAIN, seat_out=wire) == EVERYBODY


@pytest.mark.parametrize("reason", [*sorted(BOT), pb.END_REASON_PLAYED_OUT, 0])
def test_the_service_stops_a_match_for_a_reason_of_the_service(reason: pb.EndReason) -> None:
    script = STANDS["move"]()
    assert refused(script, Step.CHAIN, stopped=pb.Stopped(reason=reason)) == EVERYBODY


def test_no_match_is_stopped_after_its_end() -> None:
    script = Script().play()
    stopped = pb.Stopped(reason=pb.END_REASON_INTERRUPTED)
    assert refused(script, Step.CHAIN, stopped=stopped) == EVERYBODY


def test_a_false_go_is_known_to_the_liar_and_the_referee_alone() -> None:
    script = Script().until(owes(pb.PHASE_MOVE, at=2))
    (seat,) = script.referee.owed
    lie = edited(
        script.honest(seat), lambda a: setattr(a.move, "text", "go"), own_key(script, seat)
    )
    script.send(seat, lie)
    # Whoever does not know the cards cannot contradict, and the end is accepted by all.
    assert not script.refusals
    assert script.referee.fold.outs == {seat: pb.END_REASON_ILLEGAL_MOVE}
    script.finish()


def test_a_legal_move_called_illegal_is_refused_by_the_seat_that_made_it() -> None:
    script = Script().until(owes(pb.PHASE_MOVE, at=2))
    (seat,) = script.referee.owed
    wire = out(script, seat, pb.END_REASON_ILLEGAL_MOVE, script.honest(seat))
    assert refused(script, Step.CLOCK, seat_out=wire) == {seat}


def test_an_illegal_move_let_pass_is_refused_by_everybody() -> None:
    script = STANDS["move"]()
    illegal = edited(
        script.honest(1), lambda a: setattr(a.move, "text", "discard 40 41"), own_key(script, 1)
    )
    timing = script.referee.fold.clocks.timing(1, pb.PHASE_MOVE, 1_000, 0, 0)
    answered = pb.Answered(answer=illegal, timing=timing)
    assert refused(script, Step.MOVE, answered=answered) == EVERYBODY


@pytest.mark.parametrize(
    "payload",
    [
        {"seat_lost": pb.SeatLost(seat=1)},
        {"seat_back": pb.SeatBack(seat=1)},
        {"autopilot": pb.Autopilot(seat=1, text="go")},
        {},
    ],
)
def test_events_for_which_there_is_no_occasion_are_refused(payload: dict[str, Any]) -> None:
    script = Script(Setup()).until(owes(pb.PHASE_MOVE))
    assert refused(script, Step.CHAIN, **payload) == EVERYBODY
