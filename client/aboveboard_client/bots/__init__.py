"""The bots that come along: for each game a random one and a house bot.

``random`` and ``house`` play every game. Each is made from a ``random.Random`` and
remembers nothing else from turn to turn, so that one can play many matches at once.
"""

from collections.abc import Mapping
from random import Random
from typing import Protocol

from aboveboard_client.bots.allegra_house import AllegraHouse
from aboveboard_client.bots.cribbage_house import CribbageHouse
from aboveboard_client.bots.house import House
from aboveboard_client.bots.nebraska_house import NebraskaHouse
from aboveboard_client.bots.uniform import AllegraRandom, CribbageRandom, NebraskaRandom, Uniform
from aboveboard_referee.match.player import Turn


class SampleBot(Protocol):
    """What each of them is, once made."""

    games: tuple[str, ...]

    def choose(self, turn: Turn) -> object: ...


class Maker(Protocol):
    def __call__(self, rng: Random) -> SampleBot: ...


BOTS: Mapping[str, Maker] = {
    "random": Uniform,
    "house": House,
    "allegra-random": AllegraRandom,
    "allegra-house": AllegraHouse,
    "cribbage-random": CribbageRandom,
    "cribbage-house": CribbageHouse,
    "nebraska-random": NebraskaRandom,
    "nebraska-house": NebraskaHouse,
}
"""How each is made, by the name that people give."""
