"""Cards as people type them."""

import re
from collections.abc import Callable, Iterable

from aboveboard_client.errors import WrongUse
from aboveboard_referee.games.contract import Card

_SYMBOLS = str.maketrans({"♥": "H", "♦": "D", "♣": "C", "♠": "S"})


def typed_cards(
    what: str, text: str, parse: Callable[[str], Card], example: str
) -> tuple[Card, ...]:
    """The cards of a text, with blanks or commas between them; case does not count, and a
    ten is ``10`` or ``T``. ``what`` they are and an ``example`` are for ``WrongUse``.
    """
    return tuple(_card(what, word, parse, example) for word in re.split(r"[\s,]+", text) if word)


def _card(what: str, word: str, parse: Callable[[str], Card], example: str) -> Card:
    plain = word.translate(_SYMBOLS).upper()
    if plain.startswith("10"):
        plain = f"T{plain[2:]}"
    try:
        return parse(plain)
    except ValueError:
        raise WrongUse(
            f"{what}: {word[:12]!r} is no card; write rank and suit, such as {example}"
        ) from None


def all_different(cards: Iterable[Card], text: Callable[[Card], str]) -> None:
    """Raise ``WrongUse`` for a card that is there twice."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise WrongUse(f"{text(card)} is there twice")
        seen.add(card)


def how_many(what: str, cards: tuple[Card, ...], least: int, most: int) -> None:
    """Raise ``WrongUse`` for too few or too many."""
    if not least <= len(cards) <= most:
        number = str(least) if least == most else f"{least} to {most}"
        plural = "" if number == "1" else "s"
        raise WrongUse(f"{what} has {number} card{plural}, not {len(cards)}")
