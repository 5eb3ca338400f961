"""What is said of a round is what trying all rounds says."""

from fractions import Fraction
from random import Random

import pytest

from aboveboard_referee.tournament.history import Ask, History
from aboveboard_referee.tournament.swiss.explain import (
    Price,
    explain_entrant,
    explain_round,
    said,
)
from aboveboard_referee.tournament.swiss.field import BYE
from aboveboard_referee.tournament.swiss.measures import Measures
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.histories import seed_of
from tests.fakes.swiss_2 import Values, all_rounds
from tests.fakes.swiss_questions import any_question


def first_difference(worse: Values, better: Values) -> Price:
    for name, value, instead_of in zip(Measures._fields, worse, better, strict=True):
        if value != instead_of:
            return Price(name, value, instead_of)
    return Price("", 0, 0)


def test_next_best_round_is_the_second_of_all_rounds() -> None:
    seen = set()
    for case in range(80):
        question = any_question(Random(case), 3, 8, by_hand=False)
        explained = explain_round(*question)
        rounds = all_rounds(*question)
        assert explained.measures == rounds[0][0]
        assert explained.proven
        if len(rounds) == 1:
            assert explained.next_best is None
        else:
            assert explained.next_best == first_difference(rounds[1][0], rounds[0][0])
            seen.add(explained.next_best.measure)
    assert len(seen) > 4


def test_next_best_opponent_is_that_of_the_best_round_with_another_one() -> None:
    for case in range(80):
        question = any_question(Random(case), 3, 8, by_hand=False)
        entrant = question.ask.present[case % len(question.ask.present)]
        explained = explain_entrant(*question, entrant)
        rounds = [
            (values, next(a + b - entrant for a, b in pairs if entrant in (a, b)))
            for values, _, pairs in all_rounds(*question)
        ]
        best, opponent = rounds[0]
        assert explained.opponent == opponent
        others = [(values, other) for values, other in rounds if other != opponent]
        if others:
            assert explained.next_best == others[0][1]
            assert explained.price == first_difference(others[0][0], best)
        else:
            assert explained.next_best is None


def test_large_rounds_are_explained_for_an_entrant() -> None:
    question = any_question(Random(1), 400, 500, rounds=4, point=2, by_score=True, by_hand=False)
    entrant = question.ask.present[0]
    explained = explain_entrant(*question, entrant)
    assert explained.next_best not in (None, explained.opponent)
    assert explain_round(*question).next_best is None


PLAN = Plan("swiss", rounds=3)
HISTORY = History(5, 2, (0, 1, 2, 3, 4))
NAMES = ("ann", "ben", "cat", "dan", "eve")


def test_lines_say_it_in_words() -> None:
    ask = Ask(1, (0, 1, 2, 3, 4), seed_of(2), ((3, 4),))
    told = explain_round(PLAN, HISTORY, ask).lines
    assert told[0] == "round 1: proven to be the best"
    assert told[1] == "       0  pairs that have played each other before"
    assert told[-1].startswith("the next best round: ")
    assert explain_entrant(PLAN, HISTORY, ask, 3).lines(NAMES) == (
        "dan (0) plays eve (0), by hand",
    )
    byes = [
        explained.lines(NAMES)
        for entrant in (0, 1, 2)
        if (explained := explain_entrant(PLAN, HISTORY, ask, entrant)).opponent == BYE
    ]
    ((first, second),) = byes
    assert first.endswith(" (0) has the bye")
    assert second.startswith("the next best choice was ")


def test_who_has_no_place_in_a_round_is_told_so() -> None:
    with pytest.raises(ValueError, match=r"^entrant 4 has no place in round 1$"):
        explain_entrant(PLAN, HISTORY, Ask(1, (0, 1), seed_of(1)), 4)


def test_points_are_said_as_people_write_them() -> None:
    assert [said(Fraction(n, 2)) for n in (0, 1, 2, 5)] == ["0", "0.5", "1", "2.5"]
    assert said(Fraction(7, 3)) == "7/3"
