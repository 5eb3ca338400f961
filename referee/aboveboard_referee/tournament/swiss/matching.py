"""The one perfect matching whose list of sums is least, by maximum weights that stay exact.

What a round costs is a list of measures, the most important first, each summed over all
pairs; the last is a tie-break. The matching wanted is the lexicographically least one. Its
sums are the digits of a mixed-radix number, so that one maximum-weight matching finds it.

How the radices are chosen
--------------------------
All costs are numbers from 0. Let o be the sums of the best matching. If every digit's radix
exceeds the best matching's own sum there, the best matching has the least number: another
one has a greater sum at the first digit where it differs, which adds at least one step of
that digit, and everything that the best one has below comes to less than a step. (Sums of
other matchings may well carry; they only get worse by it.) What the best one's sums are
nobody knows beforehand, so a measure's first radix exceeds the greatest sum that there can
be. Where all digits together do not fit, the first ones that do are minimised alone. Their
sums are o's, their radices shrink to what is needed, no pair can be in the best matching
that costs more at any of them than o has in all, and the next digits find room. At the last
step the tie-break has its bits too.

How large a weight is safe
--------------------------
The library computes with 128-bit signed integers and wraps without a word. With W the
greatest weight, it starts all dual variables at W. The graph is complete and of even order
(pairs that are out of the question weigh 0), so two unmatched vertices always have an edge,
whose slack u + v - 2w is never negative; both have the least dual of all, so no dual falls
below 0. A matched vertex next to a tight edge has u = 2w - v ≤ 2W. Every slack is then at
most 4W < 2^123.

Which fields fit
----------------
With P pairs after R rounds, whoever has met fewer than half of the others can be paired anew
(Dirac's theorem), so that rematches and meetings are 0 in all but the smallest fields. What
is left are, at the last step, at most bye 2P, downfloats P, floats 4P, seats 2RP and halves P
(and in practice far less, the sums being those of the best round), and ties 2^32·P: for P =
300 and R = 30 these are 10 + 9 + 11 + 15 + 9 + 41 = 95 bits, which leaves 25 for the gap, as
for the greatest differences of 60 units it needs 21. Where pairings of many matches make
differences large, the best round's gap is still a small multiple of the squared range, as
neighbours meet; and where matches are even in number, seats is 0.

A pair out of the question is never taken where it can be helped: W is the range of all
digits, which exceeds what the best matching costs altogether, so one such pair is dearer
than everything.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import prod

import rustworkx

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.swiss.costs import Cost
from aboveboard_referee.tournament.swiss.field import Pair

WEIGHT_BITS = 120
TIE_BITS_LEAST = 32
TIE_BITS_MOST = 64


def best_matching(
    vertices: Sequence[Entrant], costs: Mapping[Pair, Cost], ties: Mapping[Pair, int]
) -> frozenset[Pair] | None:
    """The best perfect matching of an even number of vertices, or None if there is none.

    ``costs`` has every pair that may be taken; ``ties`` are 64-bit values, of which as many
    leading bits are used as fit, at least 32. Equal totals are then as unlikely as
    pairs / 2^bits (the isolation lemma). Raises ValueError for a field too large to be
    weighed exactly.
    """
    pairs = len(vertices) // 2
    if not pairs:
        return frozenset()
    known: tuple[int, ...] = ()
    while costs:
        greatest = Cost(*map(max, zip(*costs.values(), strict=True)))
        radices = [total + 1 for total in known]
        for measure in range(len(known), len(greatest)):
            # There is never more than one bye.
            times = 1 if Cost._fields[measure] == "bye" else pairs
            radix = greatest[measure] * times + 1
            if (prod(radices) * radix).bit_length() > WEIGHT_BITS:
                break
            radices.append(radix)
        tie_bits = min(TIE_BITS_MOST, WEIGHT_BITS - (prod(radices) * pairs).bit_length())
        last = len(radices) == len(greatest) and tie_bits >= TIE_BITS_LEAST
        if not last and len(radices) == len(known):
            raise ValueError(f"{pairs} pairs are too many to be weighed exactly")
        matched = _cheapest(vertices, costs, radices, ties if last else None, tie_bits, pairs)
        if matched is None or last:
            return matched
        sums = Cost(*map(sum, zip(*(costs[pair] for pair in matched), strict=True)))
        known = sums[: len(radices)]
        costs = {
            pair: cost
            for pair, cost in costs.items()
            if all(part <= total for part, total in zip(cost, known, strict=False))
        }
    return None


def _cheapest(
    vertices: Sequence[Entrant],
    costs: Mapping[Pair, Cost],
    radices: Sequence[int],
    ties: Mapping[Pair, int] | None,
    tie_bits: int,
    pairs: int,
) -> frozenset[Pair] | None:
    """The perfect matching with the least number of the digits that have a radix.

    ::

        | first measure | … | last one | sum of `pairs` ties of tie_bits bits, if it is time |
    """
    below = pairs << tie_bits if ties is not None else 1
    most = prod(radices) * below
    assert most.bit_length() <= WEIGHT_BITS
    weights: dict[Pair, int] = {}
    digits: dict[Cost, int] = {}  # far fewer costs than pairs
    for pair, cost in costs.items():
        number = digits.get(cost)
        if number is None:
            number = 0
            for part, radix in zip(cost, radices, strict=False):
                number = number * radix + part
            digits[cost] = number = number * below
        weights[pair] = most - number
        if ties is not None:
            weights[pair] -= ties[pair] >> (TIE_BITS_MOST - tie_bits)
    # A pair that alone costs more than the whole range is as much out of the question.
    weights = {pair: weight for pair, weight in weights.items() if weight > 0}
    matched = heaviest(vertices, weights)
    return matched if matched <= weights.keys() else None


def heaviest(vertices: Sequence[Entrant], weights: Mapping[Pair, int]) -> frozenset[Pair]:
    """The perfect matching of the greatest total weight; a pair without a weight has none.

    Weights are between 0 and 2^120, the vertices even in number and ascending.
    """
    graph: rustworkx.PyGraph[Entrant, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(vertices)
    graph.add_edges_from(
        [(i, j, weights.get((a, b), 0)) for (i, a), (j, b) in combinations(enumerate(vertices), 2)]
    )
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    assert 2 * len(matched) == len(vertices)
    return frozenset((vertices[min(i, j)], vertices[max(i, j)]) for i, j in matched)
