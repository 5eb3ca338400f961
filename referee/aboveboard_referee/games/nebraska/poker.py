"""The three categories of the poker scoring.

Each is judged over a seat's hand and the table together. A seat's best combination
becomes a *key*, a flat tuple of ints whose first is its size; the higher key is the
better. Its last entry is the seat's highest hand card, which no other seat holds, so
that keys of two seats are never equal, not even where both combinations lie on the
table. Within one category keys of one size have one length.
"""

from collections import defaultdict
from collections.abc import Sequence

from aboveboard_referee.games.contract import Card
from aboveboard_referee.games.nebraska.cards import RANKS
from aboveboard_referee.games.nebraska.rules import HIGH_ACE, LOW_ACE, NebraskaRules

Key = tuple[int, ...]


def most_of_a_rank(rules: NebraskaRules, cards: Sequence[Card]) -> Key:
    """``(count, rank, suits of those cards from high to low …)`` of the best rank."""
    orders = rules.orders
    suits: dict[int, list[int]] = defaultdict(list)
    for card in cards:
        suits[orders.rank[card]].append(orders.suit[card])
    return max((len(held), rank, *sorted(held, reverse=True)) for rank, held in suits.items())


def most_of_a_suit(rules: NebraskaRules, cards: Sequence[Card]) -> Key:
    """``(count, ranks of those cards from high to low …, suit)`` of the best suit."""
    orders = rules.orders
    ranks: dict[int, list[int]] = defaultdict(list)
    for card in cards:
        ranks[orders.suit[card]].append(orders.rank[card])
    return max((len(held), *sorted(held, reverse=True), suit) for suit, held in ranks.items())


def longest_straight(rules: NebraskaRules, cards: Sequence[Card]) -> Key:
    """``(length, top place, best suit held at the top)`` of the best straight.

    A straight is a run of distinct ranks of any suits on the ladder of
    ``rules.Orders``, where 2 … K stand on places 1 … 12 and an ace on 0, on 13 or,
    by ``ace_both_ways``, on either. So an ace is never in the middle, and where it is
    low the top is not the ace.
    """
    orders = rules.orders
    best_suit: dict[int, int] = {}
    for card in cards:
        places = [orders.rank[card]]
        if rules.ace_both_ways and places[0] in (LOW_ACE, HIGH_ACE):
            places = [LOW_ACE, HIGH_ACE]
        for place in places:
            best_suit[place] = max(best_suit.get(place, 0), orders.suit[card])
    best = (0, 0)
    length = 0
    for place in range(LOW_ACE, HIGH_ACE + 1):
        length = length + 1 if place in best_suit else 0
        # The whole ladder holds the ace twice, but has 13 distinct ranks only.
        best = max(best, (min(length, len(RANKS)), place))
    return (*best, best_suit[best[1]])


def category_points(
    rules: NebraskaRules, table: Sequence[Card], hands: Sequence[Sequence[Card]]
) -> tuple[tuple[int, int, int], ...]:
    """Each seat's points for rank, suit and straight, in seat order."""
    last = [max(rules.orders.card[card] for card in hand) for hand in hands]
    pools = [(*table, *hand) for hand in hands]
    by_category = (
        _place(
            [(*most_of_a_rank(rules, pool), high) for pool, high in zip(pools, last)],
            rules.rank_points,
            rules.rank_minimum,
        ),
        _place(
            [(*most_of_a_suit(rules, pool), high) for pool, high in zip(pools, last)],
            rules.suit_points,
            rules.suit_minimum,
        ),
        _place(
            [(*longest_straight(rules, pool), high) for pool, high in zip(pools, last)],
            rules.straight_points,
            rules.straight_minimum,
        ),
    )
    return tuple(zip(*by_category, strict=True))


def _place(keys: Sequence[Key], points: tuple[int, ...], minimum: int) -> list[int]:
    """Points by seat: ``points[0]`` to the best key, and so on down to sizes of ``minimum``."""
    placed = sorted(
        (seat for seat, key in enumerate(keys) if key[0] >= minimum),
        key=keys.__getitem__,
        reverse=True,
    )
    scored = [0] * len(keys)
    for seat, worth in zip(placed, points):
        scored[seat] = worth
    return scored
