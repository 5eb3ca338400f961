"""A server that is killed after whatever event: the tournament comes to the same as without."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from tests.e2e.seeded_runs import Kill, Run, results, undisturbed
from tests.e2e.serving import SHORT_GAMES

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


def cup(games: Sequence[str], seed: str) -> Run:
    """A tournament of eight bots with a round of each game."""
    return Run(seed, 8, {"games": games, "rounds": len(games)})


SHORT = cup(("cribbage", "nebraska:family"), "short")
LONG = [cup(SHORT_GAMES, f"long {number}") for number in range(3)]


def test_killed_after_each_kind_of_event_in_turn_it_comes_to_the_same(tmp_path: Path) -> None:
    assert results(SHORT.play(tmp_path, KILLS)) == undisturbed(SHORT)


@pytest.mark.slow
@pytest.mark.parametrize("kill", dict.fromkeys(KILLS), ids=str)
def test_killed_after_one_kind_of_event_it_comes_to_the_same(kill: Kill, tmp_path: Path) -> None:
    # To come back somebody must have been away.
    before = [("move", 7)] if kill[0] in ("resumed", "seat_back") else []
    assert results(LONG[0].play(tmp_path, [*before, kill])) == undisturbed(LONG[0])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(12))
def test_killed_again_and_again_it_comes_to_the_same(number: int, tmp_path: Path) -> None:
    run = LONG[number % len(LONG)]
    chance = Random(number)
    kills = [(kind, chance.randrange(1, 30)) for kind in chance.choices(OFTEN, k=12)]
    assert results(run.play(tmp_path, kills, may_end=True)) == undisturbed(run)
