"""What is said between this program and a bot that talks lines: ``docs/languages.md``.

Each line is one JSON object and ends with a line feed; only a bot's move may be bare.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.terminal.output import printable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.match.turn_json import json_bytes, turn_json

PROTOCOL = 1
MOST_NAME = 64
SHOWN = 80
"""Characters of a line that are repeated when something is wrong with it."""


class Hello(NamedTuple):
    """How a bot presents itself; ``games`` are families or rule sets, empty for all."""

    name: str
    games: tuple[str, ...]


# --- Ours ---------------------------------------------------------------------------------


def hello_line(games: Sequence[str], seed: str) -> bytes:
    """The first line: every rule set there is, and where random numbers may come from."""
    return _line({"type": "hello", "protocol": PROTOCOL, "games": list(games), "seed": seed})


def turn_line(number: int, turn: Turn) -> bytes:
    """The question that ``number`` identifies."""
    return _line({"type": "turn", "id": number, "match": turn.match, **turn_json(turn)})


def over_line(match: str, seat: Seat, close: pb.MatchClose | None) -> bytes:
    """The match is over for this seat; without a close nothing is known of its result."""
    result: dict[str, Any] = {"reason": None, "half_points": None, "scores": None}
    if close is not None:
        result = {
            "reason": reason_text(close.reason),
            "half_points": [row.half_points for row in close.seats],
            "scores": [row.score for row in close.seats],
        }
    return _line({"type": "over", "match": match, "seat": seat, **result})


QUIT_LINE = b'{"type":"quit"}\n'


def _line(value: dict[str, Any]) -> bytes:
    return json_bytes(value) + b"\n"


# --- Theirs -------------------------------------------------------------------------------


def read_hello(line: bytes) -> Hello:
    """The bot's answer to ours. Raises ``LineBotFailed``."""
    value = _object(line)
    if value is None:
        raise LineBotFailed(f"answered hello with {_shown(line)}, which is no JSON object")
    protocol = value.get("protocol", PROTOCOL)
    if protocol != PROTOCOL:
        raise LineBotFailed(
            f"talks version {_shown_value(protocol)} of the line protocol, "
            f"where this release talks {PROTOCOL}"
        )
    name, games = value.get("name"), value.get("games", [])
    if not isinstance(name, str) or not 1 <= len(name) <= MOST_NAME or not name.isprintable():
        raise LineBotFailed(f'answered hello without a "name" of 1 to {MOST_NAME} characters')
    if not isinstance(games, list) or not all(isinstance(entry, str) for entry in games):
        raise LineBotFailed('answered hello with "games" that are no list of names')
    return Hello(name, tuple(games))


def read_answer(line: bytes, number: int) -> str | None:
    """The text of the move with which a line answers question ``number``.

    ``None`` for a line that answers an older question. Raises ``LineBotFailed``.
    """
    if not line.startswith(b"{"):
        return _text(line)
    value = _object(line)
    if value is None:
        raise LineBotFailed(f"answered {_shown(line)}, which is no JSON")
    answered = value.get("id", number)
    if type(answered) is not int or answered > number:
        raise LineBotFailed(
            f"answered question {_shown_value(answered)}, where it was asked question {number}"
        )
    if answered < number:
        return None
    move = value.get("move")
    if not isinstance(move, str):
        raise LineBotFailed(f'answered {_shown(line)}, which has no "move" that is a text')
    return move


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _text(line: bytes) -> str:
    return line.decode("utf-8", errors="replace")


def _shown(line: bytes) -> str:
    return repr(printable(_text(line), SHOWN))


def _shown_value(value: object) -> str:
    return printable(repr(value), SHOWN)
