"""The house bot for all games: in each it plays as the house bot of that game.

A game from a family that none of them knows is played at random.
"""

from random import Random

from aboveboard_client.bots.allegra_house import AllegraHouse
from aboveboard_client.bots.cribbage_house import CribbageHouse
from aboveboard_client.bots.nebraska_house import NebraskaHouse
from aboveboard_client.bots.uniform import Uniform
from aboveboard_referee.match.player import Turn


class House:
    """Plays every game by its own heuristic."""

    games: tuple[str, ...] = ()

    def __init__(self, rng: Random) -> None:
        self._otherwise = Uniform(rng)
        self._by_family: dict[str, AllegraHouse | CribbageHouse | NebraskaHouse] = {
            "allegra": AllegraHouse(rng),
            "cribbage": CribbageHouse(rng),
            "nebraska": NebraskaHouse(rng),
        }

    def choose(self, turn: Turn) -> object:
        family = turn.game.name.partition(":")[0]
        return self._by_family.get(family, self._otherwise).choose(turn)
