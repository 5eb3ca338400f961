"""One maximum-weight matching whose optimum is exact and unique.

What a round's pairs cost is a list of measures, the most important first, each summed
over all pairs. The round wanted is the lexicographically least one. All measures and the
tie hash go into one integer per pair, as the digits of a mixed-radix number: a measure's
radix exceeds the greatest sum it can come to, so no sum ever carries into the next digit
and comparing total weights is comparing lists of sums.
"""

from collections.abc import Iterable, Mapping
from math import prod
from typing import NamedTuple

import rustworkx

from aboveboard_referee.tournament.swiss_1.record import Entrant

Edge = tuple[Entrant, Entrant]
"""Two entrants that may be paired, the lower first."""

WEIGHT_BITS = 120
TIE_BITS_LEAST = 32
TIE_BITS_MOST = 64


class Cost(NamedTuple):
    """What one pair adds to each measure of a round, the most important first."""

    rematch: int  # 1 if the two have been paired before
    meetings: int  # how often they have been paired before
    bye: int  # place of the entrant among those who should get the bye; 0 for a pair of two
    score: int  # squared difference of their half points of matches
    seats: int  # how far the pair falls short of evening out who has had the first seat
    halves: int  # 1 if a first round pairs them within the same half


# How large a field fits
# ----------------------
# Let P be the number of pairs, the bye among them, R the number of earlier rounds and M
# that of the matches a pairing. Every perfect matching has P edges and at most one bye, and
# half points are at most 2MR, so the sums are at most
#
#     rematch P    meetings P·R    bye 2P    score P·(2MR)²    seats P·2R    halves P
#
# and halves is 0 after round 1, when all others but bye are 0. For 2,000 entrants after
# 20 rounds (P = 1000, R = 20) the radices are below 2^10, 2^15, 2^11, 2^21, 2^16 and 1,
# 2^73 in all. The tie hash's sum of P values of t bits needs t + 10 bits, so t = 37 would
# still fit: 2,000 entrants over 20 rounds always have their 32 bits. Smaller fields get
# more of them. The radices in use are those of the costs at hand, which are never larger.
#
# That is for M = 1. Where M is more, both entrants of a pairing are first equally often, so
# that seats is 0 as well and its 2^16 are free; with M = 200, the most there may be, score
# takes up 2^36 instead of 2^21, and the same field has its 32 bits again.
#
# How large a weight is safe
# --------------------------
# The library computes with 128-bit signed integers and wraps without a word. With W the
# greatest weight, it starts all dual variables at W. The graph is complete and of even
# order, so two unmatched vertices always have an edge, whose slack u + v - 2w is never
# negative; both have the least dual of all, so no dual falls below 0. A matched vertex
# next to a tight edge has u = 2w - v ≤ 2W. Every slack is then at most 4W < 2^123.


def weigh(costs: Mapping[Edge, Cost], ties: Mapping[Edge, int], pairs: int) -> dict[Edge, int]:
    """The weight of each edge; more is better.

    ``ties`` are 64-bit values, of which as many leading bits are used as fit, at least
    32. Equal totals are then as unlikely as edges / 2^bits (the isolation lemma).
    Raises ValueError for a field too large to be weighed exactly.
    """
    greatest = Cost(*map(max, zip(*costs.values(), strict=True)))
    sums = [pairs * most for most in greatest]
    sums[Cost._fields.index("bye")] = greatest.bye  # there is never more than one
    radices = [most + 1 for most in sums]
    spent = (prod(radices) * pairs).bit_length()
    tie_bits = min(TIE_BITS_MOST, WEIGHT_BITS - spent)
    if tie_bits < TIE_BITS_LEAST:
        raise ValueError(
            f"{pairs} pairs after so many rounds are too many to be weighed exactly:"
            f" {spent + TIE_BITS_LEAST} bits are needed, {WEIGHT_BITS} are safe"
        )
    # | rematch | meetings | bye | score | seats | halves | sum of `pairs` ties of tie_bits |
    weights: dict[Edge, int] = {}
    for edge, cost in costs.items():
        digits = 0
        for measure, radix in zip(cost, radices, strict=True):
            digits = digits * radix + measure
        tie = ties[edge] >> (TIE_BITS_MOST - tie_bits)
        weights[edge] = (1 << WEIGHT_BITS) - digits * (pairs << tie_bits) - tie
    assert all(0 < weight <= 1 << WEIGHT_BITS for weight in weights.values())
    return weights


def heaviest(edges: Iterable[tuple[Entrant, Entrant, int]]) -> frozenset[Edge]:
    """The edges of the perfect matching of the greatest total weight, the lower end first.

    ``edges`` are those of a complete graph with an even number of vertices, their
    weights between 0 and 2^120; the order they come in makes no difference as long as
    the optimum is unique.
    """
    listed = list(edges)
    vertices = sorted({end for a, b, _ in listed for end in (a, b)})
    index = {vertex: i for i, vertex in enumerate(vertices)}
    graph: rustworkx.PyGraph[Entrant, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(vertices)
    graph.add_edges_from([(index[a], index[b], weight) for a, b, weight in listed])
    matched = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda weight: weight
    )
    assert 2 * len(matched) == len(vertices)
    return frozenset((vertices[min(i, j)], vertices[max(i, j)]) for i, j in matched)
