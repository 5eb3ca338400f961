"""The first house bots, to measure their successors by; nothing else uses them.

They look one move ahead: at the mean of a random crib, at the next card in play, at
hands scored as they stand, at the table that a move leaves.
"""

from random import Random

from aboveboard_referee.match.player import Turn
from tests.fakes.earlier_house.allegra_house import AllegraHouse
from tests.fakes.earlier_house.cribbage_house import CribbageHouse
from tests.fakes.earlier_house.nebraska_house import NebraskaHouse


class EarlierHouse:
    """Plays each game as the first house bot did."""

    games: tuple[str, ...] = ()

    def __init__(self, rng: Random) -> None:
        self._bots: dict[str, AllegraHouse | CribbageHouse | NebraskaHouse] = {
            "allegra": AllegraHouse(rng),
            "cribbage": CribbageHouse(rng),
            "nebraska": NebraskaHouse(rng),
        }

    def choose(self, turn: Turn) -> object:
        return self._bots[turn.game.name.partition(":")[0]].choose(turn)
