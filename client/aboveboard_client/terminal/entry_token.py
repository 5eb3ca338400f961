"""An entry token as somebody gives it: in an option, the environment or a file."""

import sys
from pathlib import Path

from aboveboard_client.errors import WrongUse

_LONGEST = 200


def given_token(token: str | None, file: Path | None) -> str:
    """The token, or nothing where none was given. ``WrongUse`` for both, and for what is none."""
    if token is not None and file is not None:
        raise WrongUse("give --token or --token-file, not both")
    if file is not None:
        token = _first_line(file)
    if token is None:
        return ""
    token = token.strip()
    if not (token.isascii() and token.isalnum() and len(token) <= _LONGEST):
        # It is not shown: a terminal's lines are kept and sent around.
        raise WrongUse("an entry token is one word of letters and digits, and this is none")
    return token


def _first_line(file: Path) -> str:
    if str(file) == "-":
        return sys.stdin.readline()
    try:
        with file.open(encoding="ascii", errors="replace") as opened:
            return opened.readline(_LONGEST + 2)
    except OSError as error:
        raise WrongUse(f"{file} cannot be read: {error.strerror}") from None
