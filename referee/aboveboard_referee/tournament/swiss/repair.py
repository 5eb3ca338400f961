"""Mending a large round where one of its parts had to pair two once more.

The pairs with a rematch and the tables next to them by score are paired anew, the best way
that there is for these entrants, and more of the tables around if that does not help. The
round is then nowhere worse than before. Whether it is the best of all is not proven.
"""

from aboveboard_referee.tournament.swiss.field import BYE, Field, Pair
from aboveboard_referee.tournament.swiss.whole import best_of

WINDOWS = (16, 32, 64, 128)
"""How many tables to either side are paired anew, in turn."""


def repair(field: Field, pairs: frozenset[Pair], forbidden: frozenset[Pair]) -> frozenset[Pair]:
    """The round with as few rematches and forbidden pairs as this finds."""

    def is_bad(pair: Pair) -> bool:
        return pair in forbidden or field.met(*pair) > 0

    def height(pair: Pair) -> tuple[int, Pair]:
        return -sum(field.past.score[entrant] for entrant in pair if entrant != BYE), pair

    for window in WINDOWS:
        for bad in sorted(filter(is_bad, pairs)):
            if bad not in pairs:  # mended together with an earlier one
                continue
            tables = sorted(pairs, key=height)
            place = tables.index(bad)
            around = tables[max(0, place - window) : place + window + 1]
            mended = best_of(field, {entrant for pair in around for entrant in pair}, forbidden)
            if mended is not None:
                pairs = pairs.difference(around) | mended
    return pairs
