"""The cards: values from -1 to 11, told apart only by their ids.

Ids ascend by value, so how many cards of each value there are decides which id is
which card.
"""

from aboveboard_referee.games.contract import Card

VALUES = range(-1, 12)
"""Every value that a card can have, lowest first."""


def card_values(counts: tuple[int, ...]) -> tuple[int, ...]:
    """The value of each card, indexed by id, where ``counts[i]`` cards have ``VALUES[i]``."""
    return tuple(value for value, count in zip(VALUES, counts, strict=True) for _ in range(count))


def whole_deck(counts: tuple[int, ...]) -> tuple[Card, ...]:
    """The ids of all cards, ascending."""
    return tuple(range(sum(counts)))
