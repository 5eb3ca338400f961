"""What everybody knows, as plain JSON: for bots that are not written in Python."""

from typing import Any

from aboveboard_referee.games.allegra.grid import CELLS, area_cells, area_sum
from aboveboard_referee.games.allegra.state import FaceUp, Gift, State
from aboveboard_referee.games.contract import Seat


def as_json(state: State, values: tuple[int, ...], to_move: tuple[Seat, ...]) -> dict[str, Any]:
    """The state in words; ``values`` has each card's value, by its id.

    A card is its value, an ``int``. ``cells`` maps each cell that holds a card, written as
    in a move (``"1.0.3"``), to the card, ``None`` while it lies face down; a gap is not in
    it. ``docs/languages.md`` has every field.
    """
    faces = state.faces
    return {
        "phase": state.phase.name.lower(),
        "seats": state.seats,
        "to_move": list(to_move),
        "totals": list(state.totals),
        "results": [list(result) for result in state.results],
        "round": state.round,
        "turns": state.turns,
        "active": state.active,
        "cells": {
            str(cell): face
            for cell, lying, face in zip(CELLS, state.grid, faces)  # CELLS has all of any table
            if lying is not None
        },
        "areas": [
            [str(cell) for cell in area_cells(seat, state.seats)] for seat in range(state.seats)
        ],
        "sums": [area_sum(faces, seat) if faces else 0 for seat in range(state.seats)],
        "drawn": _value(state.drawn),
        "top": _value(state.discards[-1] if state.discards else None),
        "discards": [card.value for card in state.discards],
        "removed": [card.value for card in state.removed],
        "stock": state.stock.left,
        "unseen": sorted(values[card] for card in state.unseen_cards),
        "knockers": list(state.knockers),
        "gift": None if state.gift is None else _gift(state.gift),
        "trigger": state.trigger,
        "final": list(state.final),
    }


def _gift(gift: Gift) -> dict[str, Any]:
    return {
        "taker": gift.taker,
        "replaced": _value(gift.replaced),
        "picked": _value(gift.picked),
        "hole": None if gift.hole is None else str(gift.hole),
    }


def _value(card: FaceUp | None) -> int | None:
    return None if card is None else card.value
