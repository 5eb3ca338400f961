"""What the boards of all games have in common."""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from aboveboard_referee.games.contract import Card, Moved, Seat, Shown, Shuffled
from aboveboard_referee.games.registry import AnyGame

Event = Shuffled | Shown | Moved[Any]
"""A step of a game."""

UNKNOWN_CARD = "??"


class Board(Protocol):
    """One game's way of being shown. What its methods give is said in the package."""

    def position(self, game: AnyGame, state: Any, names: Sequence[str]) -> tuple[str, ...]: ...

    def happening(
        self, game: AnyGame, before: Any, event: Event, after: Any, names: Sequence[str]
    ) -> tuple[str, ...]: ...

    def cards_of(self, game: AnyGame, state: Any, move: Any) -> str:
        """The cards that a move moves, as far as the state's holder knows them."""
        ...


def name_of(names: Sequence[str], seat: Seat) -> str:
    return names[seat] if seat < len(names) else f"seat {seat}"


def width_of(names: Sequence[str], seats: int) -> int:
    """The columns that the longest of the seats' names takes."""
    return max(len(name_of(names, seat)) for seat in range(seats))


def cards_text(game: AnyGame, cards: Iterable[Card | None]) -> str:
    """Cards with blanks between them; ``--`` for none."""
    shown = [UNKNOWN_CARD if card is None else game.card_text(card) for card in cards]
    return " ".join(shown) or "--"
