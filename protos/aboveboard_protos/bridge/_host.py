"""The asyncio loop as trio tasks see it: start something on it, wait for something on it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import outcome
import trio

T = TypeVar("T")


class Host:
    """The loop that this trio run is a guest of.

    Both run in one thread and take turns, so calls either way need no lock. Loop callbacks
    may reschedule trio tasks and cancel scopes directly: trio books a tick of its own then,
    one for all that happens until it comes.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._jobs: set[asyncio.Task[Any]] = set()

    def spawn(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Start something on the loop in its next turn, after trio's present one."""
        job = self.loop.create_task(coroutine)
        self._jobs.add(job)  # the loop itself holds its tasks weakly
        job.add_done_callback(self._jobs.discard)
        return job

    async def wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run something on the loop and wait for it as a trio task.

        A trio cancel becomes an asyncio cancel, and what comes of that is awaited.
        """
        task = trio.lowlevel.current_task()
        job = self.spawn(coroutine)
        cancelled: trio.lowlevel.RaiseCancelT | None = None

        def done(_: object) -> None:
            if job.cancelled() and cancelled is not None:
                result: outcome.Outcome[T] = outcome.capture(cancelled)
            elif job.cancelled():
                result = outcome.Error(RuntimeError("the host loop dropped what was waited for"))
            else:
                result = outcome.capture(job.result)
            trio.lowlevel.reschedule(task, result)

        def abort(raise_cancel: trio.lowlevel.RaiseCancelT) -> trio.lowlevel.Abort:
            nonlocal cancelled
            cancelled = raise_cancel
            job.cancel()
            return trio.lowlevel.Abort.FAILED

        job.add_done_callback(done)
        result: T = await trio.lowlevel.wait_task_rescheduled(abort)
        return result


_HOST: trio.lowlevel.RunVar[Host] = trio.lowlevel.RunVar("host")


def enter_host(host: Host) -> None:
    """Make it this trio run's host."""
    _HOST.set(host)


def current_host() -> Host:
    """The host of this trio run; raises ``RuntimeError`` where `run` did not start it."""
    try:
        return _HOST.get()
    except LookupError:
        raise RuntimeError(
            "gRPC needs a main task started by aboveboard_protos.bridge.run"
        ) from None


def soon() -> Callable[..., object]:
    """What ``trio.lowlevel.TrioToken.run_sync_soon`` is, for this trio run.

    ``soon()(function, *args)``, from any thread, has the function called in the run's own
    one. On a host loop that is one callback; trio alone goes through a socket and a task of
    its own, which costs ten times as much. Raises ``trio.RunFinishedError`` if the run has
    ended. The function must not raise.
    """
    try:
        loop = _HOST.get().loop
    except LookupError:
        return trio.lowlevel.current_trio_token().run_sync_soon

    def call(function: Callable[..., object], *args: object) -> None:
        try:
            loop.call_soon_threadsafe(function, *args)
        except RuntimeError:  # the loop is closed
            raise trio.RunFinishedError from None

    return call
