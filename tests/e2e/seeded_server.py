"""A real server whose clock stands still and whose randomness is from a seed.

    seeded_server.py FILE.toml SEED [KIND NUMBER]

With a kind of stored event, as ``tests.fakes.outcomes.kind_of`` calls it, or ``checkpoint``,
or a ruling with one effect, such as ``ruling paused``, the process kills itself as soon as so
many of that kind have come to the disk in its time, and before anybody hears of the last
one. A match's opening and its close, which are stored both as a record and as a leaf of the
log, count once.
"""

import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import outcome
import trio

from aboveboard_client.errors import AboveboardError
from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_server.config import load_config
from aboveboard_server.progress import PlainProgress
from aboveboard_server.service import serve
from aboveboard_server.store.book import CHECKPOINT, LOG
from aboveboard_server.store.store import EventStore, Row, Stored, open_store
from aboveboard_server.store.writer import Done
from tests.fakes.keys import secret
from tests.fakes.outcomes import kind_of_row
from tests.fakes.robots import NOW


class Deadly:
    """A store that kills its process with what it has just written."""

    def __init__(self, store: EventStore, kind: str, number: int) -> None:
        self._store = store
        self._kind = kind
        self._left = number

    @property
    def last_id(self) -> int:
        return self._store.last_id

    async def append(self, rows: Sequence[Row]) -> int:
        # Shielded: to be killed is to be killed, whoever is cancelled meanwhile.
        with trio.CancelScope(shield=True):
            last = await self._store.append(rows)
        self._written(rows)
        return last

    def begin(self, rows: Sequence[Row], done: Done) -> None:
        def stored(result: outcome.Maybe[int]) -> None:
            self._written(rows)
            done(result)

        self._store.begin(rows, stored)

    def _written(self, rows: Sequence[Row]) -> None:
        self._left -= sum(self._counts(row) for row in rows)
        if self._left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def events(self, topic_prefix: str = "") -> Iterator[Stored]:
        return self._store.events(topic_prefix)

    def _counts(self, row: Row) -> bool:
        topic, kind, body = row
        found = CHECKPOINT if topic == CHECKPOINT else kind_of_row(kind, body)
        if found == "ruling" and self._kind.startswith("ruling "):
            effect = decode(pb.Ruling, parse_signed(body).body).WhichOneof("effect")
            found = f"ruling {effect}"
        return found == self._kind and (topic == LOG or found not in ("match-open", "match-close"))


async def main(file: Path, seed: str, kind: str, number: int) -> Path:
    numbers = count()

    def entropy(size: int) -> bytes:
        # The first is the tournament's salt where there is none yet, all others challenges.
        return secret(f"{seed} entropy {next(numbers)}")[:size]

    @asynccontextmanager
    async def storage(path: Path) -> AsyncIterator[EventStore]:
        async with open_store(path) as store:
            yield Deadly(store, kind, number) if kind else store

    return await serve(
        load_config(file), PlainProgress(), clock=lambda: NOW, entropy=entropy, storage=storage
    )


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # a text file
    toml, seed, when, which = [*sys.argv[1:], "", "0"][:4]
    try:
        print("archive:", bridge.run(lambda: main(Path(toml), seed, when, int(which))))
    except AboveboardError as error:
        sys.exit(str(error))
