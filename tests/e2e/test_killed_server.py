"""A server that is killed after whatever event: the tournament comes to the same as without."""

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from aboveboard_client.keys.keyfile import save_key
from aboveboard_referee.verify.archive import CHECKPOINT
from aboveboard_referee.verify.tournament import verify_archive
from aboveboard_referee.verify.trust import Trust
from aboveboard_server.database import read_events
from tests.e2e.serving import SHORT_GAMES, files, leaves, write_tournament
from tests.fakes.keys import key, secret
from tests.fakes.outcomes import outcome
from tests.fakes.ports import free_port
from tests.fakes.processes import Ended, Process, Processes

ROOT = Path(__file__).parents[2]
BOTS = 8

Kill = tuple[str, int]
"""A kind of stored event, and after which of its kind in the process's own time."""

KILLS: list[Kill] = [
    ("tournament-manifest", 1),
    ("checkpoint", 1),
    ("entry", 3),
    ("entry", 5),
    ("entries-closed", 1),
    ("draw-reveal", 1),
    ("pairings", 1),
    ("match-open", 1),
    ("accept", 3),
    ("entropy", 3),
    ("deal_root", 1),
    ("shown", 2),
    ("move", 7),
    ("resumed", 1),
    ("seat_back", 3),
    ("match-close", 1),
    ("standings", 1),
    ("draw-reveal", 1),
    ("pairings", 1),
    ("checkpoint", 2),
    ("commitment", 3),
    ("opening", 2),
    ("deck_opened", 1),
    ("standings", 1),
    ("tournament-close", 1),
    ("told", 1),
]
"""Every kind of event that a tournament of honest bots has, each leaf of its log and each
checkpoint among them, in an order in which all still come."""

OFTEN = ("accept", "entropy", "deal_root", "shown", "move", "commitment", "opening", "seat_back")


def module(processes: Processes, name: str, *words: object) -> Process:
    """Start a module of the tests, which is found from any folder."""
    run = f"runpy.run_module({name!r}, run_name='__main__')"
    code = f"import runpy, sys; sys.path.insert(0, {str(ROOT)!r}); {run}"
    return processes.python("-c", code, *words)


def history(archive: Path) -> dict[str, Any]:
    """The archive's log without what a restart may change, which is a close's time and what
    it covers. Openings and closes of a round come in no order of their own.
    """
    found: dict[str, Any] = {"log": [], "openings": {}, "closes": {}}
    for kind, body in leaves(archive):
        if kind == "match-open":
            attempt = (body.match, body.attempt)
            assert attempt not in found["openings"], "nothing is opened twice"
            found["openings"][attempt] = str(body)
        elif kind == "match-close":
            found["closes"].setdefault(len(found["log"]), []).append(body.reason)
        elif kind == "tournament-close":
            found["log"].append((kind, list(map(str, body.standings))))
        else:
            found["log"].append((kind, str(body)))
    return found


@dataclass(frozen=True)
class Cup:
    """A tournament of eight bots that is the same in every run."""

    games: tuple[str, ...]
    seed: str

    def play(
        self, folder: Path, kills: Sequence[Kill] = (), *, may_end: bool = False
    ) -> dict[str, Any]:
        """What comes of it if its server is killed after each of these in turn.

        All of them come, unless it ``may_end`` before.
        """
        address = f"127.0.0.1:{free_port()}"
        file = self._write(folder, address)
        with Processes(folder) as processes:
            bots = module(processes, "tests.e2e.seeded_bots", address, self.seed, BOTS)
            for kill in kills:
                ended = self._serve(processes, file, *kill)
                if may_end and ended.well:
                    break
                assert ended.code == -signal.SIGKILL, f"{kill}: {ended}"
            else:
                ended = self._serve(processes, file)
                assert ended.well, str(ended)
            stayed = bots.end()
        assert stayed.well, str(stayed)
        assert stayed.out.count(" is of rank ") == BOTS, str(stayed)
        assert stayed.out.count("\n") == 2 * BOTS, str(stayed)
        archive = folder / "evening" / "archive"
        report = verify_archive(files(archive), self._trust)
        assert report.good, report.findings
        # Every bot followed the same log to its end.
        assert stayed.out.count(f"saw {(archive / CHECKPOINT).read_bytes().hex()}") == BOTS
        return {**outcome(read_events(folder / "evening" / "tournament.db")), **history(archive)}

    @property
    def _trust(self) -> Trust:
        return Trust(organiser=key(f"{self.seed} organiser").public)

    def _serve(self, processes: Processes, file: Path, *kill: object) -> Ended:
        server = "tests.e2e.seeded_server"
        return module(processes, server, file.name, self.seed, *kill).end()

    def _write(self, folder: Path, address: str) -> Path:
        for role in ("organiser", "referee"):
            save_key(folder / f"{role}.key", key(f"{self.seed} {role}"))
        (folder / "evening").mkdir()
        save_key(folder / "evening" / "log.key", key(f"{self.seed} log"))
        (folder / "evening" / "referee.secret").write_bytes(secret(f"{self.seed} referee"))
        return write_tournament(
            folder,
            games=self.games,
            rounds=len(self.games),
            entrants=BOTS,
            listen=address,
            organiser_key="organiser.key",
            referee_key="referee.key",
        )

    @cache  # noqa: B019  # there are few, and they last as long as the tests
    def undisturbed(self) -> dict[str, Any]:
        with TemporaryDirectory() as folder:
            return self.play(Path(folder))


SHORT = Cup(("cribbage", "nebraska:family"), "short")
LONG = [Cup(SHORT_GAMES, f"long {number}") for number in range(3)]


def test_killed_after_each_kind_of_event_in_turn_it_comes_to_the_same(tmp_path: Path) -> None:
    assert SHORT.play(tmp_path, KILLS) == SHORT.undisturbed()


@pytest.mark.slow
@pytest.mark.parametrize("kill", dict.fromkeys(KILLS), ids=str)
def test_killed_after_one_kind_of_event_it_comes_to_the_same(kill: Kill, tmp_path: Path) -> None:
    # To come back somebody must have been away.
    before = [("move", 7)] if kill[0] in ("resumed", "seat_back") else []
    assert LONG[0].play(tmp_path, [*before, kill]) == LONG[0].undisturbed()


@pytest.mark.slow
@pytest.mark.parametrize("number", range(12))
def test_killed_again_and_again_it_comes_to_the_same(number: int, tmp_path: Path) -> None:
    cup = LONG[number % len(LONG)]
    chance = Random(number)
    kills = [(kind, chance.randrange(1, 30)) for kind in chance.choices(OFTEN, k=12)]
    assert cup.play(tmp_path, kills, may_end=True) == cup.undisturbed()
