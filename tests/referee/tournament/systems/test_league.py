"""League: divisions side by side."""

from random import Random

import pytest

from aboveboard_referee.tournament.history import Ask, Bye, History, Round, meetings
from aboveboard_referee.tournament.systems.league import League, divisions_of
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.seasons_of_systems import WILD, play

SYSTEM = League()
PLAN = Plan("league", divisions=(4, 3, 4))


def test_cuts_the_initial_order_into_divisions_and_leaves_the_rest_to_the_last() -> None:
    order = tuple(reversed(range(13)))
    history = History(13, 2, order)
    assert divisions_of(PLAN, history) == (order[:4], order[4:7], order[7:])


def test_follows_an_assignment_and_puts_everybody_else_in_the_last_division() -> None:
    plan = Plan("league", divisions=(2, 2), assigned=((3, 0), (1,)))
    assert divisions_of(plan, History(5, 2, (4, 3, 2, 1, 0))) == ((3, 0), (1, 4, 2))


@pytest.mark.parametrize("legs", [1, 2])
def test_lets_everybody_meet_its_own_division_once_a_leg_and_nobody_else(legs: int) -> None:
    plan = Plan("league", divisions=(4, 3, 4), legs=legs)
    history = play(SYSTEM, plan, 12, Random(1)).history
    expected = {
        (min(a, b), max(a, b)): legs
        for division in divisions_of(plan, history)
        for a in division
        for b in division
        if a != b
    }
    assert meetings(history) == expected


def test_plays_all_divisions_at_once() -> None:
    assert SYSTEM.rounds(PLAN, 11) == 3
    assert SYSTEM.rounds(PLAN, 12) == 5
    history = play(SYSTEM, PLAN, 12, Random(1)).history
    assert [len(drawn.tables) for drawn in history.rounds] == [5, 5, 5, 2, 2]


def test_ranks_divisions_before_points() -> None:
    history = History(12, 2, tuple(range(12)))
    assert SYSTEM.levels(PLAN, history) == (3, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1)


def test_lets_one_who_comes_late_into_an_odd_last_division() -> None:
    plan = Plan("league", divisions=(2, 3))
    drawn = SYSTEM.draw(plan, History(5, 2, (0, 1, 2, 3, 4)), Ask(1, (0, 1, 2, 3, 4), bytes(32)))
    assert drawn is not None
    assert [bye.entrant for bye in drawn.byes] == [2]
    late = (Bye(5, "late", 0), Bye(6, "late", 0))
    first = Round(1, (), (*drawn.byes, *late))
    history = History(7, 2, (6, 5, 0, 1, 2, 3, 4), (first,))
    assert divisions_of(plan, history) == ((0, 1), (2, 3, 4, 5))
    assert SYSTEM.levels(plan, history) == (2, 2, 1, 1, 1, 1, 0)


def test_draws_the_top_divisions_tables_first() -> None:
    for _, ask, drawn in play(SYSTEM, PLAN, 12, Random(1)).asked:
        if drawn is not None:
            levels = SYSTEM.levels(PLAN, History(12, 2, ask.present))
            of_tables = [levels[table[0]] for table in drawn.tables]
            assert of_tables == sorted(of_tables, reverse=True)


def test_keeps_everybody_in_its_division_whoever_leaves_and_comes() -> None:
    for seed in range(20):
        played = play(SYSTEM, PLAN, 11, Random(seed), WILD)
        before = divisions_of(PLAN, played.asked[0][0])
        after = divisions_of(PLAN, played.history)
        assert after[:2] == before[:2]
        assert after[2][: len(before[2])] == before[2]


@pytest.mark.parametrize(
    ("plan", "wrong"),
    [
        (Plan("league"), "0 divisions"),
        (Plan("league", divisions=(4, 1)), "a division of 1"),
        (Plan("league", divisions=(4,), legs=0), "0 legs"),
        (Plan("league", divisions=(4,), assigned=((1,), (2,))), "2 divisions assigned of 1"),
        (Plan("league", divisions=(2, 2), assigned=((1,), (1,))), "an entrant in two divisions"),
    ],
)
def test_says_what_it_cannot_follow(plan: Plan, wrong: str) -> None:
    assert SYSTEM.wrong(plan) == wrong
