"""How well tables tell the stronger from the weaker, over many tournaments."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

Z_95 = 1.959964
"""Standard deviations on either side that hold 95 of 100 of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and the bounds between which 95 of 100 such intervals have the true one."""

    mean: float
    low: float
    high: float


def best_wins(ratings: Sequence[int], ranks: Sequence[int]) -> float:
    """1 if the strongest entrant is first, a part of it if it shares the place."""
    best = max(ratings)
    first = [rating for rating, rank in zip(ratings, ranks, strict=True) if rank == 1]
    return sum(rating == best for rating in first) / len(first)


def rank_of_best(ratings: Sequence[int], ranks: Sequence[int]) -> float:
    """Where the strongest stands, the middle of the places that are shared."""
    best = max(ratings)
    shared = Counter(ranks)
    own = [
        rank + (shared[rank] - 1) / 2
        for rating, rank in zip(ratings, ranks, strict=True)
        if rating == best
    ]
    return sum(own) / len(own)


def kendall_tau(ratings: Sequence[int], ranks: Sequence[int]) -> float:
    """1 if everybody stands before all weaker ones, 0 for a lot's order, -1 for the reverse.

    Of all pairs of different strength, those in the right order less those in the wrong
    one; who share a place count for neither. 1 where all are equally strong.
    """
    weaker = _Counts(max(ranks))
    right = wrong = pairs = 0
    by_rating: dict[int, list[int]] = {}
    for rating, rank in zip(ratings, ranks, strict=True):
        by_rating.setdefault(rating, []).append(rank)
    for rating in sorted(by_rating):
        for rank in by_rating[rating]:
            before, up_to = weaker.up_to(rank - 1), weaker.up_to(rank)
            wrong += before
            right += weaker.total - up_to
            pairs += weaker.total
        for rank in by_rating[rating]:
            weaker.add(rank)
    return (right - wrong) / pairs if pairs else 1.0


class _Counts:
    """How many of some places were added up to each place (a Fenwick tree)."""

    def __init__(self, most: int) -> None:
        self._sums = [0] * (most + 1)
        self.total = 0

    def add(self, place: int) -> None:
        self.total += 1
        while place < len(self._sums):
            self._sums[place] += 1
            place += place & -place

    def up_to(self, place: int) -> int:
        found = 0
        while place:
            found += self._sums[place]
            place -= place & -place
        return found


@dataclass(slots=True)
class Sample:
    """Numbers of which the mean is wanted."""

    _count: int = 0
    _sum: float = 0.0
    _squares: float = 0.0

    def add(self, value: float) -> None:
        self._count += 1
        self._sum += value
        self._squares += value * value

    def mean(self) -> Estimate:
        """By the normal distribution. At least one number was added."""
        mean = self._sum / self._count
        if self._count == 1:
            return Estimate(mean, mean, mean)
        variance = max(0.0, self._squares - self._sum * mean) / (self._count - 1)
        reach = Z_95 * sqrt(variance / self._count)
        return Estimate(mean, mean - reach, mean + reach)

    def share(self) -> Estimate:
        """Of numbers from 0 to 1, by Wilson's interval, which does not fail at either end."""
        share, squared = self._sum / self._count, Z_95 * Z_95
        middle = (share + squared / (2 * self._count)) / (1 + squared / self._count)
        reach = (
            Z_95
            * sqrt(share * (1 - share) / self._count + squared / (4 * self._count**2))
            / (1 + squared / self._count)
        )
        return Estimate(share, max(0.0, middle - reach), min(1.0, middle + reach))


@dataclass(slots=True)
class Summary:
    """What many tournaments of one form came to."""

    runs: int = 0
    best_wins: Sample = field(default_factory=Sample)
    rank_of_best: Sample = field(default_factory=Sample)
    tau: Sample = field(default_factory=Sample)
    rounds: Sample = field(default_factory=Sample)
    matches: Sample = field(default_factory=Sample)

    def add(self, ratings: Sequence[int], ranks: Sequence[int], rounds: int, matches: int) -> None:
        """Count one tournament."""
        self.runs += 1
        self.best_wins.add(best_wins(ratings, ranks))
        self.rank_of_best.add(rank_of_best(ratings, ranks))
        self.tau.add(kendall_tau(ratings, ranks))
        self.rounds.add(rounds)
        self.matches.add(matches)
