"""Files of game records."""

from pathlib import Path

from aboveboard_client.errors import WrongUse
from aboveboard_referee.game_record.read import read_records
from aboveboard_referee.game_record.record import BadRecord, GameRecord


def is_game_record(data: bytes) -> bool:
    """Whether a file looks like text with tags; a transcript begins with a length."""
    return data[:100].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")


def read_games(path: Path, data: bytes) -> tuple[GameRecord, ...]:
    """The games of a file, one at least. Raises ``WrongUse`` with line and column."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise WrongUse(f"{path}: line {line}: not UTF-8") from None
    try:
        return tuple(read_records(text))
    except BadRecord as error:
        raise WrongUse(f"{path}: {error}") from None
