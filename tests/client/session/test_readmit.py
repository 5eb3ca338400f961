"""Telling a tournament that a bot was checked: who is suspended plays again, nobody else is
disturbed.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.public_log.log_link import ASK, begin
from aboveboard_client.session.readmit import Readmission, readmit
from aboveboard_client.session.session import CONTROL
from aboveboard_protos.bridge import Stream, Unavailable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.keys import PrivateKey
from tests.fakes.entrants import Entrant
from tests.fakes.keys import key
from tests.fakes.network import Network
from tests.fakes.serving import Served
from tests.fakes.suspended import AFTER, Failing, play


@asynccontextmanager
async def dialled(network: Network, method: str) -> AsyncIterator[Stream]:
    stream = await network.dial(method)
    try:
        yield stream
    finally:
        stream.abort()


async def checked(network: Network, by: PrivateKey) -> Readmission:
    """What ``aboveboard check --server`` does there after a pass."""
    async with dialled(network, ASK) as stream:
        return await readmit(await begin(stream), partial(dialled, network, CONTROL), by)


class Mended(Failing):
    """Its bot goes on running while its owner has it checked, and is started anew then."""

    before: Readmission
    done: Readmission
    again: Readmission

    async def stay(self, network: Network) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Entrant.stay, self, network)
            while not self.frames:  # noqa: ASYNC110
                await trio.sleep(0.1)
            self.before = await checked(network, self.key)
            while not any("is suspended" in text for text in self.notices):  # noqa: ASYNC110
                await trio.sleep(0.1)
            self.done = await checked(network, self.key)
            self.again = await checked(network, self.key)
            await Entrant.stay(self, network)


@cache
def mended() -> tuple[Served, Mended]:
    with TemporaryDirectory() as folder:
        bot = Mended(0)
        return play(Path(folder), bot), bot


def effects(served: Served) -> list[str | None]:
    rulings = [decode(pb.Ruling, parse_signed(leaf).body) for leaf in served.leaves("ruling")]
    return [ruling.WhichOneof("effect") for ruling in rulings]


def test_a_suspended_bot_that_was_checked_is_readmitted() -> None:
    served, bot = mended()
    assert effects(served) == ["suspended", "readmitted"]
    assert (bot.done.name, bot.done.was_suspended, bot.done.is_suspended) == ("bot-0", True, False)
    assert bot.done.from_round > AFTER


def test_the_running_bots_connection_is_what_it_costs() -> None:
    _, bot = mended()
    assert bot.refusal.code == wire.REFUSAL_CODE_REPLACED


def test_who_is_not_suspended_opens_no_connection_that_would_replace_another() -> None:
    _, bot = mended()
    for told in (bot.before, bot.again):
        assert (told.was_suspended, told.is_suspended, told.notices) == (False, False, ())


class Watching(Entrant):
    """Its owner says that it was checked although it is not suspended."""

    said: Any = None
    stranger: Any = None

    async def stay(self, network: Network) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Entrant.stay, self, network)
            while not self.frames:  # noqa: ASYNC110
                await trio.sleep(0.1)
            try:
                await checked(network, key("a stranger"))
            except WrongUse as error:
                self.stranger = error


def test_a_key_that_nobody_plays_by_is_refused_before_it_joins(tmp_path: Path) -> None:
    bot = Watching(0)
    play(tmp_path, bot, rounds=1)
    assert "nobody plays there with the key" in str(bot.stranger)
    assert bot.ending == "in order"


@pytest.mark.slow
def test_a_server_that_is_gone_in_between_is_an_outside_failure() -> None:
    @asynccontextmanager
    async def nobody() -> AsyncIterator[Stream]:
        raise Unavailable("nobody is there")
        yield

    class Suspended(Failing):
        failure: Any = None

        async def stay(self, network: Network) -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(Entrant.stay, self, network)
                while not any("is suspended" in text for text in self.notices):  # noqa: ASYNC110
                    await trio.sleep(0.1)
                async with dialled(network, ASK) as stream:
                    try:
                        await readmit(await begin(stream), nobody, self.key)
                    except OutsideFailure as error:
                        self.failure = error

    with TemporaryDirectory() as folder:
        bot = Suspended(0)
        served = play(Path(folder), bot)
    assert str(bot.failure) == "nobody is there"
    assert effects(served) == ["suspended"]
