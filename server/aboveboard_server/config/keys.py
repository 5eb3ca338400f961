"""Every key of a tournament file with what is said of it, read from the explained example.

The example is the one place where keys are explained. From it come the flags by which each
value can be given on the command line in place of the file's.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from aboveboard_server.config.example import EXAMPLE

_TABLE = re.compile(r"(?:# )?\[(\w+)\]")
_KEY = re.compile(r"(?:# )?(\w+) = \S")
_COMMENT = re.compile(r"(?:^\s+|\s+)# (?P<said>[^\"]*(?:\"[^\"]*\"[^\"]*)*)$")


@dataclass(frozen=True)
class Key:
    """A key as it is explained: ``name`` or ``table.name``, a value, and what it is for."""

    name: str
    example: Any
    explained: str

    @property
    def flag(self) -> str:
        """Its flag on the command line, such as ``--clock-move``."""
        return "--" + self.name.replace(".", "-").replace("_", "-")

    def value_of(self, text: str) -> Any:
        """What a flag's text stands for, as the file would have it.

        A text stands for itself and a list may be given as ``a,b``; all else is written as in
        the file. What is none of this comes back as text, for the reader to refuse.
        """
        if isinstance(self.example, str):
            return text
        try:
            value = tomllib.loads(f"value = {text}\n")["value"]
        except (tomllib.TOMLDecodeError, RecursionError, ValueError):
            value = text
        if isinstance(self.example, list) and not isinstance(value, list):
            return [part.strip() for part in text.split(",")]
        return value


@cache
def all_keys() -> tuple[Key, ...]:
    """Every key that the example explains, in its order."""
    return tuple(_read(EXAMPLE.splitlines()))


def key_named(name: str) -> Key:
    """The key of a ``name``, which must be one."""
    return next(key for key in all_keys() if key.name == name)


def _read(lines: list[str]) -> Iterator[Key]:
    table = ""
    for number, line in enumerate(lines):
        if found := _TABLE.match(line):
            table = f"{found[1]}."
        elif found := _KEY.match(line):
            value, length = _value(lines, number)
            said = [_said(each) for each in lines[number : number + length]]
            for following in lines[number + length :]:
                if not re.match(r"(?:#\s{2,}|\s+#\s)", following):
                    break
                said.append(_said(following) or following.lstrip("# ").strip())
            yield Key(f"{table}{found[1]}", value, " ".join(filter(None, said)))


def _value(lines: list[str], number: int) -> tuple[Any, int]:
    """The value that begins on a line, and on how many lines it stands."""
    text = ""
    for length, line in enumerate(lines[number:], 1):
        text += line.removeprefix("# ") + "\n"
        try:
            (value,) = tomllib.loads(text).values()
        except tomllib.TOMLDecodeError:
            continue
        return value, length
    raise AssertionError(f"the example has no value on line {number + 1}")


def _said(line: str) -> str:
    found = _COMMENT.search(line.removeprefix("# "))
    return found["said"].strip() if found else ""
