"""The server as a whole in memory: no port, no file but keys and archive, the mock clock."""

import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.keys.keyfile import save_key
from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.verify.report import Report
from aboveboard_referee.verify.tournament import verify_archive
from aboveboard_referee.verify.trust import Trust
from aboveboard_server import service
from aboveboard_server.config import Config
from aboveboard_server.progress import PlainProgress
from aboveboard_server.store.book import LOG as LOG_TOPIC
from aboveboard_server.store.book import Book
from tests.fakes.entrants import LOG, ORGANISER, Entrant
from tests.fakes.hosting import now_us, run
from tests.fakes.keys import secret
from tests.fakes.network import Network
from tests.fakes.robots import CLOCK, REFEREE
from tests.fakes.snapshots import Snapshots
from tests.fakes.store import MemoryStore


class Lines(PlainProgress):
    """Progress as a list of lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, text: str) -> None:
        self.lines.append(text)


@dataclass
class Served:
    """What came of one run of a server."""

    store: Snapshots
    entrants: Sequence[Entrant]
    lines: list[str]
    errors: list[Exception]
    seconds: float
    archive: Path
    failure: Exception | None = None

    @property
    def book(self) -> Book:
        """What a restarted server would read."""
        return Book().apply_all(self.store.events())

    @property
    def ledger(self) -> Ledger:
        return self.book.ledger

    @property
    def closes(self) -> dict[tuple[str, int], pb.MatchClose]:
        """How every attempt at a match ended."""
        return closes_of(self.store)

    def leaves(self, *kinds: str) -> list[bytes]:
        """The log's leaves of these kinds, or all."""
        leaves = self.store.events(LOG_TOPIC)
        return [event.body for event in leaves if not kinds or event.kind in kinds]

    def report(self) -> Report:
        """The verifier's on the archive, under the organiser's key."""
        return verify_archive(read_archive(self.archive), Trust(organiser=ORGANISER.public))


def closes_of(store: MemoryStore) -> dict[tuple[str, int], pb.MatchClose]:
    """How every attempt ended that is closed in a store."""
    ledger = Book().apply_all(store.events()).ledger
    return {
        (attempt.match, attempt.attempt): attempt.close
        for match in ledger.matches
        for attempt in ledger.attempts.of(match)
        if attempt.close is not None
    }


def read_archive(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def config(folder: Path, **fields: Any) -> Config:
    """A tournament whose keys are known and lie in ``folder``."""
    own = (("organiser.pem", ORGANISER), ("referee.pem", REFEREE), ("log.pem", LOG))
    for name, private in own:
        if not (folder / name).exists():
            save_key(folder / name, private)
    (folder / "state").mkdir(exist_ok=True)
    (folder / "state" / "referee.secret").write_bytes(secret("referee stored"))
    made = Config(
        path=folder / "cup.toml",
        title="The Memory Cup",
        games=("cribbage",),
        rounds=3,
        entrants=None,
        start_at_us=None,
        listen="127.0.0.1:0",
        state=folder / "state",
        organiser_key=folder / "organiser.pem",
        referee_key=folder / "referee.pem",
        log_key=folder / "log.pem",
        tie_breaks=("wins",),
        matches_at_once=32,
        clock=CLOCK,
    )
    return replace(made, **fields)


def entropy() -> Callable[[int], bytes]:
    """Random bytes, the same in every run."""
    numbers = itertools.count(1)
    return lambda count: secret(f"drawn {next(numbers)}")[:count]


async def at_once(function: Callable[..., Any], *arguments: Any) -> Any:
    """Not in a thread, which the mock clock does not see: it would leap meanwhile."""
    await trio.lowlevel.checkpoint()
    return function(*arguments)


def serve(
    config: Config,
    *entrants: Entrant,
    store: Snapshots | None = None,
    beside: Callable[[Network], Any] | None = None,
    seconds: float = 600,
) -> Served:
    """Run the real server with these entrants until it has ended.

    ``beside`` is one more task; ``seconds`` are those of the mock clock that it may take. An
    error that the server ends with is in ``failure``.
    """
    store = store or Snapshots()
    network = Network()
    progress = Lines()
    served = Served(store, entrants, progress.lines, network.errors, 0.0, Path())

    @asynccontextmanager
    async def storage(_: Path) -> AsyncIterator[Snapshots]:
        yield store

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for entrant in entrants:
                nursery.start_soon(entrant.stay, network)
            if beside is not None:
                nursery.start_soon(beside, network)
            try:
                served.archive = await service.serve(
                    config, progress, clock=now_us, entropy=entropy(), storage=storage
                )
            except Exception as error:  # noqa: BLE001  # for the test to look at
                served.failure = error
            served.seconds = trio.current_time()
            await trio.sleep(2)
            nursery.cancel_scope.cancel()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bridge, "serve", network.serve)
        patch.setattr(trio.to_thread, "run_sync", at_once)
        run(main, seconds=seconds)
    return served
