"""How clearly the house bots beat random ones, and the bot that ``aboveboard init`` writes."""

from math import sqrt
from typing import Any

import pytest

from aboveboard_client.bot import load
from aboveboard_client.starters.every_game import Starter
from aboveboard_referee.games import registry

TABLES = [(name, seats) for name in registry.names() for seats in registry.game(name).seats]
GAMES = 4
MANY_GAMES, FULLER_TABLES = 120, 48  # of two seats, and of more
AGAINST_THE_STARTER = {
    "allegra": 40,
    "cribbage": 300,
    "cribbage:source": 300,
    "nebraska:expert": 40,
    "nebraska:family": 40,
    "nebraska:poker": 40,
}
"""Games against the bot that ``aboveboard init`` writes. Luck is most of a game of cribbage,
in which the house wins some two of three."""
CONFIDENCE = 1.96  # standard deviations of a 95 % interval


def won(arena: Any, name: str, seats: int, games: int) -> float:
    house, uniform = load("house", bytes(32)), load("random", bytes(range(32)))
    return float(arena.won(name, house, uniform, seats, games))


def interval(rate: float, games: int) -> tuple[float, float]:
    """Wilson's interval for a rate; the bounds of 95 % confidence."""
    squared = CONFIDENCE**2
    centre = rate + squared / (2 * games)
    spread = CONFIDENCE * sqrt(rate * (1 - rate) / games + squared / (4 * games**2))
    return (centre - spread) / (1 + squared / games), (centre + spread) / (1 + squared / games)


def test_an_interval_holds_the_rate_and_narrows_with_more_games() -> None:
    low, high = interval(0.5, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert low < interval(0.5, 400)[0] < 0.5 < interval(0.5, 400)[1] < high


@pytest.mark.parametrize(
    "name", ["allegra", "cribbage", "nebraska:expert", "nebraska:family", "nebraska:poker"]
)
def test_the_house_wins_at_least_three_games_of_four_against_random_moves(
    arena: Any, name: str
) -> None:
    assert won(arena, name, 2, GAMES) >= 3 / 4


def test_the_house_wins_two_of_three_where_cribs_are_laid_away_unseen(arena: Any) -> None:
    assert won(arena, "cribbage:source", 2, 6) >= 2 / 3


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_house_wins_more_than_its_share_at_every_table(
    arena: Any, name: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    games = MANY_GAMES if seats == 2 else FULLER_TABLES
    rate = won(arena, name, seats, games)
    low, high = interval(rate, games)
    share = 1 / len(registry.game(name).sides(seats))
    with capsys.disabled():
        print(f"\n{name}, {seats} seats: {rate:.1%} of {games} games won", end=" ")
        print(f"({low:.1%} to {high:.1%}), even is {share:.1%}")
    assert low > share


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_the_house_beats_the_bot_that_a_beginner_is_given(
    arena: Any, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    games = AGAINST_THE_STARTER[name]
    rate = float(arena.won(name, load("house", bytes(32)), Starter(), 2, games))
    low, high = interval(rate, games)
    with capsys.disabled():
        print(f"\n{name}: {rate:.1%} of {games} games won against the starter", end=" ")
        print(f"({low:.1%} to {high:.1%})")
    assert low > 1 / 2
