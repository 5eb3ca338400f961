"""What its author is told of a bot that gave back something else than a legal move.

All of it looks at a stranger's object, which may raise whatever it likes at that.
"""

from typing import Any

from aboveboard_referee.match.player import Turn

SHOWN = 200
"""Characters of such an object that are told at the most."""


def chosen(turn: Turn, move: object) -> str:
    """What the bot chose, and in brackets what the mistake may be where it is a common one."""
    return f"chose {_shown(move)}, which is no legal move{_hint(turn, move)}"


def described(turn: Turn, move: object) -> tuple[str, str]:
    """The same where what was chosen is told by itself: in words, and as it is shown."""
    if move is None:
        return "returned None in place of a move: is there a return missing?", _shown(move)
    if isinstance(move, str):
        if _names_a_legal_one(turn, move):
            what = "returned the move as text: turn.game.decode(text) gives the move"
        else:
            what = "returned text, and none that names a legal move"
        return what, _shown(move)
    text = _text(turn, move)
    if text is None:
        what = f"returned a value of the type {type(move).__name__}, which is no move"
        return what, _shown(move)
    return "returned a move that is not legal here", text


def _hint(turn: Turn, move: object) -> str:
    if move is None:
        return " (is there a return missing?)"
    if isinstance(move, str) and _names_a_legal_one(turn, move):
        return " but the text of one (turn.game.decode(text) gives the move)"
    return ""


def _names_a_legal_one(turn: Turn, text: str) -> bool:
    return any(turn.game.encode(legal) == text for legal in turn.legal)


def _shown(move: object) -> str:
    return repr(move)[:SHOWN]


def _text(turn: Turn, move: Any) -> str | None:
    """The text of a move of the game, legal or not; None for anything else."""
    try:
        text = turn.game.encode(move)
        return text if turn.game.decode(text) == move else None
    except Exception:  # noqa: BLE001  # of a stranger's object
        return None
