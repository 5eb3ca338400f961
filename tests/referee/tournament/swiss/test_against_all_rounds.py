"""Held against every possible round of a field of up to nine entrants."""

from random import Random

import pytest

from tests.fakes.swiss_2 import all_rounds
from tests.fakes.swiss_questions import any_question, as_matching

CASES = 2000
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_drawn_round_is_the_best_of_all_rounds_and_no_other(part: int) -> None:
    rematches = byes = 0
    for case in range(part, CASES, PARTS):
        question = any_question(Random(case), 2, 9, rounds=case % 9)
        drawn = question.drawn()
        rounds = all_rounds(*question)
        best, _, matching = rounds[0]
        assert question.measured() == best, case
        assert as_matching(question, drawn) == matching, case
        rematches += best[0] > 0 and min(values[0] for values, _, _ in rounds) > 0
        byes += len(drawn.byes)
    assert rematches > 10  # the cases do force some
    assert byes > 100


def test_rematch_is_made_only_where_every_round_has_one() -> None:
    for case in range(150):
        question = any_question(Random(case), 3, 8, rounds=8, by_hand=False, by_score=False)
        fewest = min(values[0] for values, _, _ in all_rounds(*question))
        assert question.measured().rematches == fewest
