"""How much house bots work for a move: by calls, which do not depend on the machine."""

import sys
from time import process_time
from types import FrameType
from typing import Any

import pytest

from aboveboard_client.bot import load
from aboveboard_referee.games import registry
from aboveboard_referee.match.player import Turn

TABLES = [(name, seats) for name in registry.names() for seats in registry.game(name).seats]
MOVES = 30
MOST_CALLS = 50_000
"""Calls a move, of Python and C functions, on average; some 5 ms on a common machine."""
MOST_SECONDS = 0.020


def calls_a_move(arena: Any, name: str, seats: int, moves: int) -> float:
    bot, calls, asked = load("house", bytes(32)), 0, 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    def choose(turn: Turn) -> object:
        nonlocal asked
        asked += 1
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            return bot.choose(turn)
        finally:
            sys.setprofile(before)

    arena.decide(name, seats, 7, choose, most=moves)
    return calls / asked


@pytest.mark.parametrize("name", registry.names())
def test_a_house_bot_makes_a_bounded_number_of_calls_for_a_move(arena: Any, name: str) -> None:
    assert calls_a_move(arena, name, 2, MOVES) <= MOST_CALLS


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_house_bot_takes_less_than_twenty_milliseconds_a_move(
    arena: Any, name: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Processor time, so that whatever else the machine does hardly counts."""
    bot, spent, asked = load("house", bytes(32)), 0.0, 0

    def choose(turn: Turn) -> object:
        nonlocal spent, asked
        begun = process_time()
        move = bot.choose(turn)
        spent += process_time() - begun
        asked += 1
        return move

    arena.decide(name, seats, 7, choose, most=300)
    with capsys.disabled():
        print(f"\n{name}, {seats} seats: {1000 * spent / asked:.2f} ms a move")
    assert spent / asked <= MOST_SECONDS
