"""Tournaments of real processes that are the same in every run, however often one is killed."""

import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

from aboveboard_client.keys.keyfile import save_key
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.verify.archive import CHECKPOINT
from aboveboard_referee.verify.tournament import verify_archive
from aboveboard_referee.verify.trust import Trust
from aboveboard_server.store.database import Stored, read_events
from tests.e2e.serving import files, leaves, write_tournament
from tests.fakes.keys import key, secret
from tests.fakes.outcomes import outcome
from tests.fakes.ports import free_port
from tests.fakes.processes import Ended, Process, Processes

ROOT = Path(__file__).parents[2]

LIFE_SECONDS = 600
"""How long a server may take. On a busy machine a round of many bots takes a minute."""

Kill = tuple[str, int]
"""A kind of stored event, and after which of its kind in the process's own time."""


def module(processes: Processes, name: str, *words: object) -> Process:
    """Start a module of the tests, which is found from any folder."""
    run = f"runpy.run_module({name!r}, run_name='__main__')"
    code = f"import runpy, sys; sys.path.insert(0, {str(ROOT)!r}); {run}"
    return processes.python("-c", code, *words)


@dataclass(frozen=True)
class Played:
    """What a tournament left behind, which was verified."""

    archive: Path
    events: list[Stored]


@dataclass(frozen=True, eq=False)
class Run:
    """A tournament: its file's keys, and further text of it; whose bots, and how many.

    ``staying`` is how many there are at the end, where those are not all.
    """

    seed: str
    bots: int
    keys: Mapping[str, Any]
    tables: str = ""
    program: str = "tests.e2e.seeded_bots"
    staying: int = 0

    def play(self, folder: Path, kills: Sequence[Kill] = (), *, may_end: bool = False) -> Played:
        """Play it, its server killed after each of these in turn.

        All of them come, unless it ``may_end`` before.
        """
        address = f"127.0.0.1:{free_port()}"
        file = self._write(folder, address)
        with Processes(folder) as processes:
            bots = _Bots(module(processes, self.program, address, self.seed, self.bots))
            for kill in kills:
                ended = self._serve(processes, bots, file, *kill)
                if may_end and ended.well:
                    break
                assert ended.code == -signal.SIGKILL, f"{kill}: {ended}{bots.process}"
            else:
                ended = self._serve(processes, bots, file)
                assert ended.well, f"{ended}{bots.process}"
            stayed = bots.process.end()
        return self._checked(folder / "evening", stayed)

    def _checked(self, state: Path, stayed: Ended) -> Played:
        everybody = self.staying or self.bots
        assert stayed.well, str(stayed)
        assert stayed.out.count(" is of rank ") == everybody, str(stayed)
        assert stayed.out.count("\n") == 2 * everybody, str(stayed)
        archive = state / "archive"
        report = verify_archive(files(archive), Trust(organiser=self._key("organiser").public))
        assert report.good, report.findings
        # Every bot followed the same log to its end.
        assert stayed.out.count(f"saw {(archive / CHECKPOINT).read_bytes().hex()}") == everybody
        return Played(archive, list(read_events(state / "tournament.db")))

    def _key(self, role: str) -> PrivateKey:
        return key(f"{self.seed} {role}")

    def _serve(self, processes: Processes, bots: "_Bots", file: Path, *kill: object) -> Ended:
        server = module(processes, "tests.e2e.seeded_server", file.name, self.seed, *kill)
        bots.are_served_by(server)
        return server.end(LIFE_SECONDS)

    def _write(self, folder: Path, address: str) -> Path:
        for role in ("organiser", "referee"):
            save_key(folder / f"{role}.key", self._key(role))
        (folder / "evening").mkdir()
        save_key(folder / "evening" / "log.key", self._key("log"))
        (folder / "evening" / "referee.secret").write_bytes(secret(f"{self.seed} referee"))
        file = write_tournament(
            folder,
            entrants=self.bots,
            listen=address,
            organiser_key="organiser.key",
            referee_key="referee.key",
            **self.keys,
        )
        file.write_text(file.read_text() + self.tables)
        return file


class _Bots:
    """The bots' process. Once it has failed, no server waits for it in vain."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._failed = Event()
        self._server: Process | None = None
        Thread(target=self._watch, daemon=True).start()

    def are_served_by(self, server: Process) -> None:
        self._server = server
        if self._failed.is_set():
            server.kill()

    def _watch(self) -> None:
        # Whoever started it ends it, at the latest when all is done.
        if self.process.end(seconds=None).code != 0:
            self._failed.set()
            if self._server is not None:
                self._server.kill()


# --- What has to be the same -------------------------------------------------------------


@cache
def undisturbed(run: Run) -> dict[str, Any]:
    """The results of a run whose server is not killed."""
    with TemporaryDirectory() as folder:
        return results(run.play(Path(folder)))


def papers(archive: Path) -> list[tuple[str, str]]:
    """The log without the openings and closes of matches, whose order is nobody's, and
    without times, the places of leaves, and the hashes of files, which have both in them.
    """
    found = []
    for kind, body in leaves(archive):
        if kind in ("match-open", "match-close"):
            continue
        for name in {"time_us", "leaf", "files"} & set(body.DESCRIPTOR.fields_by_name):
            body.ClearField(name)
        found.append((kind, str(body)))
    return found


def results(played: Played) -> dict[str, Any]:
    """What a tournament came to, by what it is about: papers, openings, and of each attempt
    all cards and answers, and its result.
    """
    return {
        "papers": papers(played.archive),
        "openings": openings(played.archive),
        "attempts": outcome(played.events)["attempts"],
    }


def openings(archive: Path) -> dict[str, str]:
    """Every match as it was opened. Asserts that it was once, and was closed once."""
    found: dict[str, str] = {}
    closes = 0
    for kind, body in leaves(archive):
        if kind == "match-open":
            assert body.attempt == 1, f"{body.match} is played again"
            assert body.match not in found, f"{body.match} is opened twice"
            found[body.match] = str(body)
        closes += kind == "match-close"
    assert closes == len(found)
    return found
