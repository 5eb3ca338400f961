"""The steps of a match under way, each taken in the turn of whatever brings it about.

Two things move a match on: something has come, or what it wrote is on disk. Both are told by
callbacks, and to wake a task for each of them costs as much as a signature. So a step is a
generator, which goes on in those callbacks, and the match's own task is woken when all is over::

    item ─► step ─(yields records)─► disk ─(they are on it)─► step goes on ─► next item
"""

from collections.abc import Callable, Iterator, Sequence

import outcome
import trio

from aboveboard_referee.host.inbox import Inbox, Item
from aboveboard_referee.host.journal import Done

Step = Iterator[Sequence[bytes]]
"""What is to be done about one thing; it yields records that must be on disk to go on."""


class Turns:
    """One step after the other, never two at once; items wait in the inbox meanwhile."""

    def __init__(
        self,
        inbox: Inbox,
        step: Callable[[Item], Step],
        write: Callable[[Sequence[bytes], Done], None],
        ended: Callable[[], bool],
    ) -> None:
        """``step`` deals with an item; ``ended`` says between steps whether it was the last."""
        self._inbox = inbox
        self._begin = step
        self._write = write
        self._ended = ended
        self._step: Step | None = None
        self._busy = False  # in a step or waiting for the disk
        self._result: outcome.Maybe[None] | None = None
        self._task: trio.lowlevel.Task | None = None

    async def play(self) -> None:
        """Return after the last step, or raise what a step or a write has let out."""
        self._inbox.on_item = self._look
        try:
            self._look()
            if self._result is None:
                self._task = trio.lowlevel.current_task()
                await trio.lowlevel.wait_task_rescheduled(self._abandon)
            else:
                await trio.lowlevel.checkpoint()
                self._result.unwrap()
        finally:
            self._inbox.on_item = None

    def _look(self) -> None:
        """Something has come."""
        if not self._busy and self._result is None:
            self._go_on()

    def _go_on(self) -> None:
        """Take steps until one waits for the disk or nothing more is there to be dealt with."""
        self._busy = True
        try:
            while self._step is not None or not self._ended():
                if self._step is None:
                    if not self._inbox:
                        self._busy = False
                        return
                    self._step = self._begin(self._inbox.take_nowait())
                records = next(self._step, None)
                if records is not None:
                    self._write(records, self._on_disk)
                    return
                self._step = None
        except Exception as error:  # noqa: BLE001  # raised in the match's task
            self._finish(outcome.Error(error))
        else:
            self._finish(outcome.Value(None))

    def _on_disk(self, result: outcome.Maybe[None]) -> None:
        if self._result is not None:
            return
        if isinstance(result, outcome.Error):
            self._finish(result)
        else:
            self._go_on()

    def _finish(self, result: outcome.Maybe[None]) -> None:
        self._result = result
        if self._task is not None:
            trio.lowlevel.reschedule(self._task, result)
            self._task = None

    def _abandon(self, _: object) -> trio.lowlevel.Abort:
        self._task = None
        self._result = outcome.Value(None)  # whatever still comes moves nothing
        return trio.lowlevel.Abort.SUCCEEDED
