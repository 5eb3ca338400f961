"""Run trio as a guest of an asyncio loop, and let neither end without the other."""

import asyncio
import contextlib
import gc
import signal
import threading
import traceback
from collections.abc import Awaitable, Callable, Collection, Iterator
from typing import Generic, TypeVar

import outcome
import trio

from ._completions import fetch_at_once
from ._host import Host, enter_host
from ._ticks import Ticks
from .errors import Interrupted

T = TypeVar("T")

RUBBISH = 20_000
"""Objects more than were freed, at which Python looks for cycles among the young ones."""

STOPPING_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def run(
    main: Callable[[], Awaitable[T]], *, on_signal: Collection[signal.Signals] = STOPPING_SIGNALS
) -> T:
    """Run an async trio function to its end; the others of this package work inside it.

    Returns its result or raises its exception. The first signal of ``on_signal`` cancels it,
    and if that ended it, ``Interrupted`` is raised when all its ``finally`` blocks have run;
    a second one ends the process at once, as that signal does to a program that does not
    look at it. SIGINT without being named there comes as ``KeyboardInterrupt``, in the same
    orderly way. In other threads than the main one no
    signal is looked at.

    uvloop carries it if it is installed, else asyncio's own loop.
    """
    loop = _new_loop()
    fetch_at_once(loop)
    try:
        guest = _Guest(loop, main)
        with _signals(loop, on_signal, guest.cancel), _rare_collections():
            result = guest.run_to_its_end()
        _cancel_what_is_left(loop)
        # grpc's objects unhook themselves from the loop when they are freed. Where a hook is
        # left in a dead loop the next run cannot begin, and the interpreter ends with a
        # complaint. So they are freed here, also those that the way of an error still holds.
        if isinstance(result, outcome.Error):
            _forget_locals(result.error)
        gc.collect()
    finally:
        loop.close()
    return result.unwrap()


class _Guest(Generic[T]):
    """A trio run that has the loop for a host, in the same thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop, main: Callable[[], Awaitable[T]]) -> None:
        self._loop = loop
        self._main = main
        self._ticks = Ticks(loop)
        self._scope = trio.CancelScope()
        self._reason: BaseException | None = None
        self._outcome: outcome.Outcome[T] | None = None

    def run_to_its_end(self) -> outcome.Outcome[T]:
        """Turn the loop until trio has finished, whatever happens to the loop meanwhile.

        A loop that ended first would take the guest along silently, without its ``finally``
        blocks. So a loop that stops early cancels the main task and is turned on.
        """
        self._start()
        while self._outcome is None:
            try:
                self._loop.run_forever()
            except BaseException as error:  # noqa: BLE001  # raised again out of the main task
                self.cancel(error)
            else:
                if self._outcome is None:
                    self.cancel(RuntimeError("something stopped the host loop"))
        return self._outcome

    def cancel(self, reason: BaseException) -> None:
        """Cancel the main task; ``reason`` is raised if that ended it. The first counts."""
        if self._reason is None:
            self._reason = reason
            self._scope.cancel()

    def _start(self) -> None:
        trio.lowlevel.start_guest_run(
            self._run_main,
            run_sync_soon_threadsafe=self._loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=self._ticks.soon,
            done_callback=self._done,
            host_uses_signal_set_wakeup_fd=True,
            clock=self._ticks,
            instruments=[self._ticks],
        )

    async def _run_main(self) -> T:
        enter_host(Host(self._loop))
        try:
            with self._scope:
                return await self._main()
        finally:
            self._ticks.stop()
        assert self._reason is not None, "nothing else cancels this scope"
        raise self._reason

    def _done(self, result: outcome.Outcome[T]) -> None:
        self._outcome = result
        self._loop.stop()


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop


@contextlib.contextmanager
def _signals(
    loop: asyncio.AbstractEventLoop,
    on_signal: Collection[signal.Signals],
    cancel: Callable[[BaseException], None],
) -> Iterator[None]:
    """Let signals cancel the main task while the loop runs, and restore their handlers."""
    reasons: dict[signal.Signals, BaseException] = {}
    if threading.current_thread() is threading.main_thread():
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            reasons[signal.SIGINT] = KeyboardInterrupt()
        reasons |= {number: Interrupted(number) for number in on_signal}
    before = {number: signal.getsignal(number) for number in reasons}

    def stop(reason: BaseException) -> None:
        for number in reasons:
            loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)
        cancel(reason)

    for number, reason in reasons.items():
        loop.add_signal_handler(number, stop, reason)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            if handler is not None:  # else it was not Python that installed it
                signal.signal(number, handler)


@contextlib.contextmanager
def _rare_collections() -> Iterator[None]:
    """Let rubbish gather for longer than Python does, unless somebody set it still higher.

    What a stream's message leaves behind is nearly all freed by counting references, and
    looking through it for cycles after every few messages finds none.
    """
    young, *older = gc.get_threshold()
    gc.set_threshold(young and max(young, RUBBISH), *older)
    try:
        yield
    finally:
        gc.set_threshold(young, *older)


def _forget_locals(error: BaseException) -> None:
    """Free what the functions held that an error came through, and those that led to it.

    Their lines stay in the traceback.
    """
    seen: set[int] = set()
    left: list[BaseException | None] = [error]
    while left:
        each = left.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        traceback.clear_frames(each.__traceback__)
        left += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            left += each.exceptions


def _cancel_what_is_left(loop: asyncio.AbstractEventLoop) -> None:
    """grpc's own tasks, such as those of calls that a peer never ended."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.run_until_complete(loop.shutdown_asyncgens())
