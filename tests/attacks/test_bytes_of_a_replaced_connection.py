"""What still comes on a connection that the bot has replaced puts it out."""

from collections.abc import Sequence
from dataclasses import dataclass

import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.host.connection import HELD_SECONDS
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import MemoryJournal
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.hosting import play
from tests.fakes.robots import Robot, opening, resign

ROW = Row(
    "bytes of a replaced connection",
    "anybody",
    Outcome.PREVENTED,
    (
        Defence(
            "host.table:Table._react",
            "if self.seats.is_current(connection):"
            " return self._read(referee, connection, data, at)",
            "return self._read(referee, connection, data, at)",
        ),
    ),
)


class SlowJournal(MemoryJournal):
    """While it writes, for a second, things gather in the match's inbox."""

    async def append(self, match: str, attempt: int, records: Sequence[bytes]) -> None:
        await trio.sleep(1)
        await super().append(match, attempt, records)


@dataclass(eq=False)
class Moving(Robot):
    """Comes again over a second connection and leaves the first to somebody else."""

    async def play(self, host: MatchHost, doors: trio.Nursery) -> None:
        self.host, self.doors = host, doors
        self.instead = _comes_again
        await super().play(host, doors)


async def _comes_again(robot: Robot) -> None:
    assert isinstance(robot, Moving)
    older = robot.stream
    await trio.sleep(HELD_SECONDS + 0.3)  # by now the other seat's move is being written
    robot.dial(robot.host, robot.doors)
    robot.player, robot._answering = robot.new_player(), None
    robot.instead, robot.after = resign, 1
    await robot.enter()
    await trio.sleep(0.1)
    older.send(b"\xff")


def test_rubbish_on_an_older_connection_does_no_harm_to_the_newer_one() -> None:
    terms = opening(grace_us=60_000_000)
    match = play(Moving(terms, 0), Robot(terms, 1), journal=SlowJournal())
    must_not(match.reasons[0] == pb.END_REASON_MALFORMED_MESSAGE, "the seat is out for it")
    assert match.reasons[0] == pb.END_REASON_RESIGNED
