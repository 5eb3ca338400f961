"""A public log by itself, with its store and whatever it has shown."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.log.checkpoint import Checkpoint, open_checkpoint
from aboveboard_server.log.public_log import (
    Cosign,
    Missing,
    PublicLog,
    none_missing,
    unwitnessed,
)
from aboveboard_server.store.book import CHECKPOINT, Book
from aboveboard_server.store.book import LOG as LOG_TOPIC
from tests.fakes.entrants import Entrant, signed
from tests.fakes.hosting import run
from tests.fakes.referees import LOG, ORGANISER, manifest
from tests.fakes.snapshots import Snapshots
from tests.fakes.store import MemoryStore

T = TypeVar("T")

MANIFEST = signed("tournament-manifest", manifest("cribbage"), ORGANISER)
TOURNAMENT = tournament_id(parse_signed(MANIFEST).body)
GREETING = wire.Greeting(manifest=MANIFEST)


def entry(number: int) -> bytes:
    return Entrant(number).entry(GREETING)


class Kept:
    """A log with its store, and whatever it has shown."""

    def __init__(
        self,
        store: MemoryStore | None = None,
        cosign: Cosign = unwitnessed,
        missing: Missing = none_missing,
    ) -> None:
        self.store = store or Snapshots()
        if self.store.last_id == 0:
            self.store.put(LOG_TOPIC, "tournament-manifest", MANIFEST)
        self.book = Book().apply_all(self.store.events())
        self.log = PublicLog(self.book, self.store, LOG, cosign, missing)
        self.shown: list[tuple[int, bytes]] = []
        self.log.on_shown = lambda: self.shown.append((self.log.size, self.log.note))

    @property
    def leaves(self) -> list[bytes]:
        return [event.body for event in self.store.events(LOG_TOPIC)]

    @property
    def notes(self) -> list[bytes]:
        return [event.body for event in self.store.events(CHECKPOINT)]

    def checkpoint(self, note: bytes) -> Checkpoint:
        return open_checkpoint(note, self.log.origin, LOG.public)

    def running(self, main: Callable[[], Awaitable[T]]) -> T:
        """Run while the log makes its checkpoints."""

        async def both() -> T:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.log.run)
                result = await main()
                nursery.cancel_scope.cancel()
            return result

        return run(both)
