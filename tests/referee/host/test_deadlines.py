"""Bots that are silent or slow lose by the clock, just when it says, and hold nobody up."""

import pytest
import trio
from trio.testing import MockClock

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from tests.fakes.hosting import SWEEP, play
from tests.fakes.robots import Robot, after, answer, honest, nothing, opening, resign, up

TIME_OUT = pb.END_REASON_TIME_OUT
RESIGNED = pb.END_REASON_RESIGNED
NONE = pb.END_REASON_UNSPECIFIED

LIMITS = {
    pb.PHASE_ACCEPT: 5,
    pb.PHASE_ENTROPY: 5,
    pb.PHASE_MOVE: 10,
    pb.PHASE_COMMITMENT: 10,
    pb.PHASE_OPENING: 5,
}
"""Seconds that the clock of ``hosting`` gives in each phase."""

PHASES = [pytest.param(phase, id=pb.Phase.Name(phase).lower()) for phase in LIMITS]


def table_with(phase: "pb.Phase") -> pb.MatchOpen:
    """A match of a game that comes to this phase with both seats asked."""
    return opening(game="cribbage" if phase == pb.PHASE_MOVE else "nebraska:family")


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("phase", PHASES)
def test_a_bot_that_never_answers_loses_when_its_time_is_over(phase: "pb.Phase", seat: int) -> None:
    terms = table_with(phase)
    match = play(Robot(terms, seat, instead=nothing, phase=phase), Robot(terms, 1 - seat))
    assert match.reasons[seat] == TIME_OUT
    assert match.reasons[1 - seat] == NONE
    assert match.half_points[1 - seat] == 2
    assert (match.out.seat, match.out.phase) == (seat, phase)
    assert match.out.timing.left_us == LIMITS[phase] * 1_000_000
    assert match.seconds == pytest.approx(LIMITS[phase] + SWEEP / 2, abs=SWEEP / 2 + 0.001)


@pytest.mark.parametrize("phase", PHASES)
def test_two_bots_that_never_answer_both_lose(phase: "pb.Phase") -> None:
    terms = table_with(phase)
    match = play(*[Robot(terms, seat, instead=nothing, phase=phase) for seat in (0, 1)])
    assert match.reasons == [TIME_OUT, TIME_OUT]
    assert match.half_points == [0, 0]
    assert match.seconds == pytest.approx(LIMITS[phase] + SWEEP / 2, abs=SWEEP / 2 + 0.001)


@pytest.mark.parametrize("phase", PHASES)
def test_an_answer_at_the_very_limit_counts(phase: "pb.Phase") -> None:
    terms = table_with(phase)
    slow = Robot(terms, 0, instead=after(LIMITS[phase], answer), phase=phase)
    match = play(slow, Robot(terms, 1, instead=resign, after=2))
    assert match.reasons == [NONE, RESIGNED]
    assert match.seconds == LIMITS[phase]


@pytest.mark.parametrize("late_by", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("phase", PHASES)
def test_an_answer_after_the_limit_is_late_whatever_it_says(
    phase: "pb.Phase", late_by: float
) -> None:
    terms = table_with(phase)
    late = Robot(terms, 0, instead=after(LIMITS[phase] + late_by, resign), phase=phase)
    match = play(late, Robot(terms, 1))
    assert match.reasons == [TIME_OUT, NONE]
    assert match.out.timing.charged_us > match.out.timing.left_us
    assert bool(match.out.evidence) == (late_by < SWEEP)


def test_thinking_is_charged_to_the_bank_and_waiting_is_not() -> None:
    terms = opening(move_us=0, bank_us=10_000_000)
    slow, quick = Robot(terms, 0, thinks=3), Robot(terms, 1, thinks=0.125)
    match = play(slow, quick)
    assert match.reasons == [TIME_OUT, NONE]
    assert slow.answered[pb.PHASE_MOVE] == 4
    assert match.out.timing.left_us == 1_000_000


def test_an_increment_is_given_back_after_each_move() -> None:
    terms = opening(move_us=0, bank_us=10_000_000, increment_us=2_000_000)
    slow, quick = Robot(terms, 0, thinks=3), Robot(terms, 1)
    match = play(slow, quick)
    assert match.reasons == [TIME_OUT, NONE]
    assert slow.answered[pb.PHASE_MOVE] == 9
    assert match.out.timing.left_us == 2_000_000


def test_every_move_is_measured_from_the_departure_of_its_question() -> None:
    terms = opening()
    match = play(Robot(terms, 0, thinks=2.5), Robot(terms, 1, thinks=1.25, instead=resign, after=9))
    moves = [(answer.seat, timing) for answer, timing in match.answers if answer.HasField("move")]
    assert len(moves) > 9
    assert {(seat, timing.wait_us) for seat, timing in moves} == {(0, 2_500_000), (1, 1_250_000)}


def test_pings_are_answered_while_the_opponent_thinks() -> None:
    terms = opening()

    async def pings_while_it_waits(robot: Robot) -> None:
        await answer(robot)
        for number in range(1, 30):
            await trio.sleep(0.25)
            robot.stream.send(up(ping=service.Ping(number=number)))
        await trio.sleep(0.25)

    thinker = Robot(terms, 0, thinks=9)
    pinger = Robot(terms, 1, instead=pings_while_it_waits)
    play(thinker, pinger)
    assert [number for _, number in pinger.pongs] == list(range(1, 30))


def test_pings_do_not_keep_a_bot_from_being_late() -> None:
    terms = opening()

    async def only_pings(robot: Robot) -> None:
        for number in range(1, 24):
            robot.stream.send(up(ping=service.Ping(number=number)))
            await trio.sleep(0.5)

    match = play(Robot(terms, 0, instead=only_pings), Robot(terms, 1))
    assert match.reasons == [TIME_OUT, NONE]
    assert match.out.timing.wait_us == pytest.approx(10_000_000, abs=SWEEP * 1e6)


def test_the_same_answer_again_is_one_answer() -> None:
    terms = opening()

    async def twice(robot: Robot) -> None:
        data = await honest(robot)
        robot.stream.send(up(answer=data))
        robot.stream.send(up(answer=data))

    match = play(Robot(terms, 0, instead=twice), Robot(terms, 1, instead=resign, after=2))
    assert match.reasons == [NONE, RESIGNED]


def test_no_bot_is_late_because_the_referee_was() -> None:
    terms = opening()

    async def stall(robot: Robot) -> None:
        """Twelve seconds go by in which the host does not run; the answer lies there."""
        data = await honest(robot)
        clock = trio.lowlevel.current_clock()
        assert isinstance(clock, MockClock)
        clock.jump(12)
        robot.stream.send(up(answer=data))

    match = play(Robot(terms, 0, instead=stall), Robot(terms, 1, instead=resign, after=3))
    assert match.reasons == [NONE, RESIGNED]
    assert max(timing.charged_us for _, timing in match.answers) == 12_000_000


def test_after_its_own_delay_the_referee_soon_keeps_time_again() -> None:
    terms = opening()

    async def stall(robot: Robot) -> None:
        await trio.lowlevel.checkpoint()
        clock = trio.lowlevel.current_clock()
        assert isinstance(clock, MockClock)
        clock.jump(12)

    match = play(Robot(terms, 0, instead=stall), Robot(terms, 1))
    assert match.reasons == [TIME_OUT, NONE]
    assert match.seconds == pytest.approx(12, abs=5 * SWEEP)
    assert match.out.timing.lag_us <= 1_000_000
