"""The 52 cards: ids, ranks, suits, counting values and how people write them.

A card's id is suit × 13 + rank, suits in the order H D C S, ranks from the ace (0)
up to the king (12). The ace is low and only low.
"""

from aboveboard_referee.games.contract import Card

RANKS = "A23456789TJQK"
SUITS = "HDCS"

CARDS = range(len(SUITS) * len(RANKS))
DECK: tuple[Card, ...] = tuple(CARDS)

RANK: tuple[int, ...] = tuple(card % len(RANKS) for card in DECK)
"""Rank index by card id; pairs and runs go by it."""

SUIT: tuple[int, ...] = tuple(card // len(RANKS) for card in DECK)
"""Suit index by card id."""

TOP_VALUE = 10
"""What a ten, jack, queen or king counts: no card counts more."""

VALUE: tuple[int, ...] = tuple(min(rank + 1, TOP_VALUE) for rank in RANK)
"""Counting value by card id: an ace one, court cards ten."""

JACK = RANKS.index("J")

_TEXT = tuple(RANKS[RANK[card]] + SUITS[SUIT[card]] for card in DECK)
_CARD = {text: card for card, text in enumerate(_TEXT)}


def card_text(card: Card) -> str:
    """Rank, then suit, as in ``5H`` or ``TC``; raises ``ValueError`` for no card's id."""
    if card not in CARDS:
        raise ValueError(f"no card has the id {card}")
    return _TEXT[card]


def parse_card(text: str) -> Card:
    """Inverse of ``card_text``; raises ``ValueError`` for any other text."""
    try:
        return _CARD[text]
    except KeyError:
        raise ValueError(f"{text!r} is no card") from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards written with blanks between them, in the order given."""
    return tuple(parse_card(word) for word in text.split())
