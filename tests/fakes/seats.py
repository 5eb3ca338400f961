"""A bot's seat of one match, played over a stream in memory on the mock clock."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import trio
from trio.testing import MockClock

from aboveboard_client.bot import Bot, load
from aboveboard_client.identity import Identity
from aboveboard_client.match_session import Choice, Desk, play_seat
from aboveboard_client.reports import MatchEnd
from tests.fakes.keys import key, secret
from tests.fakes.referees import OneSeatReferee, ticket, tournament
from tests.fakes.reporting import Recorded
from tests.fakes.streams import remembering_pair

IDENTITY = Identity("me", key("my entry"), secret("my stored"))
EVENT = tournament("cribbage")
SEALED = tournament("nebraska:poker")


async def at_once(choose: Callable[[], Choice]) -> Choice:
    """Without a thread, so that nothing depends on the scheduler."""
    await trio.lowlevel.checkpoint()
    return choose()


def desk(bot: Bot | None = None, evidence: Path | None = None) -> Desk:
    return Desk(
        identity=IDENTITY,
        bot=bot or load("random", bytes(32)),
        reports=Recorded(),
        new_key=lambda: key("my match key"),
        evidence=evidence,
        run_choice=at_once,
    )


T = TypeVar("T")


def run(main: Callable[[], Awaitable[T]]) -> T:
    return trio.run(main, clock=MockClock(autojump_threshold=0))


def play(desk: Desk, referee: OneSeatReferee, seat: int = 0, then_gone: bool = False) -> MatchEnd:
    """A match over a stream in memory. ``then_gone``: the bot leaves before its end."""

    async def main() -> MatchEnd:
        mine, theirs = remembering_pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(referee.serve, theirs)
            end = await play_seat(mine, ticket(referee.event, seat=seat), desk)
            if then_gone:
                nursery.cancel_scope.cancel()
        return end

    return run(main)


def talk(desk: Desk, *frames: bytes, ends: str = "") -> MatchEnd:
    """A referee who sends just these frames, whatever it is told, and then ends or aborts."""

    async def main() -> MatchEnd:
        mine, theirs = remembering_pair()
        for frame in frames:
            theirs.send(frame)
        if ends == "in order":
            await theirs.aclose()
        elif ends:
            theirs.abort(ends)
        return await play_seat(mine, ticket(EVENT), desk)

    return run(main)


def recorded(desk: Desk) -> Recorded:
    assert isinstance(desk.reports, Recorded)
    return desk.reports
