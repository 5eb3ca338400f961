"""What a holder of a match knows, as one frozen value.

Positions count from the top of the current deck: the hands seat by seat from the seat
after the dealer, then the crib cards of the stock, then the starter.
"""

from enum import Enum
from typing import NamedTuple

from aboveboard_referee.games.contract import Card, DealerFault, Foul, Grant, Seat
from aboveboard_referee.games.cribbage.cards import CARDS, VALUE


class Phase(Enum):
    """What is owed next. ``game.py`` has every transition between them."""

    SHUFFLE = "a new deck"
    HANDS = "the cards in hand, to their seats"
    DISCARD = "what goes into the crib, from every seat"
    STARTER = "the starter, to everybody"
    PLAY = "a card or a go, from the seat in turn"
    FACE = "the card just played, to everybody"
    CRIB = "the crib, to everybody"
    PROOF = "the cards of seats that said go, before the match may end"
    OVER = "nothing"
    FOUL = "nothing, after an illegal move"


class Claim(NamedTuple):
    """A seat said go, so none of these positions may turn out to fit into ``room``."""

    seat: Seat
    room: int  # what the count lacked to 31
    positions: tuple[int, ...]
    moved: int  # index of the go among the match's Moved events


class CribbageState(NamedTuple):
    """A match as one holder knows it. Between two deals the last one can still be read.

    A tuple, since copies of it with a few changes are most of what the game does.
    """

    side_of: tuple[int, ...]  # by seat
    scores: tuple[int, ...]  # by side
    hands: tuple[tuple[int, ...], ...]  # positions by seat: as dealt, then as kept
    held: tuple[tuple[int, ...], ...]  # of those, the ones not played yet
    phase: Phase = Phase.SHUFFLE
    deal: int = 0  # number of the current deal and of its deck, from 1
    moved: int = 0  # Moved events so far
    faces: tuple[Card | None, ...] = ()  # by position; None: not known to this holder
    crib: tuple[int, ...] = ()  # positions; the dealer's side counts it
    turn: Seat = 0  # the seat to play, or whose card is being turned
    last: Seat = 0  # the seat that played last
    passed: tuple[Seat, ...] = ()  # seats that have said go in this count
    pile: tuple[Card, ...] = ()  # cards since the count last started
    playing: int = 0  # position of the card just played, while its face is owed
    claims: tuple[Claim, ...] = ()  # of this deal
    foul: Foul | None = None

    @property
    def seats(self) -> int:
        return len(self.side_of)

    @property
    def dealer(self) -> Seat:
        """Who deals, owns the crib and counts last; seat 0 deals first, then in turn."""
        return max(self.deal - 1, 0) % self.seats

    @property
    def from_eldest(self) -> tuple[Seat, ...]:
        """All seats in turn order, the dealer last."""
        return tuple((self.dealer + 1 + i) % self.seats for i in range(self.seats))

    @property
    def total(self) -> int:
        """The running total of the play, which players call the count: 0 … 31."""
        return sum([VALUE[card] for card in self.pile])

    @property
    def starter(self) -> Card | None:
        """The card turned up, or None before it is."""
        return self.faces[-1] if self.faces else None

    def score_of(self, seat: Seat) -> int:
        """The points of the side that ``seat`` plays for."""
        return self.scores[self.side_of[seat]]

    def hand(self, seat: Seat) -> tuple[tuple[int, Card | None], ...]:
        """(position, face) of each card that ``seat`` has not played yet."""
        return tuple((position, self.faces[position]) for position in self.held[seat])

    def cards_held(self, seat: Seat) -> int:
        """How many cards ``seat`` has not played yet; everybody knows it."""
        return len(self.held[seat])

    @property
    def known(self) -> frozenset[Card]:
        """Every card of this deal that this holder has seen, wherever it lies."""
        return frozenset(face for face in self.faces if face is not None)


def learn(
    known: tuple[Card | None, ...], grants: tuple[Grant, ...], faces: tuple[Card | None, ...]
) -> tuple[Card | None, ...]:
    """``known`` with the faces that were shown now.

    Raises ``DealerFault`` for what is no card, for a card that lies elsewhere in the
    deck, for a face other than the one known, and for one withheld that is for all. The
    message names no face, since somebody may read it who was not shown it.
    """
    table = list(known)
    for (slot, seat), face in zip(grants, faces, strict=True):
        if face is None:
            if seat is None:
                raise DealerFault(f"position {slot.pos} is for everybody but has no face")
            continue
        if face not in CARDS:
            raise DealerFault(f"position {slot.pos} shows what is no card")
        before = table[slot.pos]
        if before is None:
            if face in table:
                raise DealerFault(f"position {slot.pos} shows a card that lies elsewhere")
            table[slot.pos] = face
        elif before != face:
            raise DealerFault(f"position {slot.pos} shows another card than before")
    return tuple(table)
