"""The best pairing of a large part, found in a frame of far fewer pairs than it has.

Once it is settled who leaves (``leaving``), each group is even in number and is put in a
line: those with the lower half of balances on the left, the others on the right (of equal
ones in the middle those with the lesser lot on the left), the left half with the group's top
half first and the right half with its bottom half first, each by lot. Whoever is paired across
evens out first seats as well as can be. If t of the top half are on the left and b of the
bottom half on the right, so that k - b of the top half are on the right and k - t of the
bottom half on the left, pairing straight across has |t - b| pairs within a half, and that is
half of |(t + k - b) - (k - t + b)|, which no pairing falls below.

The line is cut into blocks, and pairs are made across within a block only, those with the
fewest pairs within a half and then the least sum of ties. Straight across no block has more
than its share of |t - b|, so if no block has more of it without rematches either, the
part's bound is reached and nothing in the whole graph is better. In a block of one kind
it always is: who has met at most half of the others there leaves everybody at least half of
them, and then (by Hall's theorem) they can all be paired; a block is at least twice as long as
there have been rounds, where the line is.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.swiss.costs import Cost
from aboveboard_referee.tournament.swiss.field import BYE, Field, Pair
from aboveboard_referee.tournament.swiss.leaving import balance_of, choose_leaving
from aboveboard_referee.tournament.swiss.matching import best_matching
from aboveboard_referee.tournament.swiss.structure import Part, sums_of

BLOCK_LEAST = 16
BLOCK_MOST = 128
_ACROSS = tuple(Cost(0, 0, 0, 0, 0, 0, 0, within) for within in (0, 1))


def frame(field: Field, part: Part, forbidden: frozenset[Pair]) -> frozenset[Pair] | None:
    """A pairing of the part that reaches its bound, or None if the frame has none."""
    lots = {entrant: field.tie(entrant, BYE) for group in part.groups for entrant in group}
    leaving = choose_leaving(field, part, lots, forbidden)
    if leaving is None:
        return None
    pairs = list(leaving.pairs)
    gone = {entrant for pair in pairs for entrant in pair}
    for group in part.groups:
        left, right = _line(field, [e for e in group if e not in gone], lots)
        across = _across(field, left, right, forbidden)
        if across is None:
            return None
        pairs += across
    return frozenset(pairs) if sums_of(field, pairs) == leaving.bound else None


def _line(
    field: Field, entrants: Sequence[Entrant], lots: Mapping[Entrant, int]
) -> tuple[list[Entrant], list[Entrant]]:
    """The left and the right half of the line."""
    ordered = sorted(entrants, key=lambda e: (balance_of(field, e), lots[e], e))
    half = len(ordered) // 2
    left = sorted(ordered[:half], key=lambda e: (e not in field.upper, lots[e], e))
    right = sorted(ordered[half:], key=lambda e: (e in field.upper, lots[e], e))
    return left, right


def _across(
    field: Field,
    left: Sequence[Entrant],
    right: Sequence[Entrant],
    forbidden: frozenset[Pair],
) -> list[Pair] | None:
    """Pairs across the line, in blocks as short as can be."""
    length = max(BLOCK_LEAST, 2 * field.past.rounds)
    while length <= max(BLOCK_MOST, 4 * field.past.rounds):
        blocks = max(1, len(left) // length)
        cuts = [i * len(left) // blocks for i in range(blocks + 1)]
        pairs: list[Pair] = []
        for start, end in pairwise(cuts):
            block = _block(field, left[start:end], right[start:end], forbidden)
            if block is None:
                break
            pairs += block
        else:
            return pairs
        if blocks == 1:
            return None
        length *= 2
    return None


def _block(
    field: Field,
    left: Sequence[Entrant],
    right: Sequence[Entrant],
    forbidden: frozenset[Pair],
) -> frozenset[Pair] | None:
    """The best pairs across one block; None if they have rematches or too many within halves."""
    upper, met = field.upper, field.past.met
    costs: dict[Pair, Cost] = {}
    for a in left:
        high = a in upper
        for b in right:
            pair = (a, b) if a < b else (b, a)
            if pair not in met and pair not in forbidden:
                costs[pair] = _ACROSS[high == (b in upper)]
    ties = {pair: field.tie(*pair) for pair in costs}
    matched = best_matching(sorted([*left, *right]), costs, ties)
    if matched is None:
        return None
    share = abs(sum(a in upper for a in left) - sum(b not in upper for b in right))
    within = sum(costs[pair].halves for pair in matched)
    return matched if within == share else None
