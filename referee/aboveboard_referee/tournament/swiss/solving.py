"""The best round of a field, as pairs."""

from dataclasses import dataclass

from aboveboard_referee.tournament.swiss.costs import all_costs
from aboveboard_referee.tournament.swiss.field import Field, Pair
from aboveboard_referee.tournament.swiss.matching import best_matching


@dataclass(frozen=True, slots=True)
class Solution:
    """A round's pairs, a bye being one with BYE, and whether they are proven to be the best."""

    pairs: frozenset[Pair]
    proven: bool


def solve(field: Field) -> Solution:
    """The best round."""
    pairs = solve_full(field)
    assert pairs is not None
    return Solution(pairs, proven=True)


def solve_full(field: Field, forbidden: frozenset[Pair] = frozenset()) -> frozenset[Pair] | None:
    """The best of all rounds without the forbidden pairs, or None if there is none."""
    costs = all_costs(field, field.vertices, forbidden)
    ties = {pair: field.tie(*pair) for pair in costs}
    return best_matching(field.vertices, costs, ties)
