"""When trio gets its turns on the host loop, mostly without a thread in between.

Trio's guest mode waits for trio's own files and deadlines in a thread, which has to be
woken, and then has to wake the loop, once for every batch of messages. Here the loop
watches trio's epoll file and its next deadline itself, and keeps trio's next tick back until
there is something to do: a pause without work costs half of what the thread makes of it. When
nothing was to do for a while, trio goes to its thread as usual. An earlier deadline that is
set by a callback of the loop's, and not by a trio task, is seen no later than then.

That takes two attributes of trio's that are not public: its epoll file, and what a tick
found there. Where they are not as expected, guest mode is left as it is, only slower.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import outcome
import trio

PATIENCE = 0.02
"""Seconds without anything to do after which trio waits in its thread.

Longer than a busy server pauses; short for a task that waits for all others to be blocked,
which trio judges only while it waits itself.
"""

LEAST = 0.001
"""Seconds that a timer takes at least: the loop's count milliseconds, and less would be none."""


class Ticks(trio.abc.Clock, trio.abc.Instrument):
    """Trio's clock, its observer, and the place where its next tick is kept.

    The clock is asked at the end of every tick that leaves no task to run. It then says
    that no time is left, so that trio asks for its next tick at once, and the tick is kept
    until a task is scheduled, a file of trio's is ready, its deadline has come, or patience
    is at its end.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._idle = False
        self._bored = False
        self._kept: Callable[[], object] | None = None
        self._kept_since = 0.0
        self._sleep = 0.0  # seconds that trio would wait, as it last said
        self._due = 0.0  # when the tick that is kept has to come at the latest
        self._timer: asyncio.TimerHandle | None = None
        self._epoll = -1
        self._watched = False
        self._usable = True

    def start_clock(self) -> None:
        pass

    def current_time(self) -> float:
        return time.perf_counter()

    def deadline_to_sleep_time(self, deadline: float) -> float:
        sleep = deadline - time.perf_counter()
        if self._bored or sleep <= 0 or not self._usable:
            self._bored = False
            self._watch(False)  # the thread does it now
            return sleep
        self._idle = True
        self._sleep = sleep
        return 0.0

    def soon(self, tick: Callable[[], object]) -> None:
        """Trio wants its next tick: at once if it has something to do, else when it has."""
        idle, self._idle = self._idle, False
        if idle and self._found_nothing(tick):
            self._kept = tick
            self._kept_since = self._loop.time()
            self._due = self._kept_since + self._sleep
            self._watch(True)
            self._set_timer(min(self._sleep, PATIENCE))
        else:
            self._loop.call_soon(tick)

    def task_scheduled(self, task: trio.lowlevel.Task) -> None:
        if self._kept is not None:
            self._release()

    def stop(self) -> None:
        """Leave guest mode to itself; its files may be closed from now on."""
        self._usable = False
        self._watch(False)
        self._release()
        if self._timer is not None:
            self._timer.cancel()

    def _release(self) -> None:
        if self._kept is not None:
            self._loop.call_soon(self._kept)
            self._kept = None

    def _set_timer(self, delay: float) -> None:
        """One timer serves many ticks: it is set anew only when it has gone off or is too late."""
        delay = max(delay, LEAST)
        if self._timer is not None:
            if self._timer.when() <= self._loop.time() + delay:
                return
            self._timer.cancel()
        self._timer = self._loop.call_later(delay, self._look_at_the_clock)

    def _look_at_the_clock(self) -> None:
        self._timer = None
        if self._kept is None:
            return
        now = self._loop.time()
        patience = self._kept_since + PATIENCE - now
        if now >= self._due:
            self._release()
        elif patience > 0:
            self._set_timer(min(self._due - now, patience))
        else:
            self._bored = True
            self._release()

    def _found_nothing(self, tick: Callable[[], object]) -> bool:
        """Whether the tick that just ended saw no file of trio's that is ready."""
        try:
            self._epoll, found = look_inside(tick)
        except AttributeError:
            self._usable = False
            return False
        return isinstance(found, outcome.Value) and not found.value

    def _watch(self, wanted: bool) -> None:
        if wanted and not self._watched:
            self._loop.add_reader(self._epoll, self._release)
        elif self._watched and not wanted:
            self._loop.remove_reader(self._epoll)
        self._watched = wanted


def look_inside(tick: Any) -> tuple[int, object]:
    """The number of trio's epoll file, and the outcome of the last look at it.

    Raises ``AttributeError`` if this trio is not built as expected, or has no such file.
    """
    guest = tick.__self__
    return guest.runner.io_manager._epoll.fileno(), guest.unrolled_run_next_send
