"""What its author is told of a bot that gave back something else than a legal move."""

from aboveboard_referee.match.player import Turn


def chosen(turn: Turn, move: object) -> str:
    """What the bot chose, and in brackets what the mistake may be where it is a common one."""
    return f"chose {move!r}, which is no legal move{_hint(turn, move)}"


def _hint(turn: Turn, move: object) -> str:
    if move is None:
        return " (is there a return missing?)"
    if isinstance(move, str) and any(turn.game.encode(legal) == move for legal in turn.legal):
        return " but the text of one (turn.game.decode(text) gives the move)"
    return ""
