"""A bot sends more than anybody asked for, to fill the host's memory."""

import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.hosting import play
from tests.fakes.robots import Robot, answer, opening, up

ROW = Row(
    "flood of messages",
    "bot",
    Outcome.REFUSED,
    (Defence("host.table:Table.read", "connection.unasked >= BACKLOG"),),
)


async def _floods(robot: Robot) -> None:
    await trio.lowlevel.checkpoint()
    for number in range(100):
        robot.stream.send(up(ping=service.Ping(number=number)))
    await answer(robot)


def test_a_bot_with_too_many_unread_messages_loses_its_connection_and_no_other_does() -> None:
    terms = opening()
    match = play(Robot(terms, 0, instead=_floods), Robot(terms, 1))
    must_not(match.reasons[0] == pb.END_REASON_PLAYED_OUT, "all of it is kept to be read")
    assert match.reasons == [pb.END_REASON_DISCONNECTED, pb.END_REASON_UNSPECIFIED]
