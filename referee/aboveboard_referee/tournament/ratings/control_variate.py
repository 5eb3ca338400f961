"""Scores with the luck of the cards taken out, as far as it can be measured.

The luck of a seat is measured by what somebody else, the same player in all seats, made of the
same decks, less what everybody gets on average. Over all cards it is 0, so taking any multiple
of it away from a score moves no expected value; the multiple that narrows the spread most is
the slope of scores over luck. That is a control variate (e.g. Owen, "Monte Carlo theory,
methods and examples", section 8.9).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from aboveboard_referee.tournament.ratings.student import LEVEL, Interval, around


@dataclass(frozen=True, slots=True)
class Sample:
    """What somebody got of a match, from 0 to 1, and its luck there.

    Luck is comparable within a ``kind``, which is the game, and not between kinds.
    """

    kind: str
    own: float
    luck: float


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A mean score with and without luck, what the truth lies within, and how much that gains.

    ``luck`` is how much of ``mean`` was luck: ``mean - adjusted``. ``variance_ratio`` is what is
    left of the variance of a match: 1 is no gain, 0 all of it; None where there is nothing to
    compare. It can be above 1 for few matches.
    """

    samples: int
    mean: float
    interval: Interval
    adjusted: float
    adjusted_interval: Interval
    variance_ratio: float | None

    @property
    def luck(self) -> float:
        return self.mean - self.adjusted

    @property
    def narrowing(self) -> float | None:
        """By how much the interval is narrower: 0.25 is a quarter."""
        return None if self.variance_ratio is None else 1 - sqrt(self.variance_ratio)


def slopes(groups: Sequence[Sequence[Sample]]) -> Mapping[str, float]:
    """By kind, how much of a score a unit of luck is worth: what ``adjust`` takes away.

    A group are the matches of one entrant, whose own strength must not be taken for
    luck; so differences within groups count alone. 0 where luck never differs.
    """
    own: defaultdict[str, float] = defaultdict(float)
    luck: defaultdict[str, float] = defaultdict(float)
    for kind, part in _parts(groups):
        mean_own, mean_luck = _mean([s.own for s in part]), _mean([s.luck for s in part])
        own[kind] += sum((s.own - mean_own) * (s.luck - mean_luck) for s in part)
        luck[kind] += sum((s.luck - mean_luck) ** 2 for s in part)
    return {kind: own[kind] / luck[kind] if luck[kind] else 0.0 for kind in luck}


def adjust(samples: Sequence[Sample], slope: Mapping[str, float], level: float = LEVEL) -> Adjusted:
    """One entrant's mean score with and without luck. Needs a match.

    ``slope`` is best estimated from many entrants: one's own few matches would fit it to
    their noise, and their interval would come out too narrow.
    """
    raw = [sample.own for sample in samples]
    less = [sample.own - slope[sample.kind] * sample.luck for sample in samples]
    before, after = _squares(raw), _squares(less)
    freedom = len(samples) - 1
    a_mean = 1 / (max(freedom, 1) * len(samples))  # squares to the variance of their mean
    return Adjusted(
        samples=len(samples),
        mean=_mean(raw),
        interval=around(_mean(raw), before * a_mean, freedom, level).within(0.0, 1.0),
        adjusted=_mean(less),
        adjusted_interval=around(_mean(less), after * a_mean, freedom, level).within(0.0, 1.0),
        variance_ratio=after / before if before else None,
    )


def variance_left(groups: Sequence[Sequence[Sample]]) -> Mapping[str, float]:
    """By kind, the part of a match's variance that remains, over all groups.

    Corrected for the slope, which was fitted to the very same matches, so that what is no luck
    comes to about 1. Kinds in which there is nothing to compare are left out.
    """
    slope = slopes(groups)
    before: defaultdict[str, float] = defaultdict(float)
    after: defaultdict[str, float] = defaultdict(float)
    freedom: defaultdict[str, int] = defaultdict(int)
    for kind, part in _parts(groups):
        before[kind] += _squares([s.own for s in part])
        after[kind] += _squares([s.own - slope[kind] * s.luck for s in part])
        freedom[kind] += len(part) - 1
    return {
        kind: after[kind] / (freedom[kind] - 1) / (before[kind] / freedom[kind])
        for kind in before
        if before[kind] and freedom[kind] > 1
    }


def _parts(groups: Sequence[Sequence[Sample]]) -> list[tuple[str, list[Sample]]]:
    """Every group apart by kinds."""
    parts: list[tuple[str, list[Sample]]] = []
    for group in groups:
        by_kind: dict[str, list[Sample]] = {}
        for sample in group:
            by_kind.setdefault(sample.kind, []).append(sample)
        parts.extend(by_kind.items())
    return parts


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _squares(values: Sequence[float]) -> float:
    """The sum of squared differences from the mean."""
    mean = _mean(values)
    return sum((value - mean) ** 2 for value in values)
