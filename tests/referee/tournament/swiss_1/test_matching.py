"""Weights are exact: strict order between measures, and never a bit too many."""

from random import Random

import pytest

from aboveboard_referee.tournament.swiss_1.matching import WEIGHT_BITS, Cost, heaviest, weigh
from aboveboard_referee.tournament.swiss_1.pairing import BYE
from tests.fakes.swiss_1 import matchings

_TIE = 2**64 - 1


@pytest.mark.parametrize("vertices", [2, 4, 6, 8])
def test_weights_of_the_full_width_are_matched_exactly(vertices: int) -> None:
    chance = Random(vertices)
    edges = [(a, b) for b in range(vertices) for a in range(b)]
    for _ in range(100):
        top = (1 << WEIGHT_BITS) - chance.getrandbits(WEIGHT_BITS - 1)
        weights = {edge: top - chance.getrandbits(chance.choice((2, 40, 100))) for edge in edges}
        weights[edges[0]] = 1 << WEIGHT_BITS
        best = max(sum(weights[edge] for edge in m) for m in matchings(range(vertices)))
        found = heaviest((a, b, weight) for (a, b), weight in weights.items())
        assert sum(weights[edge] for edge in found) == best


def test_the_order_of_edges_makes_no_difference() -> None:
    chance = Random(1)
    edges = [(a, b, chance.getrandbits(WEIGHT_BITS)) for b in range(20) for a in range(b)]
    found = heaviest(edges)
    for _ in range(20):
        chance.shuffle(edges)
        assert heaviest(edges) == found


def test_two_thousand_entrants_after_twenty_rounds_fit() -> None:
    best, worst = Cost(0, 0, 0, 0, 0, 0), Cost(1, 20, 1999, 40**2, 40, 0)
    weights = weigh({(0, 1): best, (2, BYE): worst}, {(0, 1): 0, (2, BYE): _TIE}, 1000)
    assert 0 < weights[2, BYE] < weights[0, 1] == 1 << WEIGHT_BITS


@pytest.mark.parametrize("per_pairing", [2, 12, 200])
def test_they_fit_with_several_matches_a_pairing_as_well(per_pairing: int) -> None:
    """Seats are always even then, which leaves their bits to scores."""
    best, worst = Cost(0, 0, 0, 0, 0, 0), Cost(1, 20, 1999, (40 * per_pairing) ** 2, 0, 0)
    weights = weigh({(0, 1): best, (2, BYE): worst}, {(0, 1): 0, (2, BYE): _TIE}, 1000)
    assert 0 < weights[2, BYE] < weights[0, 1] == 1 << WEIGHT_BITS


def test_a_field_too_large_to_be_exact_is_refused() -> None:
    with pytest.raises(ValueError, match="too many to be weighed exactly"):
        weigh({(0, 1): Cost(1, 200, 0, 400**2, 400, 0)}, {(0, 1): 0}, 10_000)


@pytest.mark.parametrize("measure", range(len(Cost._fields)))
def test_the_least_of_one_measure_outweighs_the_most_of_all_after_it(measure: int) -> None:
    # Four pairs, one of them the bye, at the limit in every later measure, against four
    # that cost nothing but a single one in this measure.
    most, nothing = Cost(1, 3, 5, 36, 6, 1), Cost(0, 0, 0, 0, 0, 0)
    late = [0 if i <= measure else value for i, value in enumerate(most)]
    costs = {
        (0, 1): Cost(*late)._replace(bye=0),
        (0, BYE): Cost(*late),
        (2, 3): Cost(*(int(i == measure) for i in range(len(most)))),
        (4, 5): nothing,
        (6, 7): most,
    }
    weights = weigh(costs, dict.fromkeys(costs, 0) | {(0, 1): _TIE, (0, BYE): _TIE}, 4)
    assert 3 * weights[0, 1] + weights[0, BYE] > weights[2, 3] + 3 * weights[4, 5]
