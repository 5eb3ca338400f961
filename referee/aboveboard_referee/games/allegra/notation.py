"""Moves and their one ASCII notation, which is what is signed, shown and logged.

A cell is written ``seat.row.column``, each one digit from 0: ``1.0.3`` is the first
row's rightmost cell of seat 1. A move is one of these:

    turn 0.0.1 0.2.3    set-up: turn these two cells, written in ascending order
    draw                draw from the stock
    take 0.1.2          take the top discard and swap it into this cell
    hold | knock        leave the drawn card alone, or ask for it
    decline | give 2    keep the drawn card, or give it to this seat, which knocked
    place 2.1.0         the gift lies here, the card that lay here is in hand
    pick 2.2.2          the giver takes this card in exchange
    put 0.0.1           the giver puts it here, the card that lay here is discarded
    discard 0.1.3       discard the drawn card and turn this cell
    discard             the same where no cell is left to turn
    swap 0.1.2          swap the drawn card into this cell

Where several are open to a seat, the harmless one sorts lowest as text.
"""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from aboveboard_referee.games.allegra.grid import CELLS, MOST_SEATS, Cell
from aboveboard_referee.games.contract import Malformed, Seat


class Verb(StrEnum):
    """What a move does; the first word of its notation."""

    TURN = "turn"
    DRAW = "draw"
    TAKE = "take"
    HOLD = "hold"
    KNOCK = "knock"
    DECLINE = "decline"
    GIVE = "give"
    PLACE = "place"
    PICK = "pick"
    PUT = "put"
    DISCARD = "discard"
    SWAP = "swap"


class Move(NamedTuple):
    """A move: what is done, on which cells, to which seat."""

    verb: Verb
    cells: tuple[Cell, ...] = ()
    seat: Seat | None = None


_CELLS_OF_A_MOVE: dict[Verb, tuple[int, ...]] = {
    Verb.TURN: (2,),
    Verb.DRAW: (0,),
    Verb.TAKE: (1,),
    Verb.HOLD: (0,),
    Verb.KNOCK: (0,),
    Verb.DECLINE: (0,),
    Verb.PLACE: (1,),
    Verb.PICK: (1,),
    Verb.PUT: (1,),
    Verb.DISCARD: (0, 1),
    Verb.SWAP: (1,),
}
_CELL_OF_TEXT = {str(cell): cell for cell in CELLS}
_SEAT_OF_TEXT = {str(seat): seat for seat in range(MOST_SEATS)}


def encode(move: Move) -> str:
    """The move's notation."""
    words = [str(move.verb), *(str(cell) for cell in move.cells)]
    if move.seat is not None:
        words.append(str(move.seat))
    return " ".join(words)


@lru_cache(maxsize=1024)  # more than the moves of a table that are met often
def decode(text: str) -> Move:
    """The move that ``text`` denotes; ``Malformed`` for anything but a move's notation.

    Whether the move fits the table, or its size, is not judged here.
    """
    word, *rest = text.split(" ")
    try:
        verb = Verb(word)
        if verb is Verb.GIVE:
            (seat,) = rest
            return Move(verb, (), _SEAT_OF_TEXT[seat])
        cells = tuple(_CELL_OF_TEXT[cell] for cell in rest)
    except (ValueError, KeyError):
        raise Malformed(f"not a move: {text[:64]!a}") from None
    if len(cells) not in _CELLS_OF_A_MOVE[verb]:
        raise Malformed(f"{verb} with {len(cells)} cells: {text[:64]!a}")
    if list(cells) != sorted(set(cells)):
        raise Malformed(f"the cells do not ascend: {text[:64]!a}")
    return Move(verb, cells)


_ON_CELL = {verb: {cell: Move(verb, (cell,)) for cell in CELLS} for verb in Verb}


def on_cells(verb: Verb, cells: Iterable[Cell]) -> tuple[Move, ...]:
    """A move of ``verb`` on each of the cells; each such move has one instance."""
    moves = _ON_CELL[verb]
    return tuple([moves[cell] for cell in cells])
