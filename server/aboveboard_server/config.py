"""The TOML file that describes a tournament, and what is wrong with one that does not."""

import difflib
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.toml_file import TomlFile
from aboveboard_client.witness.ask import WitnessAddress
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.registry import UnknownGame, canonical
from aboveboard_referee.match.clock import check_limits
from aboveboard_referee.tournament.matches import EACH, ORDERS, ROTATE
from aboveboard_referee.tournament.swiss_1.standings import DEFAULT_TIE_BREAKS, TIE_BREAKS

MOST_WITNESSES = 32

EXAMPLE = """\
# A tournament of aboveboard. Only `games` and `rounds` must be given.
title = "An evening of cards"
games = ["cribbage", "nebraska:poker", "allegra"]
rounds = 6
order = "rotate"           # one game a round, in turn; or "each": in every round two bots play
                           # all games, once from each first seat, and share the round's point

# The first round is paired when so many have entered, or at a time, or, with neither,
# at the organiser's word: aboveboard start HOST:PORT --key STATE/organiser.key
entrants = 8
# start_at = 2030-01-01T20:00:00Z

listen = "127.0.0.1:50051"
state = "evening"          # folder for store, keys and archive; default: this file's name
# organiser_key = "organiser.key"   # an existing key file; default: made in the state folder
# referee_key = "referee.key"
# organiser_certificate = "organiser.cert"   # by a long-term key that stays offline
tie_breaks = ["buchholz", "direct", "wins"]  # in this order; see docs/format.md, "Standings"
matches_at_once = 32

[clock]                    # durations are like "250ms", "10s", "5m"
move = "10s"               # for each move
match = "10m"              # for all moves of one seat in a match
increment = "0s"           # added after each move
protocol = "10s"           # for accepting, entropy and the closing signature
start = "20s"              # from the ticket until a bot has connected
grace = "15s"              # for a bot whose connection broke to come back, in all of a match

[log]                      # the tournament's public log
# witnesses = ["grpc://witness.example:7879 VKEY"]   # or http://; each prints its VKEY itself
witness_wait = "2s"        # how long they have to co-sign a checkpoint
# key = "log.key"
"""


@dataclass(frozen=True)
class Config:
    """A tournament as its organiser wants it. Paths are resolved against the file's folder."""

    path: Path
    title: str
    games: tuple[str, ...]
    rounds: int
    entrants: int | None
    start_at_us: int | None
    listen: str
    state: Path
    organiser_key: Path | None
    referee_key: Path | None
    tie_breaks: tuple[str, ...]
    matches_at_once: int
    clock: pb.Clock
    order: str = ROTATE
    organiser_certificate: Path | None = None
    log_key: Path | None = None
    witnesses: tuple[WitnessAddress, ...] = ()
    witness_wait_us: int = 2_000_000


def load_config(path: Path) -> Config:
    """Read and check a tournament's file. ``WrongUse`` names the file, line and key."""
    return _Reader(TomlFile(path, "tournament file")).config()


class _Reader:
    def __init__(self, file: TomlFile) -> None:
        self._file = file
        self._path = file.path
        self._values = file.values
        self._used: set[tuple[str, ...]] = set()

    def config(self) -> Config:
        state = self._text_of("state", default=self._path.stem)
        entrants = self._int_of("entrants", None, 2, 100_000)
        start_at = self._start_at()
        if entrants is not None and start_at is not None:
            self._wrong("start_at", "is one way to start, `entrants` another; give one of them")
        config = Config(
            path=self._path,
            title=self._text_of("title", default=self._path.stem),
            games=self._games(),
            rounds=self._int_of("rounds", ..., 1, 1000) or 0,
            entrants=entrants,
            start_at_us=start_at,
            listen=self._listen(),
            state=self._path.parent / state,
            organiser_key=self._file_of("organiser_key"),
            referee_key=self._file_of("referee_key"),
            tie_breaks=self._tie_breaks(),
            matches_at_once=self._int_of("matches_at_once", 32, 1, 10_000) or 0,
            clock=self._clock(),
            order=self._order(),
            organiser_certificate=self._file_of("organiser_certificate"),
            log_key=self._file_of("log", "key"),
            witnesses=self._witnesses(),
            witness_wait_us=self._witness_wait(),
        )
        self._refuse_others()
        return config

    # --- Single values -------------------------------------------------------------------

    def _get(self, *key: str) -> Any:
        self._used.add(key)
        values: Any = self._values
        for part in key:
            values = values.get(part) if isinstance(values, dict) else None
        return values

    def _text_of(self, *keys: str, default: str) -> str:
        value, key = self._get(*keys), ".".join(keys)
        if value is None:
            return default
        if not isinstance(value, str) or not value.strip() or len(value) > 200:
            self._wrong(key, f"must be a text of 1 to 200 characters, not {value!r:.60}")
        if not value.isprintable():
            self._wrong(key, "must be printable")
        return value

    def _file_of(self, *key: str) -> Path | None:
        text = self._text_of(*key, default="")
        return self._path.parent / text if text else None

    def _int_of(self, key: str, default: Any, low: int, high: int) -> int | None:
        value = self._get(key)
        if value is None:
            if default is ...:
                self._wrong(key, "must be given")
            return default  # type: ignore[no-any-return]  # an int or None, as callers say
        if type(value) is not int or not low <= value <= high:
            self._wrong(key, f"must be a number from {low} to {high}, not {value!r:.60}")
        return value

    def _games(self) -> tuple[str, ...]:
        value = self._get("games")
        if not isinstance(value, list) or not value or len(value) > 100:
            self._wrong("games", 'must be a list of games, such as ["cribbage", "allegra"]')
        names = []
        for name in value:
            try:
                names.append(canonical(name if isinstance(name, str) else repr(name)))
            except UnknownGame as error:
                self._wrong("games", f"names an {error}")
        return tuple(names)

    def _order(self) -> str:
        value = self._get("order")
        if value is None:
            return ROTATE
        if value not in ORDERS:
            self._wrong("order", f'must be "{ROTATE}" or "{EACH}", not {value!r:.60}')
        return str(value)

    def _tie_breaks(self) -> tuple[str, ...]:
        value = self._get("tie_breaks")
        if value is None:
            return DEFAULT_TIE_BREAKS
        good = isinstance(value, list) and all(isinstance(name, str) for name in value)
        if not good or not set(value) <= TIE_BREAKS or len(set(value)) != len(value):
            self._wrong("tie_breaks", f"must be a list of some of {', '.join(sorted(TIE_BREAKS))}")
        return tuple(value)

    def _listen(self) -> str:
        value = self._text_of("listen", default="127.0.0.1:50051")
        host, colon, port = value.rpartition(":")
        if not colon or not host or not re.fullmatch(r"[0-9]{1,5}", port) or int(port) > 65535:
            self._wrong("listen", f'must be like "127.0.0.1:50051", not {value!r:.60}')
        return value

    def _start_at(self) -> int | None:
        value = self._get("start_at")
        if value is None:
            return None
        if not isinstance(value, datetime):
            self._wrong("start_at", "must be a time such as 2030-01-01T20:00:00Z")
        if value.tzinfo is None:
            self._wrong("start_at", "must say its time zone, e.g. end in Z or +02:00")
        try:
            return int(value.astimezone(UTC).timestamp() * 1_000_000)
        except OverflowError:
            self._wrong("start_at", "must be a time that clocks can show")

    def _clock(self) -> pb.Clock:
        self._table("clock")
        limits = pb.Clock(
            move_us=self._duration("move", "10s"),
            bank_us=self._duration("match", "10m"),
            increment_us=self._duration("increment", "0s"),
            protocol_us=self._duration("protocol", "10s"),
            start_us=self._duration("start", "20s"),
            grace_us=self._duration("grace", "15s"),
            refund_cap_us=self._duration("refund", "0s"),
            refund_budget_us=self._duration("refund_match", "0s"),
            lag_us=self._duration("lag", "1s"),
        )
        if wrong := check_limits(limits):
            self._wrong("clock", wrong)
        if not limits.start_us:
            self._wrong("clock", "start must be more than nothing")
        return limits

    def _table(self, key: str) -> None:
        table = self._get(key)
        if table is not None and not isinstance(table, dict):
            self._wrong(key, f"must be a table, [{key}]")

    def _witnesses(self) -> tuple[WitnessAddress, ...]:
        self._table("log")
        value = self._get("log", "witnesses")
        if value is None:
            return ()
        if not isinstance(value, list) or len(value) > MOST_WITNESSES:
            self._wrong("log.witnesses", f"must be a list of {MOST_WITNESSES} at most")
        found = tuple(map(self._witness, value))
        for what in ("name", "key"):
            if len({getattr(witness.key, what) for witness in found}) != len(found):
                self._wrong("log.witnesses", f"has one {what} twice; each has its own")
        return found

    def _witness(self, value: Any) -> WitnessAddress:
        words = value.split() if isinstance(value, str) else []
        if len(words) != 2:
            self._wrong(
                "log.witnesses", f'has entries like "grpc://host:port VKEY", not {value!r:.60}'
            )
        try:
            return WitnessAddress.parse(*words)
        except WrongUse as error:
            self._wrong("log.witnesses", f"has an entry that is none: {error}")

    def _witness_wait(self) -> int:
        wait = self._duration("witness_wait", "2s", table="log")
        if not 1_000 <= wait <= 60_000_000:
            self._wrong("log.witness_wait", "must be from 1ms to 60s")
        return wait

    def _duration(self, key: str, default: str, table: str = "clock") -> int:
        value = self._get(table, key)
        found = (
            re.fullmatch(r"([0-9]{1,9})(ms|s|m|h)", value if value is not None else default)
            if isinstance(value, str | None)
            else None
        )
        if found is None:
            self._wrong(f"{table}.{key}", f'must be like "250ms", "10s" or "5m", not {value!r:.60}')
        unit = {"ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000}
        return int(found[1]) * unit[found[2]]

    # --- Errors --------------------------------------------------------------------------

    def _refuse_others(self) -> None:
        for key, value in self._values.items():
            if (key,) not in self._used:
                self._wrong(key, f"is no key of a tournament file; did you mean {self._near(key)}?")
            if isinstance(value, dict):
                for inner in value:
                    if (key, inner) not in self._used:
                        self._wrong(f"{key}.{inner}", "is no key of this table")

    def _near(self, key: str) -> str:
        known = sorted(".".join(used) for used in self._used if len(used) == 1)
        return (difflib.get_close_matches(key, known, 1) or [f"one of {', '.join(known)}"])[0]

    def _wrong(self, key: str, what: str) -> NoReturn:
        self._file.wrong(key, what)
