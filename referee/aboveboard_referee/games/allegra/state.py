"""A state of a match: what lies where, as far as everybody has seen it.

No seat ever sees more than the others, so all holders of a match have equal states.
The properties and methods of ``State`` are what a bot reads.
"""

from enum import Enum, auto
from typing import Final, NamedTuple

from aboveboard_referee.games.allegra.grid import (
    CELLS,
    CELLS_PER_SEAT,
    COLUMNS,
    Cell,
    area_numbers,
)
from aboveboard_referee.games.allegra.notation import Move
from aboveboard_referee.games.contract import Card, Seat, Slot


class Phase(Enum):
    """What is owed next, unless a move waits for the faces of its cells."""

    DEAL = auto()  # the shuffle of a round
    OPEN = auto()  # the face of the first discard
    SET_UP = auto()  # turn two cells
    TURN = auto()  # draw or take
    RESHUFFLE = auto()  # the discards become the stock, for a seat that draws
    DRAWN = auto()  # the face of the drawn card
    KNOCK = auto()  # the other seats knock or hold
    CHOICE = auto()  # give the drawn card to a seat that knocked, or decline
    ACT = auto()  # discard or swap the drawn card
    PLACE = auto()  # the taker puts the gift down
    PICK = auto()  # the giver takes a card for it
    PUT = auto()  # and puts that down
    COUNT = auto()  # all faces at the end of a round
    OVER = auto()


class FaceDown(NamedTuple):
    """A card that nobody has seen."""

    slot: Slot


class FaceUp(NamedTuple):
    """A card that everybody has seen."""

    slot: Slot
    card: Card
    value: int


Lying = FaceUp | FaceDown

Unseen = tuple[tuple[int, frozenset[Card]], ...]
"""By deck of this round, the cards whose faces nobody has seen."""


class Stock(NamedTuple):
    """The cards to draw from: ``left`` of them, the next one at ``next_slot``."""

    deck: int
    pos: int
    left: int

    @property
    def next_slot(self) -> Slot:
        return Slot(self.deck, self.pos)

    @property
    def rest(self) -> "Stock":
        """The stock without its next card."""
        return Stock(self.deck, self.pos + 1, self.left - 1)


NO_STOCK: Final = Stock(0, 0, 0)


class Gift(NamedTuple):
    """A gift under way from the active seat to ``taker``."""

    taker: Seat
    replaced: FaceUp | None = None  # lay where the gift lies now; in the taker's hand
    picked: FaceUp | None = None  # in the giver's hand
    hole: Cell | None = None  # where the picked card lay


class State(NamedTuple):
    """Everything about a match that its rules ask for. Equal for every holder.

    A tuple, since copies of it with a few changes are most of what the game does.
    """

    seats: int
    phase: Phase = Phase.DEAL
    round: int = 0  # from 0
    active: Seat = 0  # whose turn it is, also while others answer
    turns: int = 0  # completed in this round, set-up not counted
    decks: int = 0  # shuffles of the match so far

    grid: tuple[Lying | None, ...] = ()  # by cell number; None is a gap
    discards: tuple[FaceUp, ...] = ()  # the top one last
    removed: tuple[FaceUp, ...] = ()  # of this round
    stock: Stock = NO_STOCK
    unseen: Unseen = ()

    pending: Move | None = None  # waits for the faces of its cells
    drawn: FaceUp | None = None
    knockers: tuple[Seat, ...] = ()
    gift: Gift | None = None

    trigger: Seat | None = None  # who has brought about the end of this round
    final: tuple[Seat, ...] = ()  # who still has a final turn, the one under way included

    results: tuple[tuple[int, ...], ...] = ()  # the scores of each round that is over

    @property
    def totals(self) -> tuple[int, ...]:
        """Each seat's points so far; the lowest wins."""
        return tuple(sum(result[seat] for result in self.results) for seat in range(self.seats))

    @property
    def top(self) -> FaceUp:
        """The card that could be taken from the discards."""
        return self.discards[-1]

    @property
    def is_final(self) -> bool:
        """Whether the end of this round is already known, so that this turn is one's last."""
        return bool(self.final)

    @property
    def faces(self) -> tuple[int | None, ...]:
        """The value of every cell by number; ``None`` for a gap and for a face-down card."""
        return tuple([lying.value if type(lying) is FaceUp else None for lying in self.grid])

    @property
    def unseen_cards(self) -> frozenset[Card]:
        """Which cards lie face down, in cells or in the stock."""
        return frozenset().union(*(cards for _, cards in self.unseen))

    def at(self, cell: Cell) -> Lying | None:
        """What lies in a cell; ``None`` is a gap."""
        return self.grid[cell.number]

    def face_up_at(self, cell: Cell) -> FaceUp:
        """The card in a cell that is known to hold one that everybody has seen."""
        lying = self.grid[cell.number]
        assert isinstance(lying, FaceUp)
        return lying

    def rows(self, seat: Seat) -> tuple[tuple[Lying | None, ...], ...]:
        """The three rows of a seat's own grid."""
        start = seat * CELLS_PER_SEAT
        own = self.grid[start : start + CELLS_PER_SEAT]
        return tuple(own[row : row + COLUMNS] for row in range(0, CELLS_PER_SEAT, COLUMNS))

    def occupied(self, seat: Seat) -> tuple[Cell, ...]:
        """The cells of a seat's area that hold a card, ascending."""
        grid = self.grid
        numbers = area_numbers(seat, self.seats)
        return tuple([CELLS[number] for number in numbers if grid[number] is not None])

    def face_down(self, seat: Seat) -> tuple[Cell, ...]:
        """The cells of a seat's area that hold a face-down card, ascending."""
        grid = self.grid
        numbers = area_numbers(seat, self.seats)
        return tuple([CELLS[number] for number in numbers if type(grid[number]) is FaceDown])
