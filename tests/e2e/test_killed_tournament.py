"""A tournament of forty in which everything happens that can, and a server killed all along."""

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import pytest

from aboveboard_client.keys.keyfile import save_key
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.tournament.ledger import KINDS as LEAVES
from aboveboard_referee.verify.archive import CHECKPOINT
from aboveboard_referee.verify.tournament import verify_archive
from aboveboard_referee.verify.trust import Trust
from aboveboard_server.book import LOG
from aboveboard_server.database import Stored, read_events
from tests.e2e.serving import files, leaves, write_tournament
from tests.fakes.keys import key, secret
from tests.fakes.outcomes import kind_of, outcome
from tests.fakes.ports import free_port
from tests.fakes.processes import Ended, Process, Processes

ROOT = Path(__file__).parents[2]

LIFE_SECONDS = 600
"""How long a server may take that is not killed. On a busy machine a round takes a minute."""

Kill = tuple[str, int]
"""A kind of stored event, and after which of its kind in the process's own time."""

KILLS: list[Kill] = [
    ("tournament-manifest", 1),
    ("checkpoint", 1),
    ("entry", 3),
    ("entry", 20),
    ("entries-closed", 1),
    ("draw-reveal", 1),
    ("pairings", 1),
    ("match-open", 3),
    ("deal_root", 1),
    ("late-entry", 1),
    ("bye-request", 1),
    ("withdraw", 1),
    ("ruling paused", 1),
    ("move", 7),
    ("seat_out", 1),
    ("ruling disqualified", 1),
    ("ruling resumed", 1),
    ("standings", 1),
    ("draw-reveal", 1),
    ("pairings", 1),
    ("accept", 3),
    ("entropy", 3),
    ("return", 1),
    ("ruling rescore", 1),
    ("bye-request", 1),
    ("ruling by_hand", 1),
    ("ruling paused", 1),
    ("resumed", 1),
    ("seat_back", 3),
    ("commitment", 3),
    ("opening", 2),
    ("deck_opened", 1),
    ("match-close", 1),
    ("key-rotate", 1),
    ("key-revoke", 1),
    ("referee-added", 1),
    ("ruling resumed", 1),
    ("standings", 1),
    ("checkpoint", 2),
    ("shown", 1),
    ("objection", 1),
    ("ruling", 1),
    ("match-close", 9),
    ("ruling rescore", 1),
    ("ruling ended", 1),
    ("ruling resumed", 1),
    ("standings", 1),
    ("tournament-close", 1),
    ("told", 1),
]
"""Every kind of leaf, every effect of a ruling, every kind of record that is in a match of
honest bots, of whom one never came, and checkpoints; in an order in which all still come."""

FORM = """
[late]
until = 3
points = "0.5"

[byes]
half = 1
until = 3
"""


def module(processes: Processes, name: str, *words: object) -> Process:
    """Start a module of the tests, which is found from any folder."""
    run = f"runpy.run_module({name!r}, run_name='__main__')"
    code = f"import runpy, sys; sys.path.insert(0, {str(ROOT)!r}); {run}"
    return processes.python("-c", code, *words)


def papers(archive: Path) -> list[tuple[str, str]]:
    """The archive's log without the openings and closes of matches, whose order is nobody's,
    and without times, and the places of leaves, and the files that have them.
    """
    found = []
    for kind, body in leaves(archive):
        if kind in ("match-open", "match-close"):
            continue
        for name in {"time_us", "leaf", "files"} & set(body.DESCRIPTOR.fields_by_name):
            body.ClearField(name)
        found.append((kind, str(body)))
    return found


def openings(archive: Path) -> dict[tuple[str, int], str]:
    """Every attempt as it was opened; asserts that none was twice, and each closed once."""
    found: dict[tuple[str, int], str] = {}
    closes = 0
    for kind, body in leaves(archive):
        if kind == "match-open":
            assert body.attempt == 1, "no match is played twice"
            assert (body.match, body.attempt) not in found, "nothing is opened twice"
            found[body.match, body.attempt] = str(body)
        closes += kind == "match-close"
    assert closes == len(found)
    return found


@dataclass(frozen=True)
class Event:
    """A Swiss that is the same in every run; one more bot comes late."""

    bots: int
    seed: str

    def play(self, folder: Path, kills: Sequence[Kill] = ()) -> dict[str, Any]:
        """What comes of it if its server is killed after each of these in turn."""
        address = f"127.0.0.1:{free_port()}"
        file = self._write(folder, address)
        with Processes(folder) as processes:
            bots = module(processes, "tests.e2e.seeded_event", address, self.seed, self.bots)
            for kill in kills:
                ended = self._serve(processes, bots, file, *kill)
                assert ended.code == -signal.SIGKILL, f"{kill}: {ended}{bots}"
            ended = self._serve(processes, bots, file)
            assert ended.well, f"{ended}{bots}"
            stayed = bots.end()
        assert stayed.well, str(stayed)
        # All but the one that was disqualified and whose key was revoked.
        assert stayed.out.count(" is of rank ") == self.bots, str(stayed)
        assert stayed.out.count("\n") == 2 * self.bots, str(stayed)
        archive = folder / "evening" / "archive"
        report = verify_archive(files(archive), Trust(organiser=self._key("organiser").public))
        assert report.good, report.findings
        # Every bot followed the same log to its end.
        assert stayed.out.count(f"saw {(archive / CHECKPOINT).read_bytes().hex()}") == self.bots
        events = list(read_events(folder / "evening" / "tournament.db"))
        return {
            "kinds": set(map(exact_kind, events)),
            "papers": papers(archive),
            "openings": openings(archive),
            "attempts": outcome(events)["attempts"],
        }

    def _key(self, role: str) -> Any:
        return key(f"{self.seed} {role}")

    def _serve(self, processes: Processes, bots: Process, file: Path, *kill: object) -> Ended:
        server = module(processes, "tests.e2e.seeded_server", file.name, self.seed, *kill)

        def miss_bots() -> None:
            # Without them it would wait in vain.
            if bots.end(LIFE_SECONDS).code:
                server.kill()

        Thread(target=miss_bots, daemon=True).start()
        return server.end(LIFE_SECONDS)

    def _write(self, folder: Path, address: str) -> Path:
        for role in ("organiser", "referee"):
            save_key(folder / f"{role}.key", self._key(role))
        (folder / "evening").mkdir()
        save_key(folder / "evening" / "log.key", self._key("log"))
        (folder / "evening" / "referee.secret").write_bytes(secret(f"{self.seed} referee"))
        file = write_tournament(
            folder,
            games=["nebraska:family"],
            rounds=4,
            entrants=self.bots,
            listen=address,
            limits={"move": "10m", "match": "20m", "start": "20s"},
            organiser_key="organiser.key",
            referee_key="referee.key",
        )
        file.write_text(file.read_text() + FORM)
        return file

    @cache  # noqa: B019  # there are few, and they last as long as the tests
    def undisturbed(self) -> dict[str, Any]:
        with TemporaryDirectory() as folder:
            return self.play(Path(folder))


def exact_kind(event: Stored) -> str:
    """The kind of a stored event; of a ruling that changes something, with what it does."""
    if event.topic == LOG and event.kind == "ruling":
        effect = decode(pb.Ruling, parse_signed(event.body).body).WhichOneof("effect")
        return f"ruling {effect}" if effect else "ruling"
    return kind_of(event)


FORTY = Event(40, "forty")
SMALL = Event(8, "small")


@pytest.mark.slow
@pytest.mark.parametrize("event", [FORTY], ids=["forty"])
def test_a_tournament_whose_server_is_killed_after_each_kind_of_event_comes_to_the_same(
    event: Event, tmp_path: Path
) -> None:
    undisturbed = event.undisturbed()
    assert undisturbed["kinds"] >= LEAVES
    assert {kind for kind, _ in KILLS} >= undisturbed["kinds"] - {"shown"}
    killed = event.play(tmp_path, KILLS)
    for part in ("papers", "openings", "attempts"):
        assert killed[part] == undisturbed[part], part
