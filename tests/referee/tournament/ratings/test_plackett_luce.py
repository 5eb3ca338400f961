"""Ratings folded over contests."""

import sys
from dataclasses import replace
from random import Random

import pytest
from openskill.models import PlackettLuce

from aboveboard_referee.tournament.ratings.contest import Contest, Place
from aboveboard_referee.tournament.ratings.plackett_luce import Rating, RatingsMissing, rate
from tests.fakes.contests import duel, everybody


def numbers(ratings: tuple[Rating, ...]) -> list[tuple[float, float]]:
    return [(rating.mu, rating.sigma) for rating in ratings]


def test_ratings_are_those_of_openskill_in_the_order_of_play() -> None:
    contests = [duel(0, 1, 1, (1, 0, 0)), duel(1, 2, 0.5, (1, 1, 0)), duel(0, 2, 0, (2, 0, 0))]
    model = PlackettLuce()
    a, b, c = (model.rating() for _ in range(3))
    [[a], [b]] = model.rate([[a], [b]], ranks=[1, 2])
    [[b], [c]] = model.rate([[b], [c]], ranks=[1, 1])
    [[a], [c]] = model.rate([[a], [c]], ranks=[2, 1])
    found = rate(contests, 3)
    assert numbers(found) == [(each.mu, each.sigma) for each in (a, b, c)]
    assert [rating.contests for rating in found] == [2, 2, 2]
    assert [rating.ordinal for rating in found] == [each.ordinal() for each in (a, b, c)]


def test_contests_are_taken_in_canonical_order_however_they_come() -> None:
    contests = everybody([0.2, 0.0, -0.2], 3, Random(1))
    assert rate(contests, 3) == rate(contests[::-1], 3)


def test_another_order_of_play_gives_other_ratings() -> None:
    first, second = duel(0, 1, 1, (1, 0, 0)), duel(0, 1, 0, (2, 0, 0))
    turned = [replace(first, place=second.place), replace(second, place=first.place)]
    assert numbers(rate([first, second], 2)) != numbers(rate(turned, 2))


def test_a_table_of_more_ranks_all_of_them_at_once() -> None:
    contest = Contest(Place(1, 0), ((0,), (1,), (2,)), (2, 1, 3), (0.5, 1, 0), "r1-b1")
    second, first, third = rate([contest], 3)
    assert first.mu > second.mu > third.mu


def test_partners_rise_and_fall_together() -> None:
    contest = Contest(Place(1, 0), ((0, 2), (1, 3)), (1, 2), (1, 0), "r1-b1")
    found = rate([contest], 4)
    assert found[0] == found[2]
    assert found[1] == found[3]
    assert found[0].mu > 25 > found[1].mu


def test_house_bots_are_known_and_not_rated() -> None:
    found = rate([duel(0, 1, 1)], 2, unrated=[1])
    assert [rating.rated for rating in found] == [True, False]
    assert numbers(found) == numbers(rate([duel(0, 1, 1)], 2))


def test_a_win_against_nobody_rates_nobody() -> None:
    found = rate([duel(0, 1, 1, contested=False)], 2)
    assert numbers(found) == [(25, 25 / 3)] * 2
    assert [rating.contests for rating in found] == [0, 0]


def test_more_contests_leave_less_doubt_and_put_the_stronger_first() -> None:
    contests = everybody([0.3, 0.0, -0.3], 20, Random(2))
    found = rate(contests, 3)
    assert found[0].ordinal > found[1].ordinal > found[2].ordinal
    assert all(rating.sigma < 6 for rating in found)


def test_without_openskill_it_is_said_that_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(RatingsMissing, match="openskill"):
        rate([], 0)
