"""Whatever was on disk last: a killed server's tournament comes to the same in every system."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_server import service
from aboveboard_server.manifest import as_fixed, describe
from tests.fakes.entrants import Entrant, first_stays, quick
from tests.fakes.outcomes import outcome
from tests.fakes.serving import Served, config, serve
from tests.fakes.snapshots import Snapshots

EVENTS: dict[str, dict[str, Any]] = {
    "tables": {"seats": 4, "rounds": 2},
    "deciders": {
        "rounds": 2,
        "form": pb.Form(bye=1, games=3, majority=True, early_stop=True, deciders=2),
    },
    "knockout": {"system": "knockout", "rounds": 0},
    "double elimination": {"system": "double-elimination", "rounds": 0},
    "round-robin": {"system": "round-robin", "rounds": 0},
    "ladder": {"system": "ladder", "rounds": 3, "form": pb.Form(reach=2)},
    "league": {
        "system": "league",
        "rounds": 0,
        "form": pb.Form(bye=2, divisions=[pb.Division(name=n, size=2) for n in "AB"]),
    },
}
SWISS_1, SWISS_2 = "swiss 1", "swiss 2"
OLDER = {
    SWISS_1: pb.TournamentManifest(),
    SWISS_2: pb.TournamentManifest(system="swiss", system_version=2, form=pb.Form()),
}
ALL = [*EVENTS, SWISS_1]


def run_server(folder: Path, what: str, store: Snapshots | None = None) -> Served:
    event = config(folder, entrants=5, **EVENTS.get(what, {"rounds": 3}))
    habit = first_stays if what == "tables" else quick
    bots = [Entrant(number, habit=habit, comes=number / 100) for number in range(5)]
    served = serve(event, *bots, store=store)
    assert served.failure is None
    assert served.errors == []
    return served


@cache
def undisturbed(what: str) -> Snapshots:
    """The store of a tournament that nothing happened to."""
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        if (old := OLDER.get(what)) is not None:
            # None is begun any more, so an older release's manifest is put in its place.
            patch.setattr(service, "describe", lambda *terms: as_fixed(describe(*terms), old))
        served = run_server(Path(folder), what)
        assert served.report().findings == []
        return served.store


def check(what: str, mark: int, folder: Path) -> None:
    served = run_server(folder, what, undisturbed(what).until(mark))
    assert outcome(served.store.events()) == outcome(undisturbed(what).events())
    assert served.report().findings == []


@pytest.mark.parametrize("part", range(1, 4))
@pytest.mark.parametrize("what", ALL)
def test_a_server_that_was_killed_comes_to_the_same(what: str, part: int, tmp_path: Path) -> None:
    marks = undisturbed(what).marks
    check(what, marks[len(marks) * part // 4 + part], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(25))
@pytest.mark.parametrize("what", ALL)
def test_a_server_that_was_killed_anywhere_comes_to_the_same(
    what: str, part: int, tmp_path: Path
) -> None:
    for mark in undisturbed(what).marks[1 + part :: 25]:
        folder = tmp_path / str(mark)
        folder.mkdir()
        check(what, mark, folder)


@pytest.mark.parametrize(("what", "version"), [(SWISS_1, 1), (SWISS_2, 2)])
def test_a_swiss_of_an_older_version_is_played_to_its_end_under_its_own_rules(
    what: str, version: int, tmp_path: Path
) -> None:
    store = undisturbed(what)
    served = run_server(tmp_path, what, store.until(store.marks[len(store.marks) // 2]))
    manifest = served.ledger.manifest
    assert (manifest.system, manifest.system_version) == ("swiss", version)
    assert manifest.HasField("form") == (version > 1)
    assert served.report().findings == []


def test_a_file_that_says_more_than_a_swiss_of_the_first_version_is_another_tournament(
    tmp_path: Path,
) -> None:
    store = undisturbed(SWISS_1)
    event = config(tmp_path, entrants=5, rounds=3, form=pb.Form(bye=2, games=3))
    served = serve(event, Entrant(0), store=store.until(store.marks[5]))
    assert "system_version, form differ" in str(served.failure)
