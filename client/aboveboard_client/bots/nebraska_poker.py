"""What a hand of Nebraska comes to by the poker scoring, told quickly.

Sizes and top ranks alone are compared, and a seat is taken to keep all of its cards:
good enough to weigh one card against another many times over.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from aboveboard_client.bots.nebraska_counts import SUIT
from aboveboard_referee.games.contract import Card
from aboveboard_referee.games.nebraska import NebraskaRules
from aboveboard_referee.games.nebraska.cards import RANKS, SUITS
from aboveboard_referee.games.nebraska.rules import HIGH_ACE, LOW_ACE

SIZE = 16
"""More than any rank: a size and a rank fit into one number."""

Cards = Sequence[Card]
Merits = tuple[int, int, int]


def poker_worths(
    rules: NebraskaRules,
    table: Cards,
    hand: Mapping[int, Card],
    weighed: Iterable[int],
    others: Sequence[Cards],
) -> Mapping[int | None, float]:
    """A seat's part of all points, by the position of a ``weighed`` card that it bets.

    ``None`` stands for none. Where two seats play, it is the hand's win besides.
    """
    theirs = [_merits(rules, (*table, *cards)) for cards in others]
    ladders = list(zip(*theirs))

    def worth(merits: Merits) -> float:
        points = total = 0
        for merit, ladder, places, least in zip(merits, ladders, _places(rules), _least(rules)):
            better = sum([other > merit for other in ladder])
            if better < len(places) and merit >= least * SIZE:
                points += places[better]
            total += sum(places[: len(theirs) + 1])
        share = points / max(total, 1)
        return share + (len(theirs) == 1 and share > 1 / 2)

    pool = (*table, *hand.values())
    worths: dict[int | None, float] = {None: worth(_merits(rules, pool))}
    for pos in weighed:
        worths[pos] = worth(_merits(rules, [card for card in pool if card != hand[pos]]))
    return worths


def _places(rules: NebraskaRules) -> tuple[tuple[int, ...], ...]:
    return rules.rank_points, rules.suit_points, rules.straight_points


def _least(rules: NebraskaRules) -> tuple[int, int, int]:
    return rules.rank_minimum, rules.suit_minimum, rules.straight_minimum


def _merits(rules: NebraskaRules, cards: Cards) -> Merits:
    """Size and top rank of the best in each category."""
    place = rules.orders.rank
    ranks, suits, tops, ladder = [0] * (HIGH_ACE + 1), [0] * len(SUITS), [0] * len(SUITS), 0
    for card in cards:
        rank, suit = place[card], SUIT[card]
        ranks[rank] += SIZE
        suits[suit] += SIZE
        tops[suit] = max(tops[suit], rank)
        ladder |= 1 << rank
    if rules.ace_both_ways and ladder & (1 << LOW_ACE | 1 << HIGH_ACE):
        ladder |= 1 << LOW_ACE | 1 << HIGH_ACE
    return (
        max([count + rank for rank, count in enumerate(ranks)]),
        max([count + top for count, top in zip(suits, tops)]),
        _longest(ladder),
    )


@cache  # 16,384 ladders at the most
def _longest(ladder: int) -> int:
    """Length and top of the longest run of set bits."""
    best = length = 0
    for place in range(LOW_ACE, HIGH_ACE + 1):
        length = length + 1 if ladder >> place & 1 else 0
        best = max(best, min(length, len(RANKS)) * SIZE + place)
    return best
