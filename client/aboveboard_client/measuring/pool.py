"""The same work over many items, in several processes, with results in the items' order.

The order, and which errors come out, do not depend on the number of processes.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.measuring import forked

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 3
"""Items a process that may be begun before the first one's result has been taken."""

PATIENCE_S = 2.0
"""How long a process has to end once it is told to, before it is ended."""


def own_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], processes: int
) -> Generator[Result, None, None]:
    """``work`` of each item, in order; ``work`` is a function of a module's.

    What it raises is raised here when its item's turn comes; it may be any exception that
    can be pickled. However this ends, all processes end with it. Raises ``OutsideFailure``
    if one dies.
    """
    if processes < 2:
        yield from map(work, items)
        return
    with _Workers(work, processes) as workers:
        yield from workers.run(iter(items))


@dataclass(frozen=True)
class _Raised:
    error: Exception


@dataclass
class _Worker:
    pipe: "Connection[Any, Any]"
    process: BaseProcess
    number: int | None = None  # of the item that it has


class _Workers(Generic[Item, Result]):
    def __init__(self, work: Callable[[Item], Result], processes: int) -> None:
        self._workers = [self._start(work) for _ in range(processes)]
        self._done: dict[int, Result | _Raised] = {}

    def _start(self, work: Callable[[Item], Result]) -> _Worker:
        ours, theirs = forked.CONTEXT.Pipe()
        process = forked.begin(_serve, theirs, work)
        theirs.close()
        return _Worker(ours, process)

    def __enter__(self) -> "_Workers[Item, Result]":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            for worker in self._workers:
                worker.pipe.close()
                worker.process.terminate()
            for worker in self._workers:
                worker.process.join(PATIENCE_S)
        finally:  # a second Ctrl-C included: nobody else would end them
            for worker in self._workers:
                worker.process.kill()
                worker.process.join()

    def run(self, items: Iterator[Item]) -> Iterator[Result]:
        waiting: deque[int] = deque()  # numbers of items that were begun, in order
        begun = 0
        while True:
            for worker in self._workers:
                if worker.number is None and len(waiting) < AHEAD * len(self._workers):
                    try:
                        item = next(items)
                    except StopIteration:
                        break
                    self._hand(worker, begun, item)
                    waiting.append(begun)
                    begun += 1
            if not waiting:
                return
            while waiting and waiting[0] in self._done:
                result = self._done.pop(waiting.popleft())
                if isinstance(result, _Raised):
                    raise result.error
                yield result
            if any(worker.number is not None for worker in self._workers):
                self._collect()

    def _hand(self, worker: _Worker, number: int, item: Item) -> None:
        try:
            worker.pipe.send(item)
        except BrokenPipeError:
            raise self._died(worker) from None
        worker.number = number

    def _collect(self) -> None:
        """At least one result that is under way."""
        busy = {worker.pipe: worker for worker in self._workers if worker.number is not None}
        for pipe in wait(list(busy)):
            worker = busy[pipe]  # type: ignore[index]  # wait gives back what it was given
            try:
                result = worker.pipe.recv()
            except (EOFError, ConnectionResetError):
                raise self._died(worker) from None
            assert worker.number is not None
            self._done[worker.number], worker.number = result, None

    def _died(self, worker: _Worker) -> OutsideFailure:
        worker.process.join(PATIENCE_S)
        return OutsideFailure(
            f"a process that shares the work ended with code {worker.process.exitcode}, "
            "for want of memory?"
        )


def _serve(pipe: "Connection[Any, Any]", work: Callable[[Any], Any]) -> None:
    forked.ignore_interrupts()
    # Told to end, it leaves by way of its contexts, which end what they began.
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
    forked.answer_all(pipe, partial(_done, work))


def _done(work: Callable[[Any], Any], item: Any) -> Any:
    try:
        return work(item)
    except Exception as error:  # noqa: BLE001  # it is the caller's, and goes to it
        return _Raised(error)
