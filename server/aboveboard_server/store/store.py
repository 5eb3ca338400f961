"""All that a server must remember: one append-only table of events, in one file.

Everything else - entries, rounds, matches, transcripts - is folded from the events, so
there is one truth and nothing that could contradict it. An event has a topic, which says
whose it is, a kind and a body; what they mean is their writers' affair.
"""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

import trio

from aboveboard_server.store.database import (
    Database,
    Row,
    StoreBusy,
    Stored,
    StoreError,
    StoreVersion,
    read_events,
)
from aboveboard_server.store.writer import Commits, Done, Writer

__all__ = [
    "EventStore",
    "Row",
    "Store",
    "StoreBusy",
    "StoreError",
    "StoreVersion",
    "Stored",
    "open_store",
]


class EventStore(Protocol):
    """What the server needs of a store; ``Store`` is the one on disk."""

    @property
    def last_id(self) -> int:
        """The id of the last event that is on disk; 0 if there is none."""
        ...

    @property
    def commits(self) -> Commits:
        """How long commits took so far."""
        ...

    async def append(self, rows: Sequence[Row]) -> int:
        """Return once the rows are on disk, in order and together; the last one's id.

        A caller that is cancelled meanwhile leaves either all of its rows to be written
        or none. Raises StoreError when they could not be, and for every append since.
        """
        ...

    def begin(self, rows: Sequence[Row], done: Done) -> object:
        """Append without waiting: ``done`` gets the outcome in the trio thread, later.

        It must not raise. Raises StoreError where the store is closed or broken already.
        """
        ...

    def events(self, topic_prefix: str = "") -> Iterator[Stored]:
        """The events whose topic starts so, in order, as of when the first one is read.

        Blocks the calling thread: meant for the start, when everything is folded.
        Raises StoreError.
        """
        ...


class Store:
    """The events in a file, from ``open_store``."""

    def __init__(self, path: Path, writer: Writer) -> None:
        self._path = path
        self._writer = writer

    @property
    def last_id(self) -> int:
        return self._writer.last_id

    @property
    def commits(self) -> Commits:
        return self._writer.commits

    async def append(self, rows: Sequence[Row]) -> int:
        """As ``Writer.append``, which says what a cancelled or failed one leaves behind."""
        return await self._writer.append(rows)

    def begin(self, rows: Sequence[Row], done: Done) -> object:
        return self._writer.begin(rows, done)

    def events(self, topic_prefix: str = "") -> Iterator[Stored]:
        return read_events(self._path, topic_prefix)


@asynccontextmanager
async def open_store(path: Path) -> AsyncIterator[Store]:
    """A file's store for as long as the block lasts; a missing or empty file is made one.

    What still waits at the block's end is committed, however the block ends.

    A commit happens in a thread, which trio's ``MockClock`` does not see: with autojump
    the clock leaps to the next deadline while one runs. Tests that need that clock take
    ``tests.fakes.store.MemoryStore``.

    Raises StoreBusy, StoreVersion, and StoreError for whatever else is in the way.
    """
    database = await trio.to_thread.run_sync(Database, path)
    try:
        writer = Writer(database.insert, database.last_id())
        try:
            yield Store(database.path, writer)
        finally:
            await writer.close()
    finally:
        with trio.CancelScope(shield=True):  # closing copies the log into the file
            await trio.to_thread.run_sync(database.close)
