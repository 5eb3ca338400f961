"""What a finished hand is worth to each seat, and who wins it."""

from collections import Counter
from collections.abc import Sequence

from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.nebraska.cards import rank_of, suit_of
from aboveboard_referee.games.nebraska.poker import category_points
from aboveboard_referee.games.nebraska.rules import NebraskaRules


def score_hands(
    rules: NebraskaRules, table: Sequence[Card], hands: Sequence[Sequence[Card]]
) -> tuple[int, ...]:
    """Each seat's points for its hand over this table, in seat order, by ``rules.scoring``.

    Cards are ids. Any numbers of cards will do, so that a bot can score a hand that is
    not finished yet; a hand must hold at least one.
    """
    return _SCORINGS[rules.scoring](rules, table, hands)


def winner(rules: NebraskaRules, table: Sequence[Card], hands: Sequence[Sequence[Card]]) -> Seat:
    """The seat that takes the win: the most points, then the highest hand card.

    It is always one seat alone, since no two cards are equal.
    """
    return winner_of(rules, score_hands(rules, table, hands), hands)


def winner_of(rules: NebraskaRules, points: Sequence[int], hands: Sequence[Sequence[Card]]) -> Seat:
    """The same for points that ``score_hands`` has already given."""
    order = rules.orders.card
    return max(
        range(len(hands)),
        key=lambda seat: (points[seat], max(order[card] for card in hands[seat])),
    )


def card_matches(table: Sequence[Card], card: Card) -> int:
    """How often ``card`` meets the table: cards of its rank plus cards of its suit.

    The table's own cards are never ``card`` itself, so none of them counts twice.
    """
    return sum(
        (rank_of(other) == rank_of(card)) + (suit_of(other) == suit_of(card)) for other in table
    )


def _family(
    rules: NebraskaRules, table: Sequence[Card], hands: Sequence[Sequence[Card]]
) -> tuple[int, ...]:
    """One point for each hand card that meets the table at all."""
    ranks = {rank_of(card) for card in table}
    suits = {suit_of(card) for card in table}
    return tuple(
        sum(rank_of(card) in ranks or suit_of(card) in suits for card in hand) for hand in hands
    )


def _expert(
    rules: NebraskaRules, table: Sequence[Card], hands: Sequence[Sequence[Card]]
) -> tuple[int, ...]:
    """One point for each meeting of a hand card with a table card, by rank or by suit."""
    ranks = Counter(rank_of(card) for card in table)
    suits = Counter(suit_of(card) for card in table)
    return tuple(
        sum(ranks[rank_of(card)] + suits[suit_of(card)] for card in hand) for hand in hands
    )


def _poker(
    rules: NebraskaRules, table: Sequence[Card], hands: Sequence[Sequence[Card]]
) -> tuple[int, ...]:
    """The points of the three categories together."""
    return tuple(sum(points) for points in category_points(rules, table, hands))


_SCORINGS = {"family": _family, "expert": _expert, "poker": _poker}
