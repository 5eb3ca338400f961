"""Whatever was on disk last when a server was killed: the tournament comes to the same."""

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.fakes.entrants import Entrant, whole
from tests.fakes.outcomes import outcome
from tests.fakes.robots import Robot
from tests.fakes.serving import Served, config, serve
from tests.fakes.snapshots import Snapshots
from tests.fakes.steady import BriefRobot, SteadyRobot

ENTRANTS = 3
BRIEF, WHOLE = "brief", "whole"
ROBOTS: dict[str, type[Robot]] = {BRIEF: BriefRobot, WHOLE: SteadyRobot}
GAMES = ("nebraska:family", "cribbage", "allegra")


def run_server(folder: Path, store: Snapshots | None = None, kind: str = WHOLE) -> Served:
    event = config(folder, entrants=ENTRANTS, rounds=len(GAMES), games=GAMES)
    entrants = [
        # One after another, for the order of entries decides about pairings.
        Entrant(number, habit=whole, robot=ROBOTS[kind], comes=number / 100)
        for number in range(ENTRANTS)
    ]
    served = serve(event, *entrants, store=store)
    assert served.failure is None
    assert served.errors == []
    return served


@cache
def undisturbed(kind: str = WHOLE) -> Snapshots:
    """The store of a tournament that nothing happened to."""
    with TemporaryDirectory() as folder:
        return run_server(Path(folder), kind=kind).store


def check(served: Served, kind: str = WHOLE) -> None:
    assert outcome(served.store.events()) == outcome(undisturbed(kind).events())
    assert served.report().findings == []


BRIEF_MARKS = undisturbed(BRIEF).marks
WHOLE_MARKS = undisturbed().marks


@pytest.mark.parametrize("mark", BRIEF_MARKS)
def test_a_server_that_was_killed_after_any_append_comes_to_the_same(
    mark: int, tmp_path: Path
) -> None:
    check(run_server(tmp_path, undisturbed(BRIEF).until(mark), BRIEF), BRIEF)


@pytest.mark.parametrize("mark", WHOLE_MARKS[40::400])
def test_a_server_that_was_killed_in_whole_matches_comes_to_the_same(
    mark: int, tmp_path: Path
) -> None:
    check(run_server(tmp_path, undisturbed().until(mark)))


@pytest.mark.slow
@pytest.mark.parametrize("mark", WHOLE_MARKS[::10])
def test_a_server_that_was_killed_anywhere_in_whole_matches_comes_to_the_same(
    mark: int, tmp_path: Path
) -> None:
    check(run_server(tmp_path, undisturbed().until(mark)))


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 20))]
)
def test_a_server_that_is_killed_again_and_again_comes_to_the_same(
    seed: int, tmp_path: Path
) -> None:
    chance = Random(seed)
    store = undisturbed().until(WHOLE_MARKS[3])
    for number in range(6):
        folder = tmp_path / str(number)
        folder.mkdir()
        served = run_server(folder, store)
        left = [mark for mark in served.store.marks if mark > store.last_id] or [store.last_id]
        store = served.store.until(chance.choice(left[: len(left) // 3 + 1]))
    last = tmp_path / "last"
    last.mkdir()
    check(run_server(last, store))
