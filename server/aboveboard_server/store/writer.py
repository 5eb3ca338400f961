"""Group commit: many append, one thread commits, and each commit tells them together.

::

    append ─► waiting ─(end of the loop's turn)─► committing, in the thread ─► all told
              batch                                batch

There are never more than two batches: one fills while the other is on its way to the
disk. What comes within one turn of the loop goes together, and so does all that comes
while a commit runs and in the turn after it. A commit costs the same for one row and for
a hundred, so the fewer there are the better, and their number falls as the load rises.
All state but the batch in the thread's hands belongs to the trio thread; there is no lock.

The thread is a plain one: with ``trio.to_thread`` a CPU second was worth 131,000 appends
of 64 tasks and 5,000 of one, with this 160,000 and 7,300. To come back from a commit the
thread needs the interpreter's lock, so a task that keeps the loop from ever being idle
holds up every commit. Long computations belong in another process.
"""

import queue
import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import outcome
import trio

from aboveboard_protos import bridge
from aboveboard_server.store.database import Row, StoreError

ROWS_WAITING = 1000
"""With so many rows waiting for the next commit, further callers wait for room."""


Done = Callable[[outcome.Maybe[int]], object]
"""Gets what ``Writer.append`` returns or raises."""


COMMIT_BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""Seconds up to which commits are counted together; longer ones are the rest."""


@dataclass(slots=True)
class Commits:
    """How many commits took how long, and how many rows they had, for whoever watches a disk.

    ``counts`` has one number for each of ``COMMIT_BOUNDS``, and one for the rest.
    """

    counts: list[int] = field(default_factory=lambda: [0] * (len(COMMIT_BOUNDS) + 1))
    seconds: float = 0.0
    rows: int = 0

    def took(self, seconds: float, rows: int) -> None:
        self.counts[bisect_left(COMMIT_BOUNDS, seconds)] += 1
        self.seconds += seconds
        self.rows += rows


@dataclass(slots=True)
class _Batch:
    rows: int = 0
    values: list[str | bytes] = field(default_factory=list)  # topic, kind, body, topic, …
    # Who is to be told, with the number of rows in the batch up to its own last one.
    waiters: list[tuple[Done, int]] = field(default_factory=list)


class Writer:
    """Commits what tasks append. To be made, used and closed within one trio run."""

    def __init__(self, commit: Callable[[list[str | bytes]], int], last_id: int) -> None:
        """``commit`` runs in the thread and nowhere else.

        It gets topic, kind and body of every row in a flat list, commits all or nothing
        and returns the id of the last row; ids must be consecutive. Whatever it raises
        ends the writer, and its text is what callers are told. ``last_id`` is the id of
        the last row that is there already.
        """
        self.last_id = last_id
        self.commits = Commits()
        self._commit = commit
        self._refusal: str | None = None
        self._waiting = _Batch()
        self._committing = False
        self._room = trio.lowlevel.ParkingLot()
        self._ended = trio.Event()
        self._soon = bridge.soon()
        self._handed: queue.SimpleQueue[_Batch | None] = queue.SimpleQueue()
        # As a daemon it cannot hold up the exit of a process whose loop has died.
        threading.Thread(target=self._run, name="store writer", daemon=True).start()

    # An interrupt after its rows are taken would leave a task to be told that does not wait.
    @trio.lowlevel.enable_ki_protection
    async def append(self, rows: Sequence[Row]) -> int:
        """Return once the rows are on disk, in order and together; the last one's id.

        A caller cancelled before there is room has written nothing. One cancelled later
        is released at once, and its rows are written all the same. Raises StoreError if
        they could not be, as does every append thereafter; rows whose append failed may
        still turn up when the file is opened again, but all of them or none.
        """
        if not rows:
            await trio.lowlevel.checkpoint()
            return self.last_id
        await trio.lowlevel.checkpoint_if_cancelled()
        while self._refusal is None and self._waiting.rows >= ROWS_WAITING:
            await self._room.park()
        withdraw = self.begin(rows, partial(trio.lowlevel.reschedule, trio.lowlevel.current_task()))

        def abort(_: object) -> trio.lowlevel.Abort:
            withdraw()
            return trio.lowlevel.Abort.SUCCEEDED

        last: int = await trio.lowlevel.wait_task_rescheduled(abort)
        return last

    # An interrupt between two of its lines would leave half an append in the batch.
    @trio.lowlevel.enable_ki_protection
    def begin(self, rows: Sequence[Row], done: Done) -> Callable[[], None]:
        """Append without waiting: ``done`` gets the outcome, in the trio thread and later.

        It must not raise. Rows are taken however many wait already, so whoever calls this
        bounds itself. Returns what withdraws ``done``, but not the rows. Raises StoreError
        where ``append`` does so at once.
        """
        if self._refusal is not None:
            raise StoreError(self._refusal)
        batch = self._waiting
        if not batch.rows and not self._committing:
            self._soon(self._hand_over)
        for row in rows:
            batch.values.extend(row)
        batch.rows += len(rows)
        waiter = (done, batch.rows)
        batch.waiters.append(waiter)
        return lambda: batch.waiters.remove(waiter)

    async def close(self) -> None:
        """Commit what is waiting and end the thread; not to be hurried by cancellation."""
        if self._refusal is None:
            self._refusal = "the store is closed"
        self._room.unpark_all()
        if self._waiting.rows:
            self._handed.put(self._waiting)
            self._waiting = _Batch()
        self._handed.put(None)
        with trio.CancelScope(shield=True):
            await self._ended.wait()

    def _hand_over(self) -> None:
        if self._waiting.rows and not self._committing:
            self._committing = True
            self._handed.put(self._waiting)
            self._waiting = _Batch()
            self._room.unpark_all()

    def _committed(self, batch: _Batch, result: outcome.Maybe[int]) -> None:
        self._committing = False
        match result:
            case outcome.Value(last_id):
                before = last_id - batch.rows
                self.last_id = last_id
                for done, rows in batch.waiters:
                    done(outcome.Value(before + rows))
                if self._waiting.rows:
                    # After the turn, so that what is ready to be taken in it comes along.
                    self._soon(self._hand_over)
            case outcome.Error(error):
                self._refusal = str(error)
                for done, _ in [*batch.waiters, *self._waiting.waiters]:
                    refused = StoreError(self._refusal)
                    refused.__cause__ = error
                    done(outcome.Error(refused))
                self._waiting = _Batch()
                self._room.unpark_all()

    def _run(self) -> None:
        failed: outcome.Error | None = None
        with suppress(trio.RunFinishedError):  # nobody is left to be told
            while (batch := self._handed.get()) is not None:
                began = time.perf_counter()
                result = failed or outcome.capture(self._commit, batch.values)
                self.commits.took(time.perf_counter() - began, batch.rows)
                if isinstance(result, outcome.Error):
                    failed = result
                self._soon(self._committed, batch, result)
            self._soon(self._ended.set)
