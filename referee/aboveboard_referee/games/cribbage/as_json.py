"""What a holder knows, as plain JSON: for bots that are not written in Python."""

from typing import Any

from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.cribbage.cards import DECK, card_text
from aboveboard_referee.games.cribbage.state import CribbageState


def as_json(
    state: CribbageState, sides: tuple[tuple[Seat, ...], ...], to_move: tuple[Seat, ...]
) -> dict[str, Any]:
    """The state in words; a place that holds cards maps each one's position to its face.

    A position is written as in a move (``"17"``), a face as ``"5H"``, and ``None`` stands
    for one that this holder was not shown. ``docs/languages.md`` has every field.
    """

    def lying(positions: tuple[int, ...]) -> dict[str, str | None]:
        return {str(position): _text(state.faces[position]) for position in positions}

    starter = _text(state.starter)
    return {
        "phase": state.phase.name.lower(),
        "seats": state.seats,
        "to_move": list(to_move),
        "sides": [list(side) for side in sides],
        "scores": list(state.scores),
        "deal": state.deal,
        "dealer": state.dealer,
        "hands": [lying(held) for held in state.held],
        "played": [
            lying(tuple(position for position in hand if position not in held))
            for hand, held in zip(state.hands, state.held, strict=True)
        ],
        "crib": lying(state.crib),
        "starter": starter,
        "pile": [card_text(card) for card in state.pile],
        "count": state.total,
        "last": state.last if state.pile else None,
        "passed": list(state.passed),
        "stock": len(DECK) - sum(map(len, state.hands)) - len(state.crib) - (starter is not None),
        "unseen": [card_text(card) for card in DECK if card not in state.known],
    }


def _text(card: Card | None) -> str | None:
    return None if card is None else card_text(card)
