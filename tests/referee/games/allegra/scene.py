"""A table in the middle of a round, written down as people would draw it.

A grid is three rows of four: ``7`` lies face up, ``#7`` face down, ``.`` is a gap. The
cards that a scene does not mention lie in the stock below those it does, or count as
removed where it says that the stock ends there.
"""

from typing import Any

from aboveboard_referee.games.allegra import Allegra, AllegraRules
from aboveboard_referee.games.allegra.grid import Cell
from aboveboard_referee.games.allegra.state import FaceDown, FaceUp, Phase, State, Stock
from aboveboard_referee.games.contract import Decide, Moved, Show, Shown, Shuffle, Shuffled, Slot
from aboveboard_referee.games.step import step

RULES = AllegraRules(counts=(20,) * 13)  # enough of each value for whatever is drawn
ALL_DOWN = "#1 #2 #3 #4 / #5 #6 #7 #8 / #9 #10 #11 #1"
EMPTY = ". . . . / . . . . / . . . ."


def cell(text: str) -> Cell:
    seat, row, column = text.split(".")
    return Cell(int(seat), int(row), int(column))


class Scene:
    """One machine, of which all moves and faces are written as text."""

    def __init__(
        self,
        *grids: str,
        discards: str = "5",
        stock: str = "",
        stock_ends: bool = False,
        rules: AllegraRules = RULES,
        **fields: Any,
    ) -> None:
        self.game = Allegra("allegra", rules)
        self.shown: list[tuple[Slot, ...]] = []
        self.shuffled: list[Shuffle] = []
        self._left = list(range(len(self.game.values)))
        self._faces: dict[Slot, int] = {}
        lying = [
            self._lying(text, Slot(1, pos))
            for pos, text in enumerate(" / ".join(grids).replace(" / ", " ").split())
        ]
        top = len(lying)
        discarded = [
            self._lying(text, Slot(1, top + pos)) for pos, text in enumerate(discards.split())
        ]
        first = top + len(discarded)
        drawable = [self._card(int(text)) for text in stock.split()]
        if not stock_ends:
            drawable += self._left
        self._faces |= {Slot(1, first + pos): card for pos, card in enumerate(drawable)}
        down = [self._faces[card.slot] for card in lying if isinstance(card, FaceDown)]
        removed = self._left if stock_ends else []
        self.state = State(
            seats=len(grids),
            phase=Phase.TURN,
            decks=1,
            grid=tuple(lying),
            discards=tuple(card for card in discarded if isinstance(card, FaceUp)),
            removed=tuple(FaceUp(Slot(0, 0), card, self.game.values[card]) for card in removed),
            stock=Stock(1, first, len(drawable)),
            unseen=((1, frozenset([*down, *drawable])),),
        )
        self.state = self.state._replace(**fields)

    def _card(self, value: int) -> int:
        card = next(card for card in self._left if self.game.values[card] == value)
        self._left.remove(card)
        return card

    def _lying(self, text: str, slot: Slot) -> FaceUp | FaceDown | None:
        if text == ".":
            return None
        card = self._card(int(text.removeprefix("#")))
        self._faces[slot] = card
        if text.startswith("#"):
            return FaceDown(slot)
        return FaceUp(slot, card, self.game.values[card])

    @property
    def need(self) -> Any:
        return self.game.need(self.state)

    @property
    def seats(self) -> tuple[int, ...]:
        """Who is asked."""
        assert isinstance(self.need, Decide)
        return self.need.seats

    def legal(self, seat: int) -> list[str]:
        return [self.game.encode(move) for move in self.need.of(seat)]

    def play(self, *moves: str) -> "Scene":
        """One decision, by all that are asked, and the faces and shuffles it brings about."""
        need = self.need
        assert len(need.seats) == len(moves)
        decoded = tuple(zip(need.seats, map(self.game.decode, moves)))
        self.state = step(self.game, self.state, Moved(decoded))
        return self.settle()

    def settle(self) -> "Scene":
        """Hand out what is owed within the round, in the scene's order."""
        while True:
            match self.need:
                case Show(grants):
                    assert all(to is None for _, to in grants)
                    self.shown.append(tuple(slot for slot, _ in grants))
                    faces = tuple(self._faces[slot] for slot, _ in grants)
                    self.state = step(self.game, self.state, Shown(grants, faces))
                case Shuffle(cards, closes=False) as owed:
                    self.shuffled.append(owed)
                    deck = self.state.decks + 1
                    self._faces |= {Slot(deck, pos): card for pos, card in enumerate(cards)}
                    self.state = step(self.game, self.state, Shuffled(cards))
                case _:
                    return self

    def text(self, seat: int) -> str:
        """A seat's grid as it would be written into a scene."""
        return " / ".join(" ".join(map(self._text, row)) for row in self.state.rows(seat))

    def _text(self, lying: FaceUp | FaceDown | None) -> str:
        match lying:
            case FaceUp(value=value):
                return str(value)
            case FaceDown(slot):
                return f"#{self.game.values[self._faces[slot]]}"
        return "."

    @property
    def discards(self) -> list[int]:
        return [card.value for card in self.state.discards]
