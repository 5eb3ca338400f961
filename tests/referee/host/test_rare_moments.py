"""What two things that come at one moment, or one owner with two seats, do not bring about."""

import contextlib
from collections.abc import Sequence

import pytest
import trio

from aboveboard_protos.bridge import Broken
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.journal import MemoryJournal
from aboveboard_referee.match.local import certificate
from tests.fakes.hosting import make_host, play, run
from tests.fakes.robots import Robot, after, hello, opening, resign, up


class Slow(MemoryJournal):
    """A disk that takes its time."""

    async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        await trio.sleep(0.4)
        await super().append(match, attempt, records)


def test_a_match_key_is_admitted_to_one_seat_only() -> None:
    """One owner of two entries can certify one key for both."""
    terms = opening()
    robots = [Robot(terms, 0), Robot(terms, 1)]
    robots[1].key = robots[0].key
    robots[1].certificate = certificate(robots[1].entry, robots[1].match_key())
    robots[1].player = robots[1].new_player()
    match = play(*robots)
    refused = [robot for robot in robots if robot.refusal.code]
    assert [robot.refusal.code for robot in refused] == [service.REFUSAL_CODE_BAD_PROOF]
    assert match.reasons[refused[0].seat] == pb.END_REASON_NO_SHOW


def test_a_deadline_of_the_match_does_not_end_the_wait_for_signatures() -> None:
    """The last move comes just in time, and its limit passes while it is written down."""
    terms = opening()
    robots = [Robot(terms, 0, instead=after(9.8, resign)), Robot(terms, 1)]
    match = play(*robots, journal=Slow())
    assert len(parse_signed(match.records[-1]).signatures) == 3


@pytest.mark.parametrize("order", range(10))
def test_the_end_of_a_connection_unseats_nobody_who_came_after_it(order: int) -> None:
    """A bot loses its seat for a bad frame while another stands at the door with its proof."""
    terms = opening(start_us=3_000_000)
    first, second = Robot(terms, 0), Robot(terms, 0)
    other = Robot(terms, 1, comes=1)

    async def main() -> list[pb.MatchClose]:
        host = make_host()
        closes: list[pb.MatchClose] = []

        async def playing() -> None:
            closes.append(await host.play(terms))

        async with trio.open_nursery() as outer, trio.open_nursery() as doors:
            outer.start_soon(host.sweep)
            doors.start_soon(playing)
            await trio.testing.wait_all_tasks_blocked()
            first.dial(host, doors)
            await first.enter()
            await trio.testing.wait_all_tasks_blocked()
            second.dial(host, doors)
            second.stream.send(hello(terms, 0))
            frame = await second.frame()
            await trio.testing.wait_all_tasks_blocked()
            first.stream.send(b"\xff")
            await trio.lowlevel.checkpoint()
            proof = second.admission(frame.challenge.challenge)
            entrance = service.Entrance(certificate=second.certificate, admission=proof)
            second.stream.send(up(entrance=entrance))
            doors.start_soon(other.play, host, doors)
            with trio.move_on_after(20), contextlib.suppress(trio.EndOfChannel, Broken):
                await second.follow()
            outer.cancel_scope.cancel()
        return closes

    closes = run(main, order=order)
    if second.refusal.code:
        assert not closes  # it was at the door too early, and was told so
    else:
        assert closes[0].seats[0].reason != pb.END_REASON_NO_SHOW


def test_a_ping_while_the_other_bot_is_waited_for_is_answered() -> None:
    terms = opening()

    async def pings_and_resigns(robot: Robot) -> None:
        robot.stream.send(up(ping=service.Ping(number=1)))
        await trio.sleep(2)

    robot = Robot(terms, 0, stays=1, leave=pings_and_resigns)
    play(robot, Robot(terms, 1, comes=2, instead=resign))
    assert robot.pongs or robot.ending != "nothing was asked yet"
