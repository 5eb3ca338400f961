"""What has come in for one match, in order of arrival."""

from collections import deque
from dataclasses import dataclass

import trio

from aboveboard_referee.host.connection import Connection


@dataclass(frozen=True, slots=True)
class Joined:
    """A bot proved its match key, or has come back with it."""

    connection: Connection
    at: float


@dataclass(frozen=True, slots=True)
class Came:
    """Bytes from a seat's bot; ``at`` is trio's time of arrival."""

    connection: Connection
    data: bytes
    at: float


@dataclass(frozen=True, slots=True)
class Gone:
    """A connection has ended."""

    connection: Connection
    at: float


@dataclass(frozen=True, slots=True)
class Due:
    """The time that the match waits for at most has come."""

    at: float


Item = Joined | Came | Gone | Due


class Inbox:
    """Any task may put, one task takes. Putting never waits, so readers bound themselves.

    A parked task instead of a memory channel: one wake-up for all that has gathered.
    """

    def __init__(self) -> None:
        self._items: deque[Item] = deque()
        self._lot = trio.lowlevel.ParkingLot()

    def put(self, item: Item) -> None:
        self._items.append(item)
        if self._lot:
            self._lot.unpark()

    async def take(self) -> Item:
        """The oldest item; waits for one."""
        while not self._items:
            await self._lot.park()
        return self._items.popleft()
