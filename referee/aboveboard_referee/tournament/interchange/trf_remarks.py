"""Comments of a TRF in which Aboveboard keeps what no column has.

Each is ``### aboveboard`` and a JSON object. Players are named by start number in them, so
that they stay true in a file that another program has added rounds to. Without them a file
means what its columns say; with them it means what it meant when it was written.
"""

import json
from collections.abc import Mapping
from typing import Any

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.interchange.sheet import Unreadable
from aboveboard_referee.tournament.interchange.trf_words import REMARK
from aboveboard_referee.tournament.interchange.values import Value, parse_json

REMARKS: Mapping[str, tuple[str, ...]] = {
    "point": (),
    "rounds": (),
    "title": (),
    "system": (),
    "tie_breaks": (),
    "unheeded": (),
    "order": (),
    "house": (),
    "seats": ("bye", "legs", "accelerated", "reach", "sizes", "final_reset"),
    "field": (),
    "division": ("name", "size", "members"),
    "disqualified": (),
    "fixed": ("tables",),
    "over": (),
    "entrant": ("name", "rating"),
    "round": ("boards", "byes"),
    "bye": ("kind",),
    "table": ("name", "matches", "wins", "by_hand"),
}
"""The kinds of remarks by their first key, and the other keys that they can have."""


def remark(kind: str, about: object, /, **others: object) -> str:
    """A line that says something. ``about`` is what the kind's own key holds."""
    return REMARK + json.dumps({kind: about, **others}, separators=(", ", ": "))


def entrants_of(value: Value, entrant: Mapping[int, Entrant]) -> tuple[Entrant, ...]:
    """Those whose start numbers a remark lists; ``entrant`` are all by start number."""
    numbers = value.numbers()
    if not all(number in entrant for number in numbers):
        raise value.wrong("a list of players' start numbers")
    return tuple(entrant[number] for number in numbers)


class Remarks:
    """The remarks of a file. Each is taken once; what is left over fits nothing in it."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, object], dict[str, Value]] = {}

    def add(self, line: int, text: str) -> None:
        """A comment's line. Raises Unreadable if it is none of ours."""
        where = f"line {line}, column {len(REMARK) + 1}"
        value = Value(where, parse_json(where, text[len(REMARK) :]))
        fields = value.some(*{key for kind, keys in REMARKS.items() for key in (kind, *keys)})
        kind = next(iter(fields), "")
        if kind not in REMARKS or not set(fields) <= {kind, *REMARKS[kind]}:
            raise value.wrong("a remark of docs/interchange.md")
        about: Any = None
        if kind in ("entrant", "round", "division"):
            about = fields[kind].number()
        elif kind in ("bye", "table"):
            about = fields[kind].numbers()
        if (kind, about) in self._found:
            raise Unreadable(where, "the same is said a second time")
        self._found[kind, about] = {**fields, "": value}

    def take(self, kind: str, about: object = None) -> dict[str, Value]:
        """The fields of a remark; none if nobody made it."""
        return self._found.pop((kind, about), {})

    def check_taken(self) -> None:
        """Raises Unreadable if a remark is about something that is not in the file."""
        for fields in self._found.values():
            raise Unreadable(fields[""].where, "this is about nothing that the columns have")
