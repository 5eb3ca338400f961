"""Nebraska's ranks and suits counted, by tables: house bots do it many times for a move."""

from collections.abc import Iterable

from aboveboard_referee.games.contract import Card
from aboveboard_referee.games.nebraska.cards import CARDS, RANKS, SUITS, rank_of, suit_of

RANK = tuple(map(rank_of, range(CARDS)))
SUIT = tuple(map(suit_of, range(CARDS)))


def counts(cards: Iterable[Card]) -> tuple[list[int], list[int]]:
    """How many of the cards are of each rank, and of each suit."""
    ranks, suits = [0] * len(RANKS), [0] * len(SUITS)
    for card in cards:
        ranks[RANK[card]] += 1
        suits[SUIT[card]] += 1
    return ranks, suits
