"""The matching stays exact however large the costs are."""

from collections.abc import Iterator
from random import Random

import pytest

from aboveboard_referee.tournament.swiss.costs import Cost
from aboveboard_referee.tournament.swiss.field import Pair
from aboveboard_referee.tournament.swiss.matching import best_matching, heaviest
from tests.fakes.swiss_2 import matchings

Costs = dict[Pair, Cost]


def any_costs(chance: Random, vertices: int, bits: tuple[int, ...], kept: float) -> Costs:
    """Pairs that are there by chance, with costs of 0 or of up to so many bits a measure."""
    return {
        (a, b): Cost(*(chance.choice((0, chance.getrandbits(most))) for most in bits))
        for b in range(vertices)
        for a in range(b)
        if chance.random() < kept
    }


def every_total(
    vertices: int, costs: Costs, ties: dict[Pair, int]
) -> Iterator[tuple[Cost, int, frozenset[Pair]]]:
    """Every possible matching behind its sums."""
    for pairs in matchings(range(vertices)):
        if all(pair in costs for pair in pairs):
            sums = Cost(*map(sum, zip(*(costs[pair] for pair in pairs), strict=True)))
            yield sums, sum(ties[pair] for pair in pairs), frozenset(pairs)


@pytest.mark.parametrize(
    "bits",
    [
        (1, 2, 0, 1, 8, 2, 3, 1),  # all in one step
        (1, 5, 0, 1, 40, 2, 20, 1),  # sometimes two
        (8, 8, 0, 8, 30, 8, 10, 8),  # mostly two
    ],
)
def test_costs_of_any_size_give_the_least_sums_of_all(bits: tuple[int, ...]) -> None:
    for case in range(60):
        chance = Random(case)
        vertices = chance.choice((2, 4, 6, 8))
        costs = any_costs(chance, vertices, bits, kept=0.8)
        check(vertices, costs, chance)


def test_costs_that_fit_only_one_by_one_give_the_least_sums_of_all() -> None:
    for case in range(60):
        chance = Random(case)
        costs = any_costs(chance, 8, (0,) * 8, kept=1)
        for measure in range(5):
            # A matching without any of it is left, so that the next one finds room.
            free = {(2 * i, 2 * i + 1) for i in range(4)} | {(0, 2), (1, 3), (4, 6), (5, 7)}
            costs = {
                pair: cost
                if pair in free
                else cost._replace(**{Cost._fields[measure]: chance.getrandbits(100)})
                for pair, cost in costs.items()
            }
        check(8, costs, chance)


def check(vertices: int, costs: Costs, chance: Random) -> None:
    ties = {pair: chance.getrandbits(64) for pair in costs}
    best = min(every_total(vertices, costs, ties), default=None, key=lambda total: total[:2])
    found = best_matching(range(vertices), costs, ties)
    assert found == (None if best is None else best[2])


def test_costs_beyond_all_bits_are_refused() -> None:
    costs = {(0, 1): Cost(*[1 << 120] * 8)}
    with pytest.raises(ValueError, match=r"^1 pairs are too many to be weighed exactly$"):
        best_matching((0, 1), costs, {(0, 1): 0})


def test_nobody_is_matched_with_nobody() -> None:
    assert best_matching((), {}, {}) == frozenset()


def test_library_is_exact_at_the_greatest_weights() -> None:
    for case in range(40):
        chance = Random(case)
        weights = {
            (a, b): (1 << 120) - chance.getrandbits(chance.choice((3, 60, 119)))
            for b in range(8)
            for a in range(b)
        }
        best = max(sum(weights[pair] for pair in pairs) for pairs in matchings(range(8)))
        assert sum(weights[pair] for pair in heaviest(range(8), weights)) == best
