"""The example of a bot that talks lines: it needs nothing but what a turn says."""

import importlib.util
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from aboveboard_client.bot import Bot, ending, load
from aboveboard_referee.games import registry
from aboveboard_referee.match.local import LocalSeat, play_local
from aboveboard_referee.match.turn_json import json_bytes, turn_json
from tests.fakes.keys import key
from tests.fakes.matches import TABLES
from tests.referee.match.test_turn_json import turns

EXAMPLE = Path(__file__).parents[3] / "examples" / "stdio" / "bot.py"


def example() -> Any:
    found = importlib.util.spec_from_file_location("stdio_example", EXAMPLE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_it_chooses_a_legal_move_in_every_game_and_with_every_number_of_seats(
    name: str, seats: int
) -> None:
    module = example()
    for turn in turns(name, seats):
        told = json.loads(json_bytes(turn_json(turn)))
        assert module.choose(told) in told["legal"]


def test_it_imports_nothing_but_the_standard_library() -> None:
    imported = [line for line in EXAMPLE.read_text().splitlines() if "import" in line.split()]
    assert imported == ["import json", "import sys"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cribbage", "nebraska:family", "allegra"])
def test_it_plays_better_than_chance(name: str) -> None:
    bot = load(f"exec:{shlex.join([sys.executable, '-I', '-S', str(EXAMPLE)])}")
    chance = load("random", bytes(32))
    with ending(bot):
        won = sum(half_points(name, bot, chance, number) for number in range(10)) / 2
    assert won >= 6


def half_points(name: str, bot: Bot, other: Bot, number: int) -> int:
    """What ``bot`` gains in a match in which the two take turns at the first seat."""
    by_seat = (bot, other) if number % 2 else (other, bot)
    seats = [
        LocalSeat(
            entry=key(f"entry {seat}"),
            key=key(f"match {number} {seat}"),
            stored=bytes([number, seat]) * 16,
            choose=one.choose,
        )
        for seat, one in enumerate(by_seat)
    ]
    game, secret = registry.game(name), bytes([number]) * 32
    match = play_local(game, seats, key("referee"), secret, now_us=lambda: 0)
    return match.close.seats[by_seat.index(bot)].half_points
