"""What one holder of a game knows: all slots, and the faces that it was shown."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.nebraska.cards import CARDS
from aboveboard_referee.games.nebraska.rules import NebraskaRules


class Phase(Enum):
    """What is owed next."""

    SHUFFLE = "a fresh deck"
    DEAL = "each seat's hand, to it alone"
    TURN = "the top card of the stock, to everybody"
    BET = "a sealed bet of every seat"
    REVEAL = "the bets, to everybody"
    DECIDE = "keep or discard, of the winner of the bets"
    DRAW = "a card of the stock for each seat, to it alone"
    OPEN = "all hands, to everybody"
    OVER = "nothing"


@dataclass(frozen=True, slots=True)
class HandResult:
    """A finished hand, all of it public."""

    table: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    points: tuple[int, ...]
    winner: Seat


class State(NamedTuple):
    """A game of Nebraska as its holder knows it.

    Cards are known by their positions in the current deck; ``faces`` tells which of
    these the holder has seen. Everything but ``faces`` is public and equal for all
    holders. The properties below put the two together for whoever plays or watches.

    A tuple, since copies of it with a few changes are most of what the game does.
    """

    rules: NebraskaRules
    seats: int
    phase: Phase = Phase.SHUFFLE

    wins: tuple[int, ...] = ()
    """By seat."""
    points: tuple[int, ...] = ()
    """By seat, over all finished hands."""
    last: HandResult | None = None
    """The latest finished hand."""

    deck: int = 0
    """The number of the current deck, which is also that of the current hand, from 1."""
    faces: tuple[Card | None, ...] = (None,) * CARDS
    """The card in each position of the current deck, ``None`` where not seen."""
    top: int = 0
    """The position of the stock's top card: all before it have left the stock."""
    hands: tuple[tuple[int, ...], ...] = ()
    """Positions held by each seat, ascending."""
    turned: int | None = None
    """The position of the turned card while its fate is open."""
    table: tuple[int, ...] = ()
    """Positions of the cards kept on the table, in that order."""
    out: tuple[int, ...] = ()
    """Positions of all bets and discarded cards of this hand, in that order."""
    bets: tuple[int, ...] = ()
    """Positions of this hand's latest bets, by seat; they are also in ``out`` once revealed."""
    bets_winner: Seat | None = None
    """The seat whose bet was the highest of the latest bets that were revealed."""

    # --- The hand in play -----------------------------------------------------------------

    def hand(self, seat: Seat) -> dict[int, Card | None]:
        """A seat's hand by position, ascending; ``None`` for a card that was not seen."""
        return {pos: self.faces[pos] for pos in self.hands[seat]}

    @property
    def table_cards(self) -> tuple[Card, ...]:
        return self.cards(self.table)

    @property
    def turned_card(self) -> Card | None:
        """The card that is bet for; ``None`` while there is none."""
        return None if self.turned is None else self.faces[self.turned]

    @property
    def out_cards(self) -> tuple[Card, ...]:
        """All bets and discarded cards of this hand, in that order."""
        return self.cards(self.out)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """Cards that the holder has not seen in this deck, ascending: in other hands or the stock.

        Between hands that is the whole pack.
        """
        seen = set(self.faces)
        return tuple(card for card in range(CARDS) if card not in seen)

    @property
    def stock(self) -> int:
        """How many cards are left in the stock; the turned card is not among them."""
        return CARDS - self.top

    @property
    def keeps_left(self) -> int:
        """How many cards the table still lacks, the turned one included."""
        return self.rules.keeps - len(self.table)

    @property
    def can_discard(self) -> bool:
        """Whether the stock allows the turned card to go, else it is a forced keep.

        A discard takes one card for each seat, and a card must be left to be turned for
        each that the table still lacks. A keep lowers both sides of this by one, so that
        the number of discards in a hand is bounded by the number of seats alone.
        """
        return self.stock >= self.seats + self.keeps_left

    @property
    def decider(self) -> Seat | None:
        """The seat that is now asked to keep or discard the turned card."""
        return self.bets_winner if self.phase is Phase.DECIDE else None

    # --- The game ---------------------------------------------------------------------------

    @property
    def target(self) -> int:
        """The wins that end the game."""
        return self.rules.target(self.seats)

    def cards(self, positions: tuple[int, ...]) -> tuple[Card, ...]:
        """The cards in positions that have been shown to everybody."""
        cards = tuple(card for pos in positions if (card := self.faces[pos]) is not None)
        assert len(cards) == len(positions), "these positions are not all public"
        return cards
