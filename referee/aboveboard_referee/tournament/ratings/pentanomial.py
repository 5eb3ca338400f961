"""Pairs of games over the same decks, first seats exchanged, and what their counts say.

A pair gives one of five scores to the first of two bots: 0, ½, 1, 1½ or 2. What the decks gave
to one of them in one game they gave to the other in the next, so the pair and not the game is
what is independent of the others.
"""

from dataclasses import dataclass
from math import inf, log10, sqrt

from aboveboard_referee.tournament.ratings.student import LEVEL, Interval, around

SCORES = (0.0, 0.5, 1.0, 1.5, 2.0)
"""What a pair can give, by its number of half points."""


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """How often each of the five scores came, by half points from 0 to 4."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def plus(self, half_points: int) -> "Pentanomial":
        """One pair more. Raises ValueError for a score that no pair has."""
        if not 0 <= half_points <= 4:
            raise ValueError(f"a pair has 0 to 4 half points, not {half_points}")
        a, b, c, d, e = (n + (half_points == i) for i, n in enumerate(self.counts))
        return Pentanomial((a, b, c, d, e))

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The mean score a game, from 0 to 1. Needs a pair."""
        return sum(n * i / 4 for i, n in enumerate(self.counts)) / self.pairs

    @property
    def variance(self) -> float:
        """The variance of a pair's mean score a game, without bias. Needs two pairs."""
        mean = self.score
        squares = sum(n * (i / 4 - mean) ** 2 for i, n in enumerate(self.counts))
        return squares / (self.pairs - 1)

    def interval(self, level: float = LEVEL) -> Interval | None:
        """What the mean score a game lies within. None until two pairs differ: what spreads
        has not been seen to spread then.
        """
        if max(self.counts) == self.pairs:
            return None
        mean = around(self.score, self.variance / self.pairs, self.pairs - 1, level)
        return mean.within(0.0, 1.0)

    def narrowing(self, games_variance: float) -> float:
        """How much narrower the interval is than from as many games with decks of their own.

        ``games_variance`` is the variance of a single game's score. 0.25 means a quarter
        narrower, less than 0 means wider. Needs pairs that differ.
        """
        return 1 - sqrt(2 * self.variance / games_variance)


def elo(score: float) -> float:
    """The difference in logistic Elo that makes a score a game of 0 to 1 the expected one."""
    if score <= 0:
        return -inf
    return inf if score >= 1 else 400 * log10(score / (1 - score))


def score(difference: float) -> float:
    """The inverse of ``elo``."""
    return 1 / (1 + 10 ** (-difference / 400))
