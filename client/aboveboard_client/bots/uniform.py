"""The random bots: every legal move is as likely as any other.

They know nothing of a game, so that they play each as it comes, and whatever beats
them has understood something.
"""

from random import Random

from aboveboard_referee.match.player import Turn


class Uniform:
    """Plays everything at random."""

    games: tuple[str, ...] = ()

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, turn: Turn) -> object:
        return self._rng.choice(turn.legal)


class AllegraRandom(Uniform):
    games: tuple[str, ...] = ("allegra",)


class CribbageRandom(Uniform):
    games: tuple[str, ...] = ("cribbage",)


class NebraskaRandom(Uniform):
    games: tuple[str, ...] = ("nebraska",)
