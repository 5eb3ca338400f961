"""Processes that end with the test, and one finished tournament for all tests."""

import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.serving import SHORT_GAMES, join, serve, write_tournament
from tests.fakes.processes import Ended, Processes

PLAYERS = ("ada", "ben", "cleo", "dan")


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path) as processes:
        yield processes


@dataclass(frozen=True)
class Finished:
    """A tournament that was served to its end. Nobody may change its folder."""

    folder: Path  # with evening.toml and evening/
    server: Ended
    bots: dict[str, Ended]

    @property
    def state(self) -> Path:
        return self.folder / "evening"

    @property
    def archive(self) -> Path:
        return self.state / "archive"


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """Four bots, three rounds, three games; played once, whoever of the workers comes first."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # each worker has a folder of its own in it
    folder = shared / "finished-tournament"
    with (shared / "finished-tournament.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            folder.mkdir()
            (folder / "ended.json").write_text(json.dumps(_play(folder)))
    ended = json.loads((folder / "ended.json").read_text())
    server = Ended(*ended.pop("server"))
    return Finished(folder, server, {name: Ended(*bot) for name, bot in ended.items()})


def _play(folder: Path) -> dict[str, Ended]:
    with Processes(folder) as processes:
        file = write_tournament(folder, games=SHORT_GAMES, rounds=3, entrants=len(PLAYERS))
        server, address = serve(processes, file)
        bots = {name: join(processes, address, "random", name) for name in PLAYERS}
        return {"server": server.end(), **{name: bot.end() for name, bot in bots.items()}}
