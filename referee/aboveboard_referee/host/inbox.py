"""What has come in for one match, in order of arrival."""

from collections import deque
from dataclasses import dataclass

import trio

from aboveboard_protos.bridge import Stream
from aboveboard_referee.games.contract import Seat


@dataclass(frozen=True, slots=True)
class Joined:
    """A bot proved its match ``key``; ``certificate`` is the exact Signed for it."""

    seat: Seat
    stream: Stream
    certificate: bytes
    key: bytes


@dataclass(frozen=True, slots=True)
class Came:
    """Bytes from a seat's bot; ``at`` is trio's time of arrival."""

    seat: Seat
    stream: Stream
    data: bytes
    at: float


@dataclass(frozen=True, slots=True)
class Gone:
    """A seat's connection has ended."""

    seat: Seat
    stream: Stream
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
