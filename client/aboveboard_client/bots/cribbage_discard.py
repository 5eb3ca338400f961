"""What the house bot lays away at cribbage.

For every choice it takes the mean of the hand that is kept over all starters it has not
seen, which is exact, and adds what its cards bring to the crib, or takes that off where
the crib is the other side's: a mean over what the others lay away, who choose by the
same means (``cribbage_crib_table``).
"""

from collections.abc import Mapping, Sequence

from aboveboard_referee.games.contract import Card
from aboveboard_referee.games.cribbage import CribbageRules, score_hand
from aboveboard_referee.games.cribbage.cards import DECK, RANK, SUIT

Hand = tuple[Card, ...]

Table = Sequence[Sequence[float]]
"""What a crib is worth on average with the cards that a seat lays away into it.

Of one card: a single row, by rank. Of two: by both ranks, the lower one first if they
are of two suits, the higher one first if they are of one.
"""


def mean_crib(table: Table, away: Hand) -> float:
    """Mean points of a crib into which a seat lays these cards."""
    if len(away) == 1:
        return table[0][RANK[away[0]]]
    low, high = sorted(away, key=RANK.__getitem__)
    if SUIT[low] == SUIT[high]:
        low, high = high, low
    return table[RANK[low]][RANK[high]]


def mean_hand(rules: CribbageRules, kept: Hand, starters: Sequence[Card]) -> float:
    """Mean points of a hand over these starters."""
    return sum([score_hand(rules, kept, starter) for starter in starters]) / len(starters)


def worths(
    rules: CribbageRules, choices: Mapping[Hand, Hand], table: Table, weight: float
) -> dict[Hand, float]:
    """Expected points by the cards that are laid away; ``choices`` has what is kept then.

    ``weight`` is how much a point of the crib counts beside one of the hand, and less
    than nothing if the crib is another side's.
    """
    starters = starters_of(choices)
    return {
        away: mean_hand(rules, kept, starters) + weight * mean_crib(table, away)
        for away, kept in choices.items()
    }


def starters_of(choices: Mapping[Hand, Hand]) -> list[Card]:
    """Every card that has not been seen."""
    (away, kept), *_ = choices.items()
    dealt = {*kept, *away}
    return [card for card in DECK if card not in dealt]
