"""A turn as JSON: all that a bot needs which has no rules engine of its own.

``docs/languages.md`` has every field, for those who write such bots.
"""

import dataclasses
import json
from typing import Any

from aboveboard_referee.match.player import Turn


def turn_json(turn: Turn) -> dict[str, Any]:
    """The turn in plain JSON values: what its seat knows and may do, and nothing else.

    ``game`` is the rule set's name, ``rules`` each of its fields, ``legal`` the moves in
    their notation and order, and ``state`` what ``Game.describe`` says of the seat's own
    state. Equal turns give equal values.
    """
    game = turn.game
    return {
        "game": game.name,
        "rules": _rules(game.rules),
        "seat": turn.seat,
        "asked": turn.asked,
        "left_us": turn.left_us,
        "legal": [game.encode(move) for move in turn.legal],
        "state": game.describe(turn.state),
    }


def json_bytes(value: dict[str, Any]) -> bytes:
    """Compact JSON in UTF-8, its keys in the order of ``value``, and no line end in it.

    Equal turns give equal bytes.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _rules(rules: Any) -> dict[str, Any]:
    """Every field by its name, the version among them; yes or no is a ``bool``."""
    return {
        field.name: list(value) if isinstance(value, tuple) else value
        for field in dataclasses.fields(rules)
        for value in (getattr(rules, field.name),)
    }
