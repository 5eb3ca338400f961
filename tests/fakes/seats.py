"""A bot's seat of one match, played over streams in memory on the mock clock."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import trio
from trio.testing import MockClock

from aboveboard_client.bot import Bot, load
from aboveboard_client.session.desk import Choice, Desk
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.match_session import play_seat
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.state.journal import Journals, MemoryJournals
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_protos.bridge import Stream, Unavailable
from tests.fakes.keys import key, secret
from tests.fakes.referees import OneSeatReferee, ticket, tournament
from tests.fakes.reporting import Recorded
from tests.fakes.streams import Remembering, remembering_pair

IDENTITY = Identity("me", key("my entry"), secret("my stored"))
EVENT = tournament("cribbage")
SEALED = tournament("nebraska:poker")
NEVER_AGAIN = Patience(total=0)


async def at_once(choose: Callable[[], Choice]) -> Choice:
    """Without a thread, so that nothing depends on the scheduler."""
    await trio.lowlevel.checkpoint()
    return choose()


def desk(
    bot: Bot | None = None,
    evidence: Path | None = None,
    patience: Patience = NEVER_AGAIN,
    journals: Journals | None = None,
) -> Desk:
    """A bot that leaves at the first loss of its connection, unless it has patience."""
    return Desk(
        identity=IDENTITY,
        bot=bot or load("random", bytes(32)),
        reports=Recorded(),
        journals=journals or MemoryJournals(),
        patience=patience,
        evidence=evidence,
        run_choice=at_once,
    )


T = TypeVar("T")


def run(main: Callable[[], Awaitable[T]]) -> T:
    return trio.run(main, clock=MockClock(autojump_threshold=0))


@asynccontextmanager
async def dial(
    nursery: trio.Nursery, serve: Callable[[Stream], Awaitable[None]]
) -> AsyncIterator[Remembering]:
    """A stream to whoever serves it in the nursery; dropped at the end of the block."""
    mine, theirs = remembering_pair()
    nursery.start_soon(serve, theirs)
    try:
        yield mine
    finally:
        mine.abort()


def play(desk: Desk, referee: OneSeatReferee, seat: int = 0, **fields: Any) -> MatchEnd:
    """A match over streams in memory, to the end that the bot sees."""

    async def main() -> MatchEnd:
        async with trio.open_nursery() as nursery:
            door = partial(dial, nursery, referee.serve)
            return await play_seat(door, ticket(referee.event, seat=seat, **fields), desk)

    return run(main)


def talk(desk: Desk, *frames: bytes, ends: str = "") -> MatchEnd:
    """A referee who sends just these frames, whatever it is told, and then ends or aborts.

    Nobody answers a second time.
    """
    dialled = 0

    @asynccontextmanager
    async def door() -> AsyncIterator[Stream]:
        nonlocal dialled
        dialled += 1
        if dialled > 1:
            raise Unavailable("nobody is there")
        mine, theirs = remembering_pair()
        for frame in frames:
            theirs.send(frame)
        if ends == "in order":
            await theirs.aclose()
        elif ends:
            theirs.abort(ends)
        yield mine

    return run(lambda: play_seat(door, ticket(EVENT), desk))


def recorded(desk: Desk) -> Recorded:
    assert isinstance(desk.reports, Recorded)
    return desk.reports
