"""What holds for every bot that comes along, at every table of its games."""

from random import Random
from typing import Any

import pytest

from aboveboard_client.bot import load, names, plays
from aboveboard_client.bots import BOTS
from aboveboard_referee.games import registry
from aboveboard_referee.match.player import Turn

TABLES = [(name, seats) for name in registry.names() for seats in registry.game(name).seats]
ODD_MOVES = 0.3
SEED = bytes(range(32))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_house_bot_makes_legal_moves_alone_whatever_came_before(
    arena: Any, name: str, seats: int
) -> None:
    rng = Random(f"{name} {seats}")
    bot = load(f"{name.partition(':')[0]}-house", SEED)

    def choose(turn: Turn) -> object:
        move = bot.choose(turn)
        assert move in turn.legal
        return rng.choice(turn.legal) if rng.random() < ODD_MOVES else move

    arena.decide(name, seats, seats, choose, most=0 if seats == 2 else 80)


@pytest.mark.parametrize("name", registry.names())
def test_a_random_bot_makes_legal_moves_alone(arena: Any, name: str) -> None:
    family = name.partition(":")[0]
    bots = [load("random", SEED), load(f"{family}-random", SEED)]
    assert arena.play(name, bots, 0).rank  # an illegal move would be refused on the way


@pytest.mark.parametrize("name", registry.names())
def test_a_seed_fixes_a_whole_game_of_house_bots(arena: Any, name: str) -> None:
    def moves(seed: bytes) -> list[object]:
        bots = [load("house", seed), load("house", seed[::-1])]
        made: list[object] = []

        def choose(turn: Turn) -> object:
            made.append(bots[turn.seat].choose(turn))
            return made[-1]

        arena.decide(name, 2, 1, choose, most=60)
        return made

    assert moves(SEED) == moves(SEED)


@pytest.mark.parametrize("bot", [bot for bot in names() if bot != "random"])
def test_a_bot_remembers_nothing_of_a_match_but_how_far_its_randomness_got(
    arena: Any, bot: str
) -> None:
    rng = Random()
    used = BOTS[bot](rng)

    def choose(turn: Turn) -> object:
        rng.seed(1)
        move = used.choose(turn)
        assert move == BOTS[bot](Random(1)).choose(turn)
        return move

    for deal in (1, 2):
        for name in registry.names():
            if plays(used, name):
                arena.decide(name, 2, deal, choose, most=20)


@pytest.mark.parametrize("name", registry.names())
def test_house_plays_as_the_house_bot_of_the_game(arena: Any, name: str) -> None:
    both = [load("house", SEED), load(f"{name.partition(':')[0]}-house", SEED)]

    def choose(turn: Turn) -> object:
        one, other = [bot.choose(turn) for bot in both]
        assert one == other
        return one

    arena.decide(name, 2, 3, choose, most=40)
