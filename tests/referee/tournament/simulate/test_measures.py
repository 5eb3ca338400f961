"""How well a table tells the true order."""

from random import Random

import pytest

from aboveboard_referee.tournament.simulate.measures import (
    Sample,
    Summary,
    best_wins,
    kendall_tau,
    rank_of_best,
)


def test_the_best_wins_for_the_part_of_a_first_place_that_it_has() -> None:
    assert best_wins((9, 5, 1), (1, 2, 3)) == 1
    assert best_wins((9, 5, 1), (2, 1, 3)) == 0
    assert best_wins((9, 5, 1), (1, 1, 3)) == 0.5
    assert best_wins((9, 9, 1), (2, 1, 3)) == 1


def test_the_rank_of_the_best_is_the_middle_of_a_shared_place() -> None:
    assert rank_of_best((9, 5, 1), (3, 1, 2)) == 3
    assert rank_of_best((9, 5, 1), (1, 1, 1)) == 2
    assert rank_of_best((9, 9, 1), (1, 3, 2)) == 2


def test_tau_is_one_for_the_true_order_and_less_one_for_its_reverse() -> None:
    assert kendall_tau((9, 5, 1), (1, 2, 3)) == 1
    assert kendall_tau((9, 5, 1), (3, 2, 1)) == -1
    assert kendall_tau((9, 5, 1), (1, 1, 1)) == 0
    assert kendall_tau((5, 5, 5), (3, 1, 2)) == 1


def test_tau_is_what_counting_all_pairs_gives() -> None:
    chance = Random(1)
    for _ in range(200):
        size = chance.randint(2, 12)
        ratings = [chance.randint(0, 9) for _ in range(size)]
        ranks = [chance.randint(1, size) for _ in range(size)]
        pairs = [(i, j) for i in range(size) for j in range(size) if ratings[i] > ratings[j]]
        sign = sum((ranks[i] < ranks[j]) - (ranks[i] > ranks[j]) for i, j in pairs)
        assert kendall_tau(ratings, ranks) == (sign / len(pairs) if pairs else 1)


def test_intervals_are_those_of_the_books() -> None:
    mean = Sample()
    for value in (1, 2, 3, 4):
        mean.add(value)
    estimate = mean.mean()
    assert (estimate.mean, round(estimate.low, 4), round(estimate.high, 4)) == (2.5, 1.2348, 3.7652)
    share = Sample()
    for value in (1,) * 8 + (0,) * 2:
        share.add(value)
    # Wilson's interval for 8 of 10.
    assert (round(share.share().low, 4), round(share.share().high, 4)) == (0.4902, 0.9433)


def test_an_interval_of_a_share_stays_within_none_and_all() -> None:
    always = Sample()
    always.add(1)
    assert always.share().high == pytest.approx(1)
    assert 0 < always.share().low < 1
    assert always.mean().low == 1


def test_a_summary_counts_every_tournament() -> None:
    summary = Summary()
    summary.add((9, 5), (1, 2), 3, 30)
    summary.add((9, 5), (2, 1), 5, 50)
    assert summary.runs == 2
    assert summary.best_wins.share().mean == 0.5
    assert summary.tau.mean().mean == 0
    assert (summary.rounds.mean().mean, summary.matches.mean().mean) == (4, 40)
