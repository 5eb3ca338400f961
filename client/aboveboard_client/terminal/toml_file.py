"""TOML files that people write: read with a limit, and every error with file, line and key."""

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.terminal.output import printable

FILE_LIMIT = 1 << 20


class TomlFile:
    """The values of a file; ``kind`` is what people call it.

    Raises ``WrongUse`` where it is not there or no TOML, ``OutsideFailure`` where it
    cannot be read.
    """

    def __init__(self, path: Path, kind: str) -> None:
        self.path = path
        self._text = _read(path, kind)
        self.values: Mapping[str, Any] = self._parsed()

    def wrong(self, key: str, what: str) -> NoReturn:
        """``WrongUse``, for ``key`` (or ``table.key``)."""
        line = line_of(self._text, key)
        place = f"{self.path}, line {line}" if line else f"{self.path}"
        raise WrongUse(f"{place}: {printable(key, 60)} {printable(what, 400)}")

    def _parsed(self) -> Mapping[str, Any]:
        try:
            return tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise WrongUse(_syntax(self.path, self._text, str(error))) from None
        except (RecursionError, ValueError):
            raise WrongUse(
                f"{self.path} nests too deeply, or has a number that is too long"
            ) from None


def _read(path: Path, kind: str) -> str:
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            plain = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            data = file.read(FILE_LIMIT + 1) if plain else b""
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise WrongUse(f"there is no {kind} {path}") from None
    except OSError as error:
        raise OutsideFailure(f"{path} cannot be read: {error.strerror}") from error
    if not plain:
        raise WrongUse(f"{path} is no plain file")
    if len(data) > FILE_LIMIT:
        raise WrongUse(f"{path} is too large for a {kind}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise WrongUse(f"{path} is not text in UTF-8") from None


def _open_at_once(path: str, flags: int) -> int:
    # A pipe would wait for its other end if it were opened to be waited for.
    return os.open(path, flags | os.O_NONBLOCK)


def line_of(text: str, key: str) -> int | None:
    """The line on which ``key`` (or ``table.key``) is given; for messages only."""
    table, _, name = key.rpartition(".")
    inside = ""
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*\[\s*([^\]]+?)\s*\]", line)
        if header:
            inside = header[1].strip("\"'")
            if not table and inside == name:
                return number
        elif inside == table and re.match(rf"""\s*["']?{re.escape(name)}["']?\s*[=.]""", line):
            return number
    # In an inline table all keys stand on the line of the table's own.
    return line_of(text, table) if table else None


def _syntax(path: Path, text: str, error: str) -> str:
    """A syntax error with its line, and the key on that line if there is one."""
    found = re.search(r"\(at line (\d+), column (\d+)\)", error)
    what = error.split(" (at ")[0]
    if not found:
        number = text.count("\n") + 1
        return f"{path}, line {number}: {what}"
    number = int(found[1])
    lines = text.splitlines()
    line = lines[number - 1] if number <= len(lines) else ""
    key = re.match(r"\s*([A-Za-z0-9_.-]+)\s*=", line)
    return f"{path}, line {number}: {f'{key[1]:.60}: ' if key else ''}{what}, column {found[2]}"
