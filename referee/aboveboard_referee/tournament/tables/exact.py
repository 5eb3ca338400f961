"""The one best drawing of a small field, by trying all of them."""

from collections.abc import Sequence
from itertools import combinations

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.tables.measures import claims, repeats, spread, ties
from aboveboard_referee.tournament.tables.past import Past
from aboveboard_referee.tournament.tables.seats import BYE, least, tie
from aboveboard_referee.tournament.tables.sizes import Shape

SMALL = 14
"""As many entrants are tried in every way there is."""

# | claims | spread 80 bits | repeats 40 | seats 40 | tie 72 |
# A field of 14 has at most 91 pairs, so its ties are below 2^71. Scores below 2^32 units keep
# spread below 420·14·2^64 < 2^77; repeats and seats have room for 2^17 rounds.
_TIE, _SEATS, _REPEATS = 1, 1 << 72, 1 << 112
_SPREAD, _CLAIMS = 1 << 152, 1 << 232


def best_tables(
    entrants: Sequence[Entrant], shape: Shape, past: Past, seed: bytes
) -> list[tuple[Entrant, ...]]:
    """The tables of this shape with the least measures, in no order; a bye is a table of one.

    At most ``SMALL`` entrants. Each measure is a sum over tables, and so is the number that
    all of them make together. The best of a set of entrants is found once: the first of
    them sits at one table or another, and what remains is a smaller set.
    """
    ends = sorted(entrants)
    costs = _costs(ends, {1, *shape.sizes}, past, seed)
    found: dict[tuple[int, tuple[int, ...]], tuple[int, int]] = {}

    def best(left: int, sizes: tuple[int, ...]) -> int:
        """The least cost of seating ``left``, as bits, at tables of these sizes."""
        if not left:
            return 0
        known = found.get((left, sizes))
        if known is not None:
            return known[0]
        first, *others = (1 << i for i in range(len(ends)) if left >> i & 1)
        least_cost, choice = -1, 0
        for size in sorted(set(sizes)):
            at = sizes.index(size)
            rest = sizes[:at] + sizes[at + 1 :]
            for company in combinations(others, size - 1):
                table = first + sum(company)
                cost = costs[table] + best(left ^ table, rest)
                if least_cost < 0 or cost < least_cost:
                    least_cost, choice = cost, table
        found[left, sizes] = least_cost, choice
        return least_cost

    left, sizes = (1 << len(ends)) - 1, (1,) * shape.byes + shape.sizes
    best(left, sizes)
    tables = []
    while left:
        _, choice = found[left, sizes]
        tables.append(tuple(end for i, end in enumerate(ends) if choice >> i & 1))
        at = sizes.index(choice.bit_count())
        left, sizes = left ^ choice, sizes[:at] + sizes[at + 1 :]
    return tables


def _costs(ends: Sequence[Entrant], sizes: set[int], past: Past, seed: bytes) -> dict[int, int]:
    """What each possible table costs, by the bits of who sits at it."""
    places = claims(past, ends)
    costs = {}
    for size in sorted(sizes):
        for chosen in combinations(range(len(ends)), size):
            table = [ends[i] for i in chosen]
            bits = sum(1 << i for i in chosen)
            if size == 1:
                costs[bits] = places[table[0]] * _CLAIMS + tie(seed, table[0], BYE) * _TIE
                continue
            costs[bits] = (
                spread([past.scores[end] for end in table]) * _SPREAD
                + repeats(past, table) * _REPEATS
                + least([past.seats[end] for end in table]) * _SEATS
                + ties(seed, table) * _TIE
            )
    return costs
