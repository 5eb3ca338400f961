"""The pack: two decks in one, 104 distinct cards in eight suits.

A card's id is ``suit index × 13 + rank index`` in the order of ``SUITS`` and
``RANKS``. Ids say nothing of strength; that is for the rules (``rules.Orders``).
"""

from aboveboard_referee.games.contract import Card

RANKS = "23456789TJQKA"
"""Rank letters by rank index; ``T`` is the ten."""

SUITS = "HDCSOFTM"
"""Suit letters by suit index: hearts, diamonds, clubs, spades, circles, firs, stars, mountains."""

CARDS = len(SUITS) * len(RANKS)

_TEXTS = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARDS = {text: card for card, text in enumerate(_TEXTS)}


def rank_of(card: Card) -> int:
    """The index of the card's rank in ``RANKS``."""
    return card % len(RANKS)


def suit_of(card: Card) -> int:
    """The index of the card's suit in ``SUITS``."""
    return card // len(RANKS)


def card_text(card: Card) -> str:
    """The card as people write it, rank before suit: ``TH`` is the ten of hearts.

    Raises ``ValueError`` for a number that is no card of the pack.
    """
    if not 0 <= card < CARDS:
        raise ValueError(f"{card} is no card of a pack of {CARDS}")
    return _TEXTS[card]


def parse_card(text: str) -> Card:
    """Inverse of ``card_text``; raises ``ValueError`` for any other text."""
    try:
        return _CARDS[text]
    except KeyError:
        raise ValueError(f"{text!r} is no card") from None


def parse_cards(text: str) -> tuple[Card, ...]:
    """The cards of a line such as ``5H 9C KC``, in its order."""
    return tuple(parse_card(word) for word in text.split())
