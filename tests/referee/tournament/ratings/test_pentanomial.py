"""Counting pairs of games."""

from statistics import mean, variance

import pytest

from aboveboard_referee.tournament.ratings.pentanomial import Pentanomial, elo, score


def pairs_of(*half_points: int) -> Pentanomial:
    pairs = Pentanomial()
    for each in half_points:
        pairs = pairs.plus(each)
    return pairs


def test_each_pair_is_counted_under_its_score() -> None:
    pairs = pairs_of(0, 2, 2, 3, 4, 2)
    assert pairs.counts == (1, 0, 3, 1, 1)
    assert pairs.pairs == 6


@pytest.mark.parametrize("half_points", [-1, 5])
def test_no_pair_has_more_than_two_points_or_less_than_none(half_points: int) -> None:
    with pytest.raises(ValueError, match="0 to 4"):
        Pentanomial().plus(half_points)


def test_mean_and_variance_are_those_of_the_pairs() -> None:
    halves = (0, 2, 2, 3, 4, 2, 1)
    pairs = pairs_of(*halves)
    assert pairs.score == pytest.approx(mean(half / 4 for half in halves))
    assert pairs.variance == pytest.approx(variance(half / 4 for half in halves))


def test_the_interval_is_students_and_stays_where_scores_are() -> None:
    low, high = pairs_of(1, 3).interval() or (None, None)
    assert (low, high) == (0, 1)
    interval = pairs_of(*[2] * 50, *[3] * 50).interval()
    assert interval is not None
    # 0.625 ± t(99) · sqrt(0.015625 · 100/99 / 100)
    assert interval == pytest.approx((0.625 - 0.024927, 0.625 + 0.024927), abs=1e-5)


def test_pairs_that_are_all_alike_give_no_interval() -> None:
    assert pairs_of(4, 4, 4).interval() is None
    assert pairs_of(2).interval() is None
    assert Pentanomial().interval() is None


def test_games_that_cancel_each_other_narrow_and_games_that_agree_widen() -> None:
    cancelling, agreeing = pairs_of(2, 2, 2, 1, 3), pairs_of(0, 4, 0, 4, 2)
    assert cancelling.narrowing(games_variance=0.25) > 0.4
    assert agreeing.narrowing(games_variance=0.25) < 0


def test_independent_games_are_neither_narrower_nor_wider() -> None:
    pairs = Pentanomial((250, 0, 500, 0, 250))
    assert pairs.narrowing(games_variance=0.25) == pytest.approx(0, abs=1e-3)


def test_elo_and_score_are_inverse() -> None:
    assert elo(10 / 11) == pytest.approx(400)
    assert score(400) == pytest.approx(10 / 11)
    assert elo(score(-37.5)) == pytest.approx(-37.5)
    assert (elo(0), elo(1)) == (float("-inf"), float("inf"))
