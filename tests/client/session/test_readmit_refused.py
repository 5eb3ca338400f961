"""Telling a tournament that a bot was checked, where that comes to nothing: each is told why."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest

from aboveboard_client.commands.check_server import _tell
from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.public_log.log_link import LogLink
from aboveboard_client.session.connection import OpenStream
from aboveboard_client.session.readmit import Readmission, holder_of, readmit
from aboveboard_protos.bridge import Stream, Unavailable, memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.host.frames import PROTOCOL
from tests.fakes.leaves import Leaves
from tests.fakes.logs import FakeLog, asking
from tests.fakes.suspended_logs import play_first_round

SUSPENDED = 1


def home(rounds: int = 1, planned: int = 3) -> Leaves:
    """So many rounds are played, and one entrant is suspended since the first."""
    form = pb.Form(bye=2, suspend_after=1)
    made = Leaves(4, planned, system="swiss", form=form)
    play_first_round(made, SUSPENDED)
    for _ in range(rounds - 1):
        made.play_round()
    return made


def told(at: Leaves, control: OpenStream) -> Readmission:
    """What comes of it at this log, with such a control stream."""

    async def ask(link: LogLink) -> Readmission:
        return await readmit(link, control, at.keys[SUSPENDED])

    return asking(FakeLog(at.log, at.all), ask)


def test_where_every_round_is_drawn_none_is_left_to_play() -> None:
    at = home(rounds=3)
    with pytest.raises(WrongUse, match="bot1 is suspended, and all 3 rounds are drawn: none is"):
        asking(FakeLog(at.log, at.all), partial(holder_of, key=at.keys[SUSPENDED]))


def test_a_server_that_is_gone_after_the_check_is_an_outside_failure() -> None:
    @asynccontextmanager
    async def nobody() -> AsyncIterator[Stream]:
        raise Unavailable("nobody is there")
        yield

    with pytest.raises(OutsideFailure, match=r"^nobody is there$"):
        told(home(), nobody)


def test_another_tournament_at_the_same_address_is_not_joined() -> None:
    other = home(planned=4)  # of the same organiser

    @asynccontextmanager
    async def control() -> AsyncIterator[Stream]:
        mine, theirs = memory_pair()
        greeting = wire.Greeting(protocol=PROTOCOL, challenge=bytes(32), manifest=other.all[0])
        theirs.send(wire.ControlDown(greeting=greeting).SerializeToString())
        yield mine
        mine.abort()

    with pytest.raises(OutsideFailure, match="begins another tournament"):
        told(home(), control)


def test_who_stays_suspended_is_told_so_after_what_the_server_says() -> None:
    said: list[str] = []
    done = Readmission("bot1", True, True, 2, ("not before round 4",))
    with pytest.raises(VerdictAgainst, match=r"^bot1 stays suspended$"):
        _tell(done, said.append)
    assert said == ["the server says: not before round 4"]
