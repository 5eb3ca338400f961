"""A bot whose ``choose`` is ``async``, asked like any other."""

import inspect
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import trio

from aboveboard_referee.match.player import Turn

_OTHER_LOOP = "no running event loop"  # what everything of asyncio's raises here

AsyncChoose = Callable[[Turn], Awaitable[object]]


def is_async(choose: object) -> bool:
    """Whether calling it gives something to be awaited."""
    return inspect.iscoroutinefunction(choose)


class TooSlow(TimeoutError):
    """The clock ran out while the bot awaited something."""


class Awaited:
    """Makes ``async def choose`` a plain ``choose``, for use from any thread.

    All its turns are awaited in one trio event loop, in a thread of its own that is begun
    with the first turn and ends with the process. So what the bot keeps, such as a
    connection, serves it from turn to turn, and a bot that computes without awaiting holds
    up nothing but itself. When the clock runs out the choice is cancelled: ``TooSlow``.
    """

    def __init__(self, games: tuple[str, ...], choose: AsyncChoose) -> None:
        self.games = games
        self._choose = choose
        self._token: trio.lowlevel.TrioToken | None = None
        self._starting = threading.Lock()

    def choose(self, turn: Turn) -> object:
        answer = trio.from_thread.run(self._ask, turn, trio_token=self._loop())
        if answer.error is not None:
            raise answer.error
        return answer.move

    async def _ask(self, turn: Turn) -> "_Answer":
        # What the bot raises comes back as a value: here it would end everybody's loop.
        try:
            with trio.move_on_after(turn.left_us / 1e6) as scope:
                return _Answer(await self._choose(turn))
        except (Exception, SystemExit) as error:  # noqa: BLE001  # a stranger's code
            if str(error) == _OTHER_LOOP:
                error.add_note("(a bot is awaited by trio, not by asyncio: trio.sleep and so on)")
            return _Answer(error=error)
        assert scope.cancelled_caught
        return _Answer(error=TooSlow(f"no move within {turn.left_us / 1e6:g} s"))

    def _loop(self) -> trio.lowlevel.TrioToken:
        with self._starting:
            if self._token is None:
                begun = threading.Event()
                threading.Thread(
                    target=partial(trio.run, self._serve, begun), name="async bot", daemon=True
                ).start()
                begun.wait()
            assert self._token is not None
            return self._token

    async def _serve(self, begun: threading.Event) -> None:
        self._token = trio.lowlevel.current_trio_token()
        begun.set()
        await trio.sleep_forever()


@dataclass(frozen=True)
class _Answer:
    move: Any = None
    error: BaseException | None = None
