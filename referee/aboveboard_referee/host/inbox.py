"""What has come in for one match, in order of arrival."""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import trio

from aboveboard_referee.host.connection import Connection


class Joined(NamedTuple):
    """A bot proved its match key, or has come back with it."""

    connection: Connection
    at: float


class Came(NamedTuple):
    """Bytes from a seat's bot; ``at`` is trio's time of arrival."""

    connection: Connection
    data: bytes
    at: float


class Gone(NamedTuple):
    """A connection has ended."""

    connection: Connection
    at: float


class Due(NamedTuple):
    """The time that the match waits for at most has come."""

    at: float


Item = Joined | Came | Gone | Due


class Inbox:
    """Anybody may put, one task takes. Putting never waits, so readers bound themselves.

    A task that waits by itself instead of on a memory channel: one wake-up for all that
    has gathered.
    """

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._taker: trio.lowlevel.Task | None = None
        self.on_item: Callable[[], None] | None = None  # told of each, in place of the taker

    def __len__(self) -> int:
        return len(self._items)

    def put(self, item: Item) -> None:
        self._items.append(item)
        if self.on_item is not None:
            self.on_item()
        elif self._taker is not None:
            taker, self._taker = self._taker, None
            trio.lowlevel.reschedule(taker)

    async def take(self) -> Item:
        """The oldest item; waits for one."""
        while not self._items:
            self._taker = trio.lowlevel.current_task()
            await trio.lowlevel.wait_task_rescheduled(self._abandon)
        return self._items.popleft()

    def take_nowait(self) -> Item:
        """The oldest item, which is there."""
        return self._items.popleft()

    def drain(self) -> list[Item]:
        """All that nobody will take any more."""
        items, self._items = list(self._items), deque()
        return items

    def _abandon(self, _: object) -> trio.lowlevel.Abort:
        self._taker = None
        return trio.lowlevel.Abort.SUCCEEDED
