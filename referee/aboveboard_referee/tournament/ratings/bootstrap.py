"""How far a table's points and places could have come out otherwise, by bootstrap.

The unit is a set of deals: a match, or the matches over the same decks. What the cards gave
is in all of its results at once, and other sets know nothing of it. Each replicate of the
tournament gives every set a random weight instead of drawing sets (Rubin, "The Bayesian
Bootstrap", 1981), so that nobody is ever left without a match.
"""

import hashlib
import struct
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor, log, sqrt

from aboveboard_referee.fairplay.bytes import b32, label, u32
from aboveboard_referee.tournament.ratings.contest import Contest
from aboveboard_referee.tournament.ratings.student import LEVEL, Interval

REPLICATES = 1000
"""Replicates unless something else is asked for: ends of intervals are good to a few percent."""

_BOOTSTRAP = label("bootstrap")
_LEVEL_PLAY = 1e-9  # points that differ by less are equal


@dataclass(frozen=True, slots=True)
class Spread:
    """An entrant's points as they are, and what they and its place by them lie within.

    ``points`` is None where a single set of deals says nothing about others.
    """

    total: float
    points: Interval | None
    best: int
    worst: int


def spreads(
    contests: Sequence[Contest],
    fixed: Sequence[float],
    seed: bytes,
    *,
    replicates: int = REPLICATES,
    level: float = LEVEL,
) -> tuple[Spread, ...]:
    """Everybody's spread by index. A function of its arguments; ``seed`` has 32 bytes.

    ``fixed`` are points that no deal decided, such as byes; contests where somebody never
    came are fixed as well. An entrant's points in a replicate are its contests' weighted
    mean, taken as often as it played, and drawn apart so far that their variance is
    right for the number of its sets. Places are by points alone.
    """
    deals = {name: i for i, name in enumerate(dict.fromkeys(c.deals for c in contests))}
    entrants = [_Own(points) for points in fixed]
    for contest in contests:
        for entrant, points in contest.gained():
            own = entrants[entrant]
            if contest.contested:
                own.played.append((deals[contest.deals], contest.worth, points))
            else:
                own.fixed += contest.worth * points
    points_of: list[list[float]] = [[] for _ in fixed]
    places_of: list[list[int]] = [[] for _ in fixed]
    for weights in _weights(seed, len(deals), replicates):
        replicate = [own.points(weights) for own in entrants]
        order = sorted(-each for each in replicate)
        for entrant, each in enumerate(replicate):
            points_of[entrant].append(each)
            places_of[entrant].append(1 + bisect_left(order, -each - _LEVEL_PLAY))
    return tuple(
        _spread(own, sorted(gained), sorted(places), level)
        for own, gained, places in zip(entrants, points_of, places_of, strict=True)
    )


class _Own:
    """One entrant's contests: the set of deals, what it was worth, and its points of it.

    What follows from them is computed once, after all of them are in.
    """

    def __init__(self, fixed: float) -> None:
        self.fixed = fixed
        self.played: list[tuple[int, float, float]] = []

    @cached_property
    def worth(self) -> float:
        return sum(worth for _, worth, _ in self.played)

    @cached_property
    def won(self) -> float:
        return sum(worth * points for _, worth, points in self.played)

    @cached_property
    def sets(self) -> int:
        return len({deal for deal, _, _ in self.played})

    def points(self, weights: Sequence[float]) -> float:
        """Its points if the sets of deals had these weights."""
        sets = self.sets
        if sets < 2:
            return self.fixed + self.won
        weight = points = 0.0
        for deal, worth, each in self.played:
            weight += weights[deal] * worth
            points += weights[deal] * worth * each
        # A weighted mean of n values varies by the n+1st part of their mean square, and should
        # by the n-1st. Points beyond what can be gained are cut off where they are shown.
        apart = sqrt((sets + 1) / (sets - 1))
        return self.fixed + self.won + apart * (points / weight * self.worth - self.won)


def _weights(seed: bytes, deals: int, replicates: int) -> Iterator[list[float]]:
    """Exponential weights of mean 1 for each set of deals, once for each replicate.

    ::

        SHAKE-256( T(bootstrap) ‖ seed[32] ‖ u32 replicate ), 8 bytes a set; w = -ln(u)
    """
    start = _BOOTSTRAP + b32(seed)
    for replicate in range(replicates):
        stream = hashlib.shake_256(start + u32(replicate)).digest(8 * deals)
        # The middle of one of 2⁵³ parts of 0 to 1, never an end.
        yield [
            -log(((word >> 11) + 0.5) / (1 << 53)) for word in struct.unpack(f">{deals}Q", stream)
        ]


def _spread(own: _Own, points: Sequence[float], places: Sequence[int], level: float) -> Spread:
    tail = (1 - level) / 2
    low, high = floor(tail * len(points)), ceil((1 - tail) * len(points)) - 1
    interval = Interval(points[low], points[high]) if own.sets > 1 or not own.played else None
    return Spread(
        total=own.fixed + own.won,
        points=interval and interval.within(own.fixed, own.fixed + own.worth),
        best=places[low],
        worst=places[high],
    )
