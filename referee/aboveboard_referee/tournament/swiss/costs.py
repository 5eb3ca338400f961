"""What a pair adds to each measure of a round."""

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import NamedTuple

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.swiss.field import BYE, Field, Pair
from aboveboard_referee.tournament.swiss.past import DOWN, UP


class Cost(NamedTuple):
    """What one pair adds, the most important measure first; never negative, less is better."""

    rematches: int  # 1 if the two have played each other before
    meetings: int  # how often they have
    bye: int  # place of the entrant among those who should get the bye; 0 for a pair of two
    downfloats: int  # 1 if their scores differ
    gap: int  # squared difference of their scores
    floats: int  # in how many of the last two rounds each floated in this direction already
    seats: int  # how far the pair falls short of evening out who has had the first seat
    halves: int  # 1 if a pair of one score group is within its same half


def cost_of(field: Field, a: Entrant, b: Entrant) -> Cost:
    """The cost of a pair, or of the bye if ``b`` is BYE."""
    past = field.past
    if b == BYE:
        # The bye leaves a balance as it is, which evens out as a difference of 0 would. It
        # is meant for the lower half.
        return Cost(
            0, 0, field.claim[a], 0, 0, field.repeats(a, DOWN), field.widest, int(a in field.upper)
        )
    gap = past.score[a] - past.score[b]
    met = field.met(a, b)
    high, low = (a, b) if gap > 0 else (b, a)
    # With x ≥ y the balances of the two, giving y the first seat turns x² + y² into
    # (x-1)² + (y+1)² = x² + y² + 2 - 2(x-y): the sum of squares is least where the sum of
    # the differences is greatest.
    return Cost(
        rematches=int(met > 0),
        meetings=met,
        bye=0,
        downfloats=int(gap != 0),
        gap=gap * gap,
        floats=field.repeats(high, DOWN) + field.repeats(low, UP) if gap else 0,
        seats=field.widest - abs(past.balance[a] - past.balance[b]) if field.seats_move else 0,
        halves=int(gap == 0 and (a in field.upper) == (b in field.upper)),
    )


def all_costs(
    field: Field, vertices: Collection[Entrant], forbidden: frozenset[Pair] = frozenset()
) -> Mapping[Pair, Cost]:
    """The costs of every pair among ``vertices`` but the forbidden ones."""
    return {
        pair: cost_of(field, *pair)
        for pair in combinations(sorted(vertices), 2)
        if pair not in forbidden
    }
