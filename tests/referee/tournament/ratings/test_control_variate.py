"""Scores without luck: what the formulas say, and that intervals hold what they promise."""

from random import Random
from statistics import mean, variance

import pytest

from aboveboard_referee.tournament.ratings.control_variate import (
    Sample,
    adjust,
    slopes,
    variance_left,
)
from aboveboard_referee.tournament.ratings.student import Interval


def group(*pairs: tuple[float, float], kind: str = "a") -> list[Sample]:
    return [Sample(kind, own, luck) for own, luck in pairs]


def test_a_score_that_is_all_luck_has_none_left() -> None:
    samples = group((1, 0.5), (0, -0.5), (1, 0.5))
    found = adjust(samples, slopes([samples]))
    assert found.mean == pytest.approx(2 / 3)
    assert found.adjusted == pytest.approx(0.5)
    assert found.luck == pytest.approx(1 / 6)
    assert found.variance_ratio == pytest.approx(0)
    assert found.narrowing == pytest.approx(1)


def test_the_slope_is_that_of_the_least_squares_within_groups() -> None:
    strong = group((1, 0.5), (1, 0.1), (0.5, -0.4))
    weak = group((0, -0.5), (0.5, 0.2), (0, 0.3))
    values = [
        (s.own - mean(t.own for t in each), s.luck - mean(t.luck for t in each))
        for each in (strong, weak)
        for s in each
    ]
    by_hand = sum(own * luck for own, luck in values) / sum(luck**2 for _, luck in values)
    assert slopes([strong, weak])["a"] == pytest.approx(by_hand)


def test_strength_is_not_taken_for_luck() -> None:
    # The strong one happens to be the lucky one, but within each nothing hangs on luck.
    strong = group((1, 0.4), (0, 0.4), (1, 0.6), (0, 0.6))
    weak = group((0, -0.5), (0, -0.4))
    assert slopes([strong, weak])["a"] == pytest.approx(0)


def test_each_kind_has_a_slope_of_its_own() -> None:
    samples = group((1, 0.5), (0, -0.5)) + group((1, -0.2), (0, 0.2), kind="b")
    assert slopes([samples]) == {"a": pytest.approx(1), "b": pytest.approx(-2.5)}
    assert adjust(samples, slopes([samples])).adjusted == pytest.approx(0.5)


def test_luck_that_never_differs_takes_nothing_away() -> None:
    samples = group((1, 0), (0, 0), (1, 0))
    assert slopes([samples]) == {"a": 0}
    found = adjust(samples, {"a": 0})
    assert found.adjusted == found.mean
    assert found.interval == found.adjusted_interval
    assert found.variance_ratio == 1


def test_the_interval_without_luck_is_that_of_what_is_left() -> None:
    pairs = [(0.5, 0.1), (1.0, 0.2), (0.5, -0.1), (0.0, -0.4), (0.5, 0.3)]
    found = adjust(group(*pairs), {"a": 0.5})
    left = [own - 0.5 * luck for own, luck in pairs]
    reach = 2.776445 * (variance(left) / 5) ** 0.5
    assert found.adjusted_interval == pytest.approx((mean(left) - reach, mean(left) + reach))
    owns = [own for own, _ in pairs]
    assert found.variance_ratio == pytest.approx(variance(left) / variance(owns))


def test_one_match_could_have_been_anything() -> None:
    found = adjust(group((1, 0.5)), {"a": 0.4})
    assert found.interval == found.adjusted_interval == Interval(0, 1)
    assert found.variance_ratio is None
    assert found.narrowing is None


def random_groups(random: Random, weight: float, size: int) -> list[list[Sample]]:
    """Entrants of several strengths whose results hang on luck by a weight."""
    groups = []
    for strength in (0.3, 0.4, 0.5, 0.6, 0.7):
        samples = []
        for _ in range(size):
            luck = random.uniform(-0.5, 0.5)
            won = random.random() < strength + weight * luck
            samples.append(Sample("a", float(won), luck))
        groups.append(samples)
    return groups


def test_what_is_no_luck_leaves_all_of_the_variance() -> None:
    found = [variance_left(random_groups(Random(seed), 0, 20))["a"] for seed in range(200)]
    assert mean(found) == pytest.approx(1, abs=0.005)


def test_kinds_with_nothing_to_compare_are_left_out() -> None:
    assert variance_left([group((1, 0.5)), group((0, -0.5))]) == {}
    assert variance_left([group((1, 0.5), (1, 0.1), (1, 0.2))]) == {}


@pytest.mark.slow
def test_intervals_without_luck_are_narrower_and_hold_the_truth_as_often() -> None:
    held = adjusted_held = total = 0
    widths: list[float] = []
    adjusted_widths: list[float] = []
    for seed in range(400):
        groups = random_groups(Random(seed), 0.6, 30)
        slope = slopes(groups)
        for strength, samples in zip((0.3, 0.4, 0.5, 0.6, 0.7), groups, strict=True):
            found = adjust(samples, slope)
            total += 1
            held += found.interval.low <= strength <= found.interval.high
            adjusted_held += found.adjusted_interval.low <= strength <= found.adjusted_interval.high
            widths.append(found.interval.high - found.interval.low)
            adjusted_widths.append(found.adjusted_interval.high - found.adjusted_interval.low)
    assert 0.93 < held / total < 0.975
    assert 0.93 < adjusted_held / total < 0.97
    assert mean(adjusted_widths) < 0.95 * mean(widths)
