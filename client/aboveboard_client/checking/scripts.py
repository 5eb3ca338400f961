"""Seats that no bot plays: moves by lot, leaning towards what brings a moment about.

A script looks at nothing but the moves that are open to a seat and at what everybody sees,
and at how often the seat was asked before. So it moves alike wherever the same cards lie.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from aboveboard_referee.games.allegra import notation as allegra
from aboveboard_referee.games.allegra.state import FaceUp
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.nebraska.notation import Choice
from aboveboard_referee.games.registry import AnyGame

Moves = Sequence[Any]


@dataclass(frozen=True)
class Script:
    """How a seat moves without a bot: ``style`` is one of ``STYLES``, ``seed`` any text."""

    style: str
    seed: str

    def move(self, game: AnyGame, state: Any, seat: Seat, legal: Moves, before: int) -> Any:
        """One of ``legal``, for a seat that was asked ``before`` so many times."""
        preferred = STYLES[self.style](state, legal) or legal
        number = int.from_bytes(
            hashlib.sha256(f"{self.seed}\n{seat}\n{before}".encode()).digest()[:8]
        )
        return preferred[number % len(preferred)]


def _by_lot(state: Any, legal: Moves) -> Moves:
    return legal


def _discarding(state: Any, legal: Moves) -> Moves:
    """Discards what was turned, so that the stock of a hand runs low."""
    return [move for move in legal if move is Choice.DISCARD]


def _drawing(state: Any, legal: Moves) -> Moves:
    """Draws and turns nothing over, so that the stock runs out."""
    return _first_of(legal, "draw", "hold", "decline") or _onto_open(state, legal, "swap")


def _taking(state: Any, legal: Moves) -> Moves:
    """Takes and turns nothing over, so that nobody ends a round."""
    return _onto_open(state, legal, "take") or _drawing(state, legal)


def _knocking(state: Any, legal: Moves) -> Moves:
    """Knocks for every card, and gives to nobody."""
    return _first_of(legal, "draw", "knock", "decline") or _onto_open(state, legal, "swap")


def _giving(state: Any, legal: Moves) -> Moves:
    """Knocks for every card, and gives every card away."""
    return _first_of(legal, "draw", "knock", "give")


STYLES: Final[dict[str, Callable[[Any, Moves], Moves]]] = {
    "by-lot": _by_lot,
    "discarding": _discarding,
    "drawing": _drawing,
    "taking": _taking,
    "knocking": _knocking,
    "giving": _giving,
}
"""Which of the legal moves a style prefers; none: it has no preference here."""


def _first_of(legal: Moves, *verbs: str) -> Moves:
    return [move for move in legal if isinstance(move, allegra.Move) and move.verb in verbs]


def _onto_open(state: Any, legal: Moves, verb: str) -> Moves:
    return [move for move in _first_of(legal, verb) if isinstance(state.at(move.cells[0]), FaceUp)]
