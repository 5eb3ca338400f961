"""How far points and places could have come out otherwise."""

from math import sqrt
from random import Random

import pytest

from aboveboard_referee.tournament.ratings.bootstrap import spreads
from aboveboard_referee.tournament.ratings.student import Interval
from tests.fakes.contests import duel, everybody

SEED = bytes(range(32))


def test_spreads_are_a_function_of_contests_and_seed() -> None:
    contests = everybody([0.1, 0.0, -0.1], 4, Random(1))
    first = spreads(contests, [0.0] * 3, SEED)
    assert first == spreads(contests, [0.0] * 3, SEED)
    assert first != spreads(contests, [0.0] * 3, bytes(32))


def test_totals_are_the_tables_points_with_what_is_fixed() -> None:
    contests = [duel(0, 1, 1, (1, 0, 0)), duel(0, 1, 0.5, (2, 0, 0), worth=0.5)]
    found = spreads(contests, [1.0, 0.0], SEED)
    assert [each.total for each in found] == [2.25, 0.25]


def test_an_interval_lies_between_nothing_and_everything_that_was_to_be_gained() -> None:
    contests = [duel(0, 1, points, (n, 0, 0)) for n, points in enumerate([1, 0, 1], start=1)]
    found = spreads(contests, [1.0, 0.0], SEED)
    for each, fixed in zip(found, (1, 0), strict=True):
        assert each.points is not None
        assert fixed <= each.points.low < each.total < each.points.high <= fixed + 3


def test_results_that_never_differ_do_not_spread() -> None:
    contests = [duel(0, 1, 1, (n, 0, 0)) for n in range(1, 9)]
    winner, loser = spreads(contests, [0.0, 0.0], SEED)
    assert winner.points == pytest.approx((8, 8))
    assert loser.points == pytest.approx((0, 0))
    assert (winner.best, winner.worst, loser.best, loser.worst) == (1, 1, 2, 2)


def test_those_who_always_level_share_their_place() -> None:
    contests = [duel(0, 1, 0.5, (n, 0, 0)) for n in range(1, 5)]
    found = spreads(contests, [0.0, 0.0], SEED)
    assert [(each.best, each.worst) for each in found] == [(1, 1), (1, 1)]


def test_one_match_tells_nothing_of_another() -> None:
    found = spreads([duel(0, 1, 1)], [0.0, 2.0], SEED)
    assert [each.points for each in found] == [None, None]
    assert [each.total for each in found] == [1, 2]


def test_who_only_sat_out_has_what_is_fixed() -> None:
    contests = [duel(0, 1, points, (n, 0, 0)) for n, points in enumerate([1, 0, 1], start=1)]
    assert spreads(contests, [0.0, 0.0, 3.0], SEED)[2].points == Interval(3, 3)


def test_a_win_against_nobody_is_fixed() -> None:
    contests = [duel(0, 1, 1, (n, 0, 0), contested=False) for n in (1, 2, 3)]
    winner, _ = spreads(contests, [0.0, 0.0], SEED)
    assert winner.total == 3
    assert winner.points == Interval(3, 3)


def test_games_over_the_same_decks_stand_or_fall_together() -> None:
    results = [(1, 1), (0, 0), (1, 1), (0, 0), (1, 1), (0, 0)]
    together, apart = (
        [
            duel(0, 1, points, (n, 0, i), deals=f"p{n}" if paired else "")
            for n, both in enumerate(results, start=1)
            for i, points in enumerate(both)
        ]
        for paired in (True, False)
    )
    widths = []
    for contests in (together, apart):
        interval = spreads(contests, [0.0, 0.0], SEED)[0].points
        assert interval is not None
        widths.append(interval.high - interval.low)
    assert widths[0] > 1.2 * widths[1]


def test_the_width_is_that_of_the_sampling_of_matches() -> None:
    # Of 100 matches half are won: a standard error of 5 points (5.03 without bias).
    contests = [duel(0, 1, n % 2, (n, 0, 0)) for n in range(1, 101)]
    interval = spreads(contests, [0.0, 0.0], SEED, replicates=4000)[0].points
    assert interval is not None
    assert interval == pytest.approx((50 - 1.96 * 5.03, 50 + 1.96 * 5.03), abs=0.6)


@pytest.mark.slow
def test_intervals_hold_the_expected_points_about_as_often_as_they_say() -> None:
    strengths = [0.15, 0.05, -0.05, -0.15]
    rounds = 8
    held = total = first_held = 0
    tournaments = 150
    for seed in range(tournaments):
        contests = everybody(strengths, rounds, Random(seed))
        found = spreads(contests, [0.0] * 4, SEED, replicates=400)
        first_held += found[0].best == 1
        for entrant, each in enumerate(found):
            expected = rounds * sum(
                0.5 + strengths[entrant] - other
                for number, other in enumerate(strengths)
                if number != entrant
            )
            assert each.points is not None
            total += 1
            held += each.points.low <= expected <= each.points.high
    # Percentiles of 24 matches hold a little less than they say.
    assert held / total > 0.95 - 0.02 - 3 * sqrt(0.95 * 0.05 / total)
    assert held / total < 0.98
    assert first_held / tournaments > 0.95
