"""Student's t distribution: how far a mean of few values may be from the truth."""

from math import atan, cos, erfc, inf, pi, sin, sqrt
from typing import NamedTuple

LEVEL = 0.95
"""How often an interval is to hold the truth, unless something else is asked for."""

_NORMAL_FROM = 1000
"""From so many degrees of freedom on, t is the normal distribution to three digits."""


def quantile(freedom: int, level: float = LEVEL) -> float:
    """The t that a share ``level`` of the distribution lies within, on both sides of 0.

    ``freedom`` are the degrees of freedom, from 1; less gives infinity. Raises ValueError
    for a level that is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"a level is between 0 and 1, not {level}")
    if freedom < 1:
        return inf
    low, high = 0.0, 1.0
    while within(high, freedom) < level:
        low, high = high, 2 * high
    while (middle := (low + high) / 2) not in (low, high):
        if within(middle, freedom) < level:
            low = middle
        else:
            high = middle
    return high


def within(t: float, freedom: int) -> float:
    """The share of the distribution between -t and t.

    Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.
    """
    if freedom >= _NORMAL_FROM:
        return 1 - erfc(t / sqrt(2))
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for step in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (step - 1) / step
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


class Interval(NamedTuple):
    """Between which two values something lies with a stated probability."""

    low: float
    high: float

    def within(self, lowest: float, highest: float) -> "Interval":
        """The same with both ends moved to where the thing itself can be."""
        low, high = (min(max(end, lowest), highest) for end in self)
        return Interval(low, high)


def around(mean: float, variance: float, freedom: int, level: float = LEVEL) -> Interval:
    """The interval around a mean whose own variance was estimated with so many degrees of
    freedom. Without any it has no ends.
    """
    if freedom < 1:
        return Interval(-inf, inf)
    reach = quantile(freedom, level) * sqrt(variance)
    return Interval(mean - reach, mean + reach)
