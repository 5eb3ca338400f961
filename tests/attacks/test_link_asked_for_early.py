"""An organiser asks bots for links of a draw, to choose its own bots' keys by them."""

from collections.abc import Callable
from contextlib import suppress

import pytest
import trio

from aboveboard_client.errors import VerdictAgainst
from aboveboard_protos.bridge import Broken
from aboveboard_protos.v1 import service_pb2 as service
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.draw_calls import before, draw_call
from tests.fakes.logs import FakeLog
from tests.fakes.sessions import GREETING, Played, Server, frame, session

ROW = Row(
    "link asked for early",
    "organiser",
    Outcome.REFUSED,
    (
        Defence(
            "aboveboard_client.session.attendance:Attendance._take_draw_call",
            "not self._log.has(call.index, call.leaf)",
        ),
        Defence(
            "aboveboard_client.session.attendance:Attendance._take_draw_call",
            "table.round != round_ - 1",
        ),
    ),
)


def before_it_is_in_the_log(log: FakeLog) -> service.DrawCall:
    return service.DrawCall(round=1, index=log.size, leaf=before(1))


def before_it_is_under_a_checkpoint(log: FakeLog) -> service.DrawCall:
    """The leaf may be there, but nobody has signed that it is."""
    return draw_call(log, 1)


def after_another_table(log: FakeLog) -> service.DrawCall:
    call = draw_call(log, 3)
    call.round = 2
    return call


@pytest.mark.parametrize(
    "early", [before_it_is_in_the_log, before_it_is_under_a_checkpoint, after_another_table]
)
def test_a_bot_gives_no_link_before_all_else_of_its_draw_is_in_the_log(
    early: Callable[[FakeLog], service.DrawCall],
) -> None:
    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        stream.send(frame(welcome=service.Welcome(entrant=3, epoch=1)))
        await stream.receive()
        call = early(played.log)
        if early is after_another_table:
            stream.tell()
        stream.send(frame(draw_call=call))
        with suppress(Broken, trio.EndOfChannel):
            await stream.receive()

    played = session(script=script)
    must_not(any(frame.draw_link for frame in played.sent), "the bot gave its link")
    assert isinstance(played.error, VerdictAgainst), played.error
