"""Values of JSON, taken only if they are what they should be."""

import json
from typing import Any, NoReturn

from aboveboard_referee.tournament.interchange.sheet import Unreadable

MOST_LISTS = 2_500_000
"""Lists and objects of a file: they take far more room than their text does."""

MOST_VALUES = 12_000_000


def parse_json(where: str, text: str) -> Any:
    """A JSON value: no key twice in an object, no number but what JSON has.

    Raises Unreadable; ``where`` is put before its line, column and reason.
    """
    if text.count("[") + text.count("{") > MOST_LISTS or text.count(",") > MOST_VALUES:
        raise Unreadable(where, "more values than any tournament has")
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        at = where if where else f"line {error.lineno}, column {error.colno}"
        raise Unreadable(at, f"not JSON: {error.msg}") from None
    except Unreadable as error:
        raise Unreadable(where, str(error)) from None
    except (ValueError, RecursionError):
        # A number of thousands of digits, or lists in lists without an end.
        raise Unreadable(where, "not JSON that anybody would write") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise Unreadable("", "a key stands twice in one object")
    return values


def _no_number(name: str) -> NoReturn:
    raise Unreadable("", f"{name} is no number of JSON")


class Value:
    """A value and the place where it stands, for errors: ``rounds[3].tables[0].units``."""

    def __init__(self, where: str, value: Any) -> None:
        self.where = where
        self._value = value

    @property
    def null(self) -> bool:
        return self._value is None

    def wrong(self, expected: str) -> Unreadable:
        """The error to raise where it is not what it should be."""
        return Unreadable(self.where, f"{expected} is expected here")

    def text(self) -> str:
        if not isinstance(self._value, str):
            raise self.wrong("a text")
        return self._value

    def truth(self) -> bool:
        if not isinstance(self._value, bool):
            raise self.wrong("true or false")
        return self._value

    def number(self) -> int:
        """A whole number from 0."""
        # True is an int to Python and none to anybody else.
        if not isinstance(self._value, int) or isinstance(self._value, bool) or self._value < 0:
            raise self.wrong("a whole number")
        return self._value

    def numbers(self) -> tuple[int, ...]:
        return tuple(each.number() for each in self.all())

    def all(self) -> list["Value"]:
        """The members of a list."""
        if not isinstance(self._value, list):
            raise self.wrong("a list")
        return [Value(f"{self.where}[{i}]", each) for i, each in enumerate(self._value)]

    def fields(self, *names: str) -> list["Value"]:
        """The values of an object that has just these keys."""
        here = self._object()
        for name in names:
            if name not in here:
                raise Unreadable(self.where, f"{name} is missing")
        for name in here:
            if name not in names:
                raise Unreadable(self.where, f"{name[:40]!r} is unknown here")
        return [self._field(name) for name in names]

    def some(self, *names: str) -> dict[str, "Value"]:
        """The values of an object that has no other keys than these."""
        here = self._object()
        for name in here:
            if name not in names:
                raise Unreadable(self.where, f"{name[:40]!r} is unknown here")
        return {name: self._field(name) for name in here}

    def _object(self) -> dict[str, Any]:
        if not isinstance(self._value, dict):
            raise self.wrong("an object")
        return self._value

    def _field(self, name: str) -> "Value":
        return Value(f"{self.where}.{name}" if self.where else name, self._object()[name])
