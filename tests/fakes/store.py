"""A store in memory, for tests on trio's mock clock and for everything that needs no disk."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import outcome
import trio

from aboveboard_server.store.store import Row, Stored, StoreError, open_store
from aboveboard_server.store.writer import Commits, Done


class MemoryStore:
    """Keeps the promises of ``EventStore``, but for surviving the process.

    To look at it after a restart, hand the same one to the next server. ``breaks_with``
    set to a line makes it refuse like a full disk.
    """

    def __init__(self) -> None:
        self.breaks_with: str | None = None
        self.commits = Commits()  # none: there is no disk
        self._stored: list[Stored] = []

    @property
    def last_id(self) -> int:
        return len(self._stored)

    async def append(self, rows: Sequence[Row]) -> int:
        await trio.lowlevel.checkpoint()
        if self.breaks_with is not None:
            raise StoreError(self.breaks_with)
        for row in rows:
            self.put(*row)
        return self.last_id

    def begin(self, rows: Sequence[Row], done: Done) -> None:
        async def append() -> None:
            done(await outcome.acapture(self.append, rows))

        trio.lowlevel.spawn_system_task(append)

    def put(self, topic: str, kind: str, body: bytes) -> None:
        """Have an event there, as if it had been appended earlier."""
        self._stored.append(Stored(self.last_id + 1, topic, kind, body))

    def events(self, topic_prefix: str = "") -> Iterator[Stored]:
        return (stored for stored in tuple(self._stored) if stored.topic.startswith(topic_prefix))


def stored_in(path: Path) -> list[Stored]:
    """What a server finds that opens the file."""

    async def main() -> list[Stored]:
        async with open_store(path) as store:
            return list(store.events())

    return trio.run(main)
