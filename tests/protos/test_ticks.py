"""When the host loop's timer looks whether trio has waited long enough without work."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

from aboveboard_protos.bridge._ticks import PATIENCE, Ticks


class Loop:
    """A loop whose clock stands still until it is set, and that notes its timers."""

    def __init__(self) -> None:
        self.now = 0.0
        self.delays: list[float] = []
        self.soon: list[Callable[[], object]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, _: Callable[[], object]) -> None:
        self.delays.append(delay)

    def call_soon(self, callback: Callable[[], object]) -> None:
        self.soon.append(callback)


def tick() -> None:
    """Stands for trio's next turn."""


def kept_since(moment: float) -> tuple[Loop, Any]:
    loop = Loop()
    ticks: Any = Ticks(cast(asyncio.AbstractEventLoop, loop))
    ticks._kept, ticks._kept_since = tick, moment
    return loop, ticks


def test_a_tick_that_is_kept_for_nearly_long_enough_starts_no_timer_of_no_length() -> None:
    loop, ticks = kept_since(0.0)
    loop.now = PATIENCE * 0.99
    ticks._look_at_the_clock()
    assert loop.delays == [PATIENCE]
    assert not loop.soon


def test_a_tick_that_is_kept_for_long_enough_goes_on_and_lets_trio_wait_itself() -> None:
    loop, ticks = kept_since(0.0)
    loop.now = PATIENCE
    ticks._look_at_the_clock()
    assert loop.soon == [tick]
    assert not loop.delays
