"""When the host loop's timer looks whether trio has waited long enough without work."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

from aboveboard_protos.bridge._ticks import LEAST, PATIENCE, Ticks

FAR = 1000.0
"""Seconds to a deadline that is of no interest."""


class Timer:
    def __init__(self, at: float) -> None:
        self.at = at
        self.cancelled = False

    def when(self) -> float:
        return self.at

    def cancel(self) -> None:
        self.cancelled = True


class Loop:
    """A loop whose clock stands still until it is set, and that notes its timers."""

    def __init__(self) -> None:
        self.now = 0.0
        self.delays: list[float] = []
        self.timers: list[Timer] = []
        self.soon: list[Callable[[], object]] = []

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, _: Callable[[], object]) -> Timer:
        self.delays.append(delay)
        self.timers.append(Timer(self.now + delay))
        return self.timers[-1]

    def call_soon(self, callback: Callable[[], object]) -> None:
        self.soon.append(callback)


def tick() -> None:
    """Stands for trio's next turn."""


def kept_since(moment: float, due: float = FAR) -> tuple[Loop, Any]:
    loop = Loop()
    ticks: Any = Ticks(cast(asyncio.AbstractEventLoop, loop))
    ticks._kept, ticks._kept_since, ticks._due = tick, moment, due
    return loop, ticks


def test_a_tick_that_is_kept_for_nearly_long_enough_starts_no_timer_of_no_length() -> None:
    loop, ticks = kept_since(0.0)
    loop.now = PATIENCE * 0.99
    ticks._look_at_the_clock()
    assert loop.delays == [LEAST]
    assert not loop.soon


def test_a_tick_that_is_kept_for_long_enough_goes_on_and_lets_trio_wait_itself() -> None:
    loop, ticks = kept_since(0.0)
    loop.now = PATIENCE
    ticks._look_at_the_clock()
    assert loop.soon == [tick]
    assert ticks._bored
    assert not loop.delays


def test_a_tick_whose_deadline_has_come_goes_on_and_trio_does_not_wait_itself() -> None:
    loop, ticks = kept_since(0.0, due=PATIENCE / 2)
    loop.now = PATIENCE / 2
    ticks._look_at_the_clock()
    assert loop.soon == [tick]
    assert not ticks._bored


def test_the_timer_goes_off_at_the_deadline_of_the_tick_that_is_kept() -> None:
    loop, ticks = kept_since(0.0, due=PATIENCE / 2)
    ticks._look_at_the_clock()
    assert loop.delays == [PATIENCE / 2]


def test_a_timer_that_is_early_enough_serves_another_tick_as_well() -> None:
    loop, ticks = kept_since(0.0)
    ticks._set_timer(PATIENCE)
    loop.now = PATIENCE / 2
    ticks._set_timer(PATIENCE)
    assert loop.delays == [PATIENCE]


def test_a_timer_that_is_too_late_for_a_tick_is_set_anew() -> None:
    loop, ticks = kept_since(0.0)
    ticks._set_timer(PATIENCE)
    ticks._set_timer(PATIENCE / 4)
    assert [timer.at for timer in loop.timers] == [PATIENCE, PATIENCE / 4]
    assert loop.timers[0].cancelled
