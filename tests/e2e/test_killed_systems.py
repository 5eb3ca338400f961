"""A server of every system that is killed now and then comes to the same as without."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.seeded_runs import Kill, Run, results, undisturbed

GAME = "nebraska:family"

KILLS: list[Kill] = [
    ("pairings", 1),
    ("accept", 3),
    ("move", 9),
    ("match-close", 1),
    ("standings", 1),
    ("checkpoint", 1),
    ("draw-reveal", 1),
    ("deck_opened", 1),
    ("standings", 1),
    ("tournament-close", 1),
]
"""All of them come in whatever has two rounds."""

DECIDERS = """
[pairing]
games = 3
majority = true
early_stop = true
deciders = 2
"""

DIVISIONS = """
[league]
divisions = [{ name = "First", size = 4 }, { name = "Second", size = 4 }]
"""


def run(seed: str, bots: int, tables: str = "", **keys: Any) -> Run:
    return Run(seed, bots, {"games": [GAME], "rounds": None, **keys}, tables)


RUNS: Mapping[str, Run] = {
    "knockout with deciders": run("cup", 5, DECIDERS, system="knockout"),
    "double elimination": run("double", 4, system="double-elimination"),
    "tables of four": run("tables", 8, rounds=2, seats=4),
    "league": run("league", 8, DIVISIONS, system="league"),
    "round-robin": run("all", 5, system="round-robin"),
    "gauntlet": run("one", 4, system="gauntlet"),
    "ladder": run("ladder", 6, "[pairing]\nreach = 2\n", system="ladder", rounds=3),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", RUNS)
def test_killed_now_and_then_it_comes_to_the_same(what: str, tmp_path: Path) -> None:
    for part, found in results(RUNS[what].play(tmp_path, KILLS)).items():
        assert found == undisturbed(RUNS[what])[part], part
