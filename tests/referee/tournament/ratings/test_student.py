"""Student's t against tables and against plain integration."""

from math import gamma, inf, pi, sqrt

import pytest

from aboveboard_referee.tournament.ratings.student import Interval, around, quantile, within


@pytest.mark.parametrize(
    ("freedom", "level", "t"),
    [
        # NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2
        (1, 0.95, 12.706),
        (2, 0.95, 4.303),
        (3, 0.90, 2.353),
        (10, 0.95, 2.228),
        (30, 0.99, 2.750),
        (100, 0.95, 1.984),
        (10**6, 0.95, 1.960),
    ],
)
def test_quantiles_are_those_of_the_tables(freedom: int, level: float, t: float) -> None:
    assert round(quantile(freedom, level), 3) == t


@pytest.mark.parametrize("freedom", range(1, 12))
def test_the_share_within_is_the_area_under_the_density(freedom: int) -> None:
    scale = gamma((freedom + 1) / 2) / (sqrt(freedom * pi) * gamma(freedom / 2))
    steps = 4000
    width = 1.7 / steps
    area = sum(
        scale * (1 + ((i + 0.5) * width) ** 2 / freedom) ** (-(freedom + 1) / 2) * width
        for i in range(steps)
    )
    assert within(1.7, freedom) == pytest.approx(2 * area, abs=1e-7)


def test_one_value_says_nothing_about_its_mean() -> None:
    assert quantile(0) == inf
    assert around(0.4, 0.1, 0) == Interval(-inf, inf)
    assert around(0.4, 0.1, 0).within(0, 1) == Interval(0, 1)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95])
def test_a_level_that_is_none_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile(5, level)
