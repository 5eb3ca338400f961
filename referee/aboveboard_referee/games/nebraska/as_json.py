"""What a holder knows, as plain JSON: for bots that are not written in Python."""

from typing import Any

from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.nebraska.cards import card_text
from aboveboard_referee.games.nebraska.state import HandResult, State


def as_json(state: State, to_move: tuple[Seat, ...]) -> dict[str, Any]:
    """The state in words; a hand maps the position of each of its cards to its face.

    A position is written as in a move (``"17"``), a face as ``"5H"``, and ``None`` stands
    for one that this holder was not shown. ``docs/languages.md`` has every field.
    """
    hands = state.hands or ((),) * state.seats  # between two hands nobody holds a card
    return {
        "phase": state.phase.name.lower(),
        "seats": state.seats,
        "to_move": list(to_move),
        "wins": list(state.wins),
        "target": state.target,
        "points": list(state.points),
        "hand": state.deck,
        "hands": [{str(pos): _text(state.faces[pos]) for pos in hand} for hand in hands],
        "turned": _text(state.turned_card),
        "table": _texts(state.table_cards),
        "keeps_left": state.keeps_left,
        "can_discard": state.can_discard,
        "bets": [_text(state.faces[pos]) for pos in state.bets],
        "bets_winner": state.bets_winner,
        "out": _texts(state.out_cards),
        "stock": state.stock,
        "unseen": _texts(state.unseen),
        "last": None if state.last is None else _result(state.last),
    }


def _result(hand: HandResult) -> dict[str, Any]:
    return {
        "table": _texts(hand.table),
        "hands": [_texts(cards) for cards in hand.hands],
        "points": list(hand.points),
        "winner": hand.winner,
    }


def _texts(cards: tuple[Card, ...]) -> list[str]:
    return [card_text(card) for card in cards]


def _text(card: Card | None) -> str | None:
    return None if card is None else card_text(card)
