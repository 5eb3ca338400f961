"""Stores in memory that remember what was, are slow, or fail."""

from collections.abc import Iterable, Sequence

import trio

from aboveboard_server.store.store import Row, Stored
from tests.fakes.store import MemoryStore


class Snapshots(MemoryStore):
    """Remembers where each append ended, and can be gone back to every one of them."""

    def __init__(self, stored: Iterable[Stored] = ()) -> None:
        super().__init__()
        self._stored.extend(stored)
        self.marks: list[int] = [self.last_id]

    async def append(self, rows: Sequence[Row]) -> int:
        last = await super().append(rows)
        self.marks.append(last)
        return last

    def until(self, mark: int) -> "Snapshots":
        """A store with the events up to this one."""
        return Snapshots(self._stored[:mark])


class Slow(Snapshots):
    """Takes a second for each append."""

    async def append(self, rows: Sequence[Row]) -> int:
        await trio.sleep(1)
        return await super().append(rows)


class DiskFull(Snapshots):
    """Takes so many appends and refuses all further ones."""

    def __init__(self, appends: int, stored: Iterable[Stored] = ()) -> None:
        super().__init__(stored)
        self.left = appends

    async def append(self, rows: Sequence[Row]) -> int:
        if self.left == 0:
            self.breaks_with = "the disk is full"
        self.left -= 1
        return await super().append(rows)
