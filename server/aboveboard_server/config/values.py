"""Single values of a tournament file: read by kind, and what is wrong with one."""

import difflib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import printable
from aboveboard_client.terminal.toml_file import TomlFile
from aboveboard_server.config.keys import key_named

_NO_FLAGS: Mapping[str, str] = {}

_POINTS = {"0": 0, "0.5": 1, "1": 2}


class Values:
    """The values of a file. ``key`` is ``name`` or ``table.name``.

    Every error is ``WrongUse`` that names file, line and key, or the flag by which ``flags`` has
    a value in place of the file's. ``without`` are keys that are read as if they were not there.
    """

    def __init__(
        self,
        file: TomlFile,
        flags: Mapping[str, str] = _NO_FLAGS,
        without: frozenset[str] = frozenset(),
    ) -> None:
        self.file = file
        self._flags = flags
        self._without = without
        self._used: set[str] = set()

    def without(self, key: str) -> "Values":
        """The same values, but for one key."""
        return Values(self.file, self._flags, frozenset({key}))

    def get(self, key: str) -> Any:
        """As TOML has it; ``None`` where it is not given."""
        table, _, name = key.rpartition(".")
        self._used |= {key, table or key}
        if key in self._without:
            return None
        if key in self._flags:
            text = self._flags[key]
            return key_named(key).value_of(text) if text else None
        values: Any = self.file.values
        if table:
            values = values.get(table)
            if values is not None and not isinstance(values, dict):
                self.wrong(table, f"must be a table, [{table}]")
        return (values or {}).get(name)

    def given(self) -> list[str]:
        """Every key that is there, those of tables with their table's name."""
        found = [key for key, text in self._flags.items() if text]
        for key, value in self.file.values.items():
            found += [f"{key}.{name}" for name in value] if isinstance(value, dict) else [key]
        return found

    def wrong(self, key: str, what: str) -> NoReturn:
        """Refuse what is said under a key."""
        if key in self._flags:
            raise WrongUse(f"{key_named(key).flag} {printable(what, 400)}")
        self.file.wrong(key, what)

    # --- By kind -------------------------------------------------------------------------

    def text(self, key: str, default: str) -> str:
        value = self.get(key)
        if value is None:
            return default
        if not isinstance(value, str) or not value.strip() or len(value) > 200:
            self.wrong(key, f"must be a text of 1 to 200 characters, not {value!r:.60}")
        if not value.isprintable():
            self.wrong(key, "must be printable")
        return value

    def path(self, key: str) -> Path | None:
        """A file by its name, against the tournament file's folder."""
        text = self.text(key, "")
        return self.file.path.parent / text if text else None

    def address(self, key: str) -> str | None:
        """Host and port to listen on, as ``host:port``."""
        value = self.text(key, "")
        host, colon, port = value.rpartition(":")
        fits = colon and host and re.fullmatch(r"[0-9]{1,5}", port) and int(port) <= 65535
        if value and not fits:
            self.wrong(key, f'must be like "127.0.0.1:50051", not {value!r:.60}')
        return value or None

    def key_file(self, key: str) -> Path | None:
        """A key file that has to be there."""
        path = self.path(key)
        if path is not None and not os.path.exists(path):
            self.wrong(key, f"names a key file that is not there: {path}")
        return path

    def number(self, key: str, low: int, high: int) -> int | None:
        value = self.get(key)
        if value is None:
            return None
        if type(value) is not int or not low <= value <= high:
            self.wrong(key, f"must be a number from {low} to {high}, not {value!r:.60}")
        return value

    def truth(self, key: str) -> bool:
        value = self.get(key)
        if value is not None and not isinstance(value, bool):
            self.wrong(key, f"must be true or false, not {value!r:.60}")
        return bool(value)

    def points(self, key: str, default: str, most: str = "1") -> int:
        """Half points, of a text or number of points."""
        value = self.get(key)
        text = default if value is None else str(value)
        if _POINTS.get(text, 3) > _POINTS[most]:
            known = [f'"{points}"' for points, half in _POINTS.items() if half <= _POINTS[most]]
            self.wrong(key, f"must be {' or '.join(known)}, not {value!r:.60}")
        return _POINTS[text]

    def one_of(self, key: str, words: Mapping[str, object] | tuple[str, ...], default: str) -> str:
        value = self.get(key)
        if value is None:
            return default
        if not isinstance(value, str) or value not in words:
            known = [f'"{word}"' for word in words]
            listed = f"{', '.join(known[:-1])} or {known[-1]}"
            self.wrong(key, f"must be {listed}, not {value!r:.60}")
        return value

    def names(self, key: str) -> tuple[str, ...]:
        """A list of entrants' names."""
        value = self.get(key)
        if value is None:
            return ()
        if not _all_names(value):
            self.wrong(key, "must be a list of entrants' names")
        return tuple(value)

    def duration_us(self, key: str, default: str) -> int:
        value = self.get(key)
        found = (
            re.fullmatch(r"([0-9]{1,9})(ms|s|m|h)", value if value is not None else default)
            if isinstance(value, str | None)
            else None
        )
        if found is None:
            self.wrong(key, f'must be like "250ms", "10s" or "5m", not {value!r:.60}')
        unit = {"ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000}
        return int(found[1]) * unit[found[2]]

    # --- What nothing has asked for ------------------------------------------------------

    def refuse_others(self) -> None:
        """Refuse keys that nobody has read."""
        for key, value in self.file.values.items():
            if key not in self._used:
                self.wrong(key, f"is no key of a tournament file; {self._near(key)}")
            if isinstance(value, dict):
                for inner in value:
                    if f"{key}.{inner}" not in self._used:
                        near = self._near(f"{key}.{inner}")
                        self.wrong(f"{key}.{inner}", f"is no key of this table; {near}")

    def _near(self, key: str) -> str:
        """Which key may have been meant, or where they are all told."""
        table, _, name = key.rpartition(".")
        known = sorted(u.rpartition(".")[2] for u in self._used if u.rpartition(".")[0] == table)
        near = difflib.get_close_matches(name, known, 1)
        if near:
            return f"did you mean {near[0]}?"
        return f"{command_line('serve', '--example')} explains them all"


def _all_names(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(name, str) and 0 < len(name) <= 200 for name in value
    )
