"""What two things that come at one moment, or one owner with two seats, do not bring about."""

import contextlib
from collections.abc import Sequence

import pytest
import trio

from aboveboard_protos.bridge import Broken
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import MemoryJournal
from aboveboard_referee.match.local import certificate
from tests.fakes.hosting import make_host, play, run, sweeping
from tests.fakes.robots import REFEREE, Robot, after, hello, opening, resign, sends, up
from tests.fakes.shared_keys import SharingRobot

NO_SHOW = pb.END_REASON_NO_SHOW
RESIGNED = pb.END_REASON_RESIGNED
NONE = pb.END_REASON_UNSPECIFIED

NOT_ITS_OWN = service.Refusal(
    code=service.REFUSAL_CODE_BAD_PROOF, text="every seat needs a match key of its own"
)

# --- Match keys --------------------------------------------------------------------------------


@pytest.mark.parametrize("later", [0.0, 1.0], ids=["at one moment", "one by one"])
def test_a_match_key_is_admitted_to_one_seat_only(later: float) -> None:
    """Who comes second with it is refused, and its seat ends as one that nobody came for."""
    terms = opening()
    robots = [SharingRobot(terms, 0), SharingRobot(terms, 1, comes=later)]
    match = play(*robots)
    (refused,) = (robot for robot in robots if robot.refusal.code)
    assert refused.refusal == NOT_ITS_OWN
    assert refused.ending == "in order"
    assert match.reasons[refused.seat] == NO_SHOW
    assert match.reasons[1 - refused.seat] == NONE


def test_a_match_key_of_who_has_left_again_is_free_for_the_other_seat() -> None:
    terms = opening()
    left = SharingRobot(terms, 0, stays=1)
    other = SharingRobot(terms, 1, comes=2)
    match = play(left, other, Robot(terms, 0, comes=3, instead=resign))
    assert not other.refusal.code
    assert match.reasons == [RESIGNED, NONE]


def test_the_referees_own_key_is_no_match_key() -> None:
    terms = opening()
    robot = Robot(terms, 0)
    robot.key = REFEREE
    robot.certificate = certificate(robot.entry, robot.match_key())
    match = play(robot, Robot(terms, 1))
    assert robot.refusal == NOT_ITS_OWN
    assert match.reasons == [NO_SHOW, NONE]


# --- One thing while another is under way --------------------------------------------------------


class Slow(MemoryJournal):
    """A disk that takes its time."""

    async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        await trio.sleep(0.4)
        await super().append(match, attempt, records)


def test_a_deadline_of_the_match_does_not_end_the_wait_for_signatures() -> None:
    """The last move comes just in time, and its limit passes while it is written down."""
    terms = opening()
    robots = [Robot(terms, 0, instead=after(9.8, resign)), Robot(terms, 1)]
    match = play(*robots, journal=Slow())
    assert match.reasons == [RESIGNED, NONE]
    assert len(parse_signed(match.records[-1]).signatures) == 3


async def take_over(
    first: Robot, second: Robot, host: MatchHost, doors: trio.Nursery, turns: int
) -> None:
    """``second`` proves who it is while ``first`` loses their seat for what it sends.

    The host reads that in trio's next turn and takes the seat in the one after, in which it
    reads the proof as well if that was sent one turn later; and if it was sent two turns
    later, in the one in which it finds out that the connection has ended.
    """
    await trio.testing.wait_all_tasks_blocked()
    first.dial(host, doors)
    await first.enter()
    second.dial(host, doors)
    second.stream.send(hello(second.opening, second.seat))
    frame = await second.frame()
    await trio.testing.wait_all_tasks_blocked()
    first.stream.send(b"\xff")
    for _ in range(turns):
        await trio.lowlevel.checkpoint()
    proof = second.admission(frame.challenge.challenge)
    entrance = service.Entrance(certificate=second.certificate, admission=proof)
    second.stream.send(up(entrance=entrance))
    with contextlib.suppress(trio.EndOfChannel, Broken):
        await second.follow()


def taken_over(turns: int, order: int) -> tuple[pb.MatchClose, Robot]:
    """A match with such a moment in it, at whose end seat 1 resigns; and the second bot."""
    terms = opening(start_us=3_000_000)
    first, second = Robot(terms, 0), Robot(terms, 0)
    other = Robot(terms, 1, comes=1, instead=resign)

    async def main() -> pb.MatchClose:
        host = make_host()
        async with sweeping(host) as doors, trio.open_nursery() as bots:
            bots.start_soon(take_over, first, second, host, doors, turns)
            bots.start_soon(other.play, host, doors)
            return await host.play(terms)

    return run(main, order), second


@pytest.mark.parametrize("order", range(5))
def test_the_end_of_a_connection_unseats_nobody_who_came_after_it(order: int) -> None:
    close, second = taken_over(2, order)
    assert not second.refusal.code
    assert [seat.reason for seat in close.seats] == [NONE, RESIGNED]


@pytest.mark.parametrize("order", range(10))
def test_who_comes_as_a_seat_gets_free_has_it_or_is_told_that_it_has_not(order: int) -> None:
    close, second = taken_over(1, order)
    assert second.refusal.code in (0, service.REFUSAL_CODE_REPLACED)
    expected = [NO_SHOW, NONE] if second.refusal.code else [NONE, RESIGNED]
    assert [seat.reason for seat in close.seats] == expected


def test_a_ping_while_the_other_bot_is_waited_for_is_answered() -> None:
    """Neither it nor a pong costs the bot its seat."""
    terms = opening()
    number = service.Ping(number=7)
    waits = Robot(terms, 0, stays=1, leave=sends(up(ping=number), up(pong=number)))
    match = play(waits, Robot(terms, 1, comes=2, instead=resign))
    assert waits.pongs == [(1, 7)]
    assert waits.ending == "in order"
    assert match.reasons == [NONE, RESIGNED]
