"""Small fields get the best round there is, by a search that shares nothing with the product."""

from random import Random

import pytest

from aboveboard_referee.tournament.tables.measures import measure
from aboveboard_referee.tournament.tables.past import look_back
from aboveboard_referee.tournament.tables.system import Tables
from tests.fakes.table_histories import (
    Judge,
    chance_ask,
    chance_history,
    made_by_system,
    plan_for,
)

THREE = ((3, (3,)), (3, (2, 3)), (3, (3, 4)), (3, (2, 3, 4)), (3, (2, 3, 4, 5, 6, 7)))
FOUR = ((4, (3, 4)), (4, (2, 3, 4)), (4, (4, 5)), (4, (2, 3, 4, 5, 6, 7)))
LARGE = ((5, (4, 5)), (6, (2, 3, 4, 5, 6)), (7, (5, 6, 7)), (7, (2, 3, 4, 5, 6, 7)))


def compare(number: int, forms: tuple[tuple[int, tuple[int, ...]], ...], most: int) -> None:
    """One case by chance: its tables, and every number that is said about them."""
    chance = Random(number)
    seats, sizes = chance.choice(forms)
    present = chance.randint(2, most) if chance.random() < 0.3 else most
    matches = chance.choice((1, 1, 2, 3))
    plan = plan_for(seats, sizes, matches=matches)
    history = chance_history(
        chance, present + chance.randint(0, 4), chance.randint(0, 5), sizes, matches
    )
    ask = chance_ask(chance, history, present, sizes)

    drawn = Tables().draw(plan, history, ask)

    assert drawn is not None
    judge = Judge(plan, history, ask)
    numbers, tables = judge.best()
    assert made_by_system(drawn, ask) == tuple(sorted(tables))
    assert measure(plan.seats, look_back(history), ask, drawn) == numbers


def test_fields_of_up_to_nine_at_three_seats_get_the_true_optimum() -> None:
    for number in range(500):
        compare(number, THREE, most=9)


def test_fields_of_up_to_nine_at_four_seats_get_the_true_optimum() -> None:
    for number in range(80):
        compare(number, FOUR, most=9)


def test_fields_of_up_to_nine_at_larger_tables_get_the_true_optimum() -> None:
    for number in range(10):
        compare(number, LARGE, most=9)


@pytest.mark.slow
def test_fields_of_up_to_nine_get_the_true_optimum_in_all_of_two_thousand_cases() -> None:
    for number in range(500, 2_000):
        compare(number, THREE, most=9)
    for number in range(80, 400):
        compare(number, FOUR, most=9)


@pytest.mark.slow
def test_fields_of_up_to_twelve_get_the_true_optimum() -> None:
    for number in range(60):
        compare(number, THREE + FOUR, most=12)
