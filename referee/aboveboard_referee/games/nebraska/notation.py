"""Moves, and the one text that stands for each of them.

``bet 17``   bets the card in slot 17 of the current deck; no leading zeros
``keep``     leaves the turned card on the table
``discard``  puts it out, and every seat draws a card

There are 106 moves in all, so that reading is a look-up and nothing else can be read.
"""

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from aboveboard_referee.games.contract import Malformed
from aboveboard_referee.games.nebraska.cards import CARDS


class Bet(NamedTuple):
    """Bets the hand card in position ``pos`` of the current deck, whatever its face."""

    pos: int


class Choice(Enum):
    """What the winner of the bets does with the turned card."""

    KEEP = "keep"
    DISCARD = "discard"


Move = Bet | Choice


def encode(move: Move) -> str:
    """The canonical text of a move."""
    return move.value if isinstance(move, Choice) else f"bet {move.pos}"


def decode(text: str) -> Move:
    """Inverse of ``encode``; any other text raises ``Malformed``."""
    try:
        return _MOVES[text]
    except KeyError:
        raise Malformed("a move is 'keep', 'discard' or 'bet' and a slot from 0 to 103") from None


def bets(positions: Iterable[int]) -> tuple[Bet, ...]:
    """The bets of these positions, sorted by their text: ``bet 10`` before ``bet 9``."""
    return tuple(_BETS[pos] for pos in sorted(positions, key=_TEXT_ORDER.__getitem__))


CHOICES: tuple[Move, ...] = tuple(sorted(Choice, key=encode))
"""Both choices, sorted by their text."""

_BETS = tuple(Bet(pos) for pos in range(CARDS))
_MOVES: dict[str, Move] = {encode(move): move for move in (*_BETS, *Choice)}
_TEXT_ORDER = {pos: order for order, pos in enumerate(sorted(range(CARDS), key=str))}
