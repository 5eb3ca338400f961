"""Large fields are paired in parts and frames: no worse than the whole graph would be."""

from random import Random

import pytest

from aboveboard_referee.tournament.swiss.costs import Cost
from aboveboard_referee.tournament.swiss.field import BYE, Field, Pair, field_of
from aboveboard_referee.tournament.swiss.frame import frame
from aboveboard_referee.tournament.swiss.solving import WHOLE_LEAST, WHOLE_MOST, solve
from aboveboard_referee.tournament.swiss.structure import Part, parts_of, sums_of
from aboveboard_referee.tournament.swiss.whole import best_of
from tests.fakes.swiss_questions import any_question

NONE: frozenset[Pair] = frozenset()


def whole_part(field: Field, part: Part) -> frozenset[Pair] | None:
    """The best pairing of a part that has the form of parts, by all of its pairs."""
    best = best_of(field, part.vertices)
    return best if best is not None and part.is_sound(sums_of(field, best), field) else None


def test_sound_parts_make_up_the_best_of_all_rounds() -> None:
    sound = 0
    for case in range(250):
        field = field_of(*any_question(Random(case), 2, 40))
        best = [whole_part(field, part) for part in parts_of(field)]
        pairs = [part for part in best if part is not None]
        if len(pairs) == len(best):
            sound += 1
            assert frozenset().union(*pairs) == best_of(field, field.vertices), case
    assert sound > 100


def test_a_frame_is_never_worse_than_all_pairs_of_its_part() -> None:
    found = missed = 0
    for case in range(150):
        field = field_of(*any_question(Random(case), 6, 90))
        for part in parts_of(field):
            framed = frame(field, part, NONE)
            if framed is None:
                missed += 1
                continue
            found += 1
            best = whole_part(field, part)
            assert best is not None
            assert sums_of(field, framed) == sums_of(field, best), case
    assert found > 3 * missed


def equal_to_the_whole_graphs(case: int, most: int) -> None:
    field = field_of(*any_question(Random(case), WHOLE_LEAST, most))
    solution = solve(field)
    best = best_of(field, field.vertices)
    assert solution is not None
    assert best is not None
    assert solution.proven
    assert sums_of(field, solution.pairs) == sums_of(field, best), case


@pytest.mark.parametrize("case", range(12))
def test_fields_of_up_to_200_are_paired_as_well_as_by_the_whole_graph(case: int) -> None:
    equal_to_the_whole_graphs(case, 200)


@pytest.mark.slow
@pytest.mark.parametrize("case", range(100, 200))
def test_fields_of_up_to_300_are_paired_as_well_as_by_the_whole_graph(case: int) -> None:
    equal_to_the_whole_graphs(case, 300)


def test_large_fields_are_proven_where_nobody_must_meet_again() -> None:
    proven = 0
    for case in range(4):
        question = any_question(Random(case), 3000, 4000, rounds=4, by_score=True, point=2)
        field = field_of(*question)
        solution = solve(field)
        assert solution is not None
        proven += solution.proven
        assert sorted(end for pair in solution.pairs for end in pair) == list(field.vertices)
        # Whatever is proven or not: nothing is lost by the measures that matter most.
        sums = sums_of(field, solution.pairs)
        odd = sum(len(part.groups) - 1 for part in parts_of(field))
        assert sums[:4] == Cost(0, 0, 0, odd, 0, 0, 0, 0)[:4]
    assert proven >= 3


def test_a_large_round_that_cannot_be_made_of_parts_is_mended() -> None:
    mended = 0
    for case in range(6):
        question = any_question(Random(case), 1000, 1100, rounds=9, point=400, by_score=True)
        field = field_of(*question)
        assert len(field.free) > WHOLE_MOST
        solution = solve(field)
        assert solution is not None
        assert sorted(end for pair in solution.pairs for end in pair) == list(field.vertices)
        assert sums_of(field, solution.pairs).rematches == 0
        byes = [a for a, b in solution.pairs if b == BYE]
        assert all(field.claim[entrant] == 0 for entrant in byes)
        mended += not solution.proven
    assert mended
