"""A bot's receipt: what it saw of a tournament, to hold the archive against later.

A JSON object in a file; keys and hashes are hexadecimal digits::

    format        "aboveboard-receipt-1"
    tournament    the tournament id
    organiser     the organiser's key
    log           the key of the public log, as a vkey
    entrant       the bot's number, in Entry order
    key           the key that the bot joined with
    checkpoint    the newest signed note of the log that it holds, as text; "" before one came
    matches       of each match that it went to, in order:
        match, attempt, seat
        head_0    the hash of the opening
        sequence  of the last event that it saw; 0: the opening alone
        head      after that event
        close     the exact Signed MatchClose as the referee sent it to be signed, with the
                  referee's signature and without the seats'; "" where it saw none

It is replaced as a whole whenever something in it changes. What is in it the bot has
checked as it came; a reader who trusts the bot needs no signature on it.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from reprlib import repr as shown  # which goes into no depth
from typing import Any, NoReturn

from aboveboard_client.archives.archive_folder import read_plain
from aboveboard_client.errors import WrongUse
from aboveboard_client.state.replacing import replace_file
from aboveboard_client.terminal.output import printable
from aboveboard_referee.fairplay.bytes import HASH_BYTES
from aboveboard_referee.log.note import ED25519, BadNote, parse_vkey
from aboveboard_referee.match.terms import MATCH_ID

FORMAT = "aboveboard-receipt-1"
FILE_LIMIT = 64 << 20
MOST = 1 << 31


@dataclass(frozen=True)
class MatchReceipt:
    """What the bot saw of one attempt at a match, from its seat."""

    match: str
    attempt: int
    seat: int
    head_0: bytes
    sequence: int
    head: bytes
    close: bytes = b""


@dataclass(frozen=True)
class Receipt:
    """What the bot saw of a tournament."""

    tournament: bytes
    organiser: bytes
    log: str
    entrant: int
    key: bytes
    checkpoint: bytes = b""
    matches: tuple[MatchReceipt, ...] = ()

    def with_match(self, new: MatchReceipt) -> "Receipt":
        """The receipt with this in place of what it had of the same attempt."""
        place = (new.match, new.attempt)
        others = [old for old in self.matches if (old.match, old.attempt) != place]
        at = next(
            (n for n, old in enumerate(self.matches) if (old.match, old.attempt) == place),
            len(others),
        )
        return replace(self, matches=(*others[:at], new, *others[at:]))

    def to_bytes(self) -> bytes:
        """The content of its file."""
        values = {"format": FORMAT, **asdict(self, dict_factory=_written)}
        return (json.dumps(values, indent=1) + "\n").encode()


def write_receipt(path: Path, receipt: Receipt) -> None:
    """Put the receipt in place of an older one, as a whole. Raises ``OSError``."""
    replace_file(path, receipt.to_bytes())


def read_receipt(path: Path) -> Receipt:
    """The receipt in a file.

    Raises ``WrongUse``, with file and place, for what is none, and ``OutsideFailure``
    where it cannot be read.
    """
    return parse_receipt(read_plain(path, FILE_LIMIT), str(path))


def parse_receipt(data: bytes, where: str) -> Receipt:
    """The receipt in these bytes; ``where`` they are is what errors begin with."""
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        raise WrongUse(f"{where} is no receipt: it is not JSON") from None
    reader = _Reader(where, values)
    if reader.get("format", str) != FORMAT:
        reader.wrong("format", f"must be {FORMAT!r}")
    matches = reader.get("matches", list)
    receipt = Receipt(
        tournament=reader.hash("tournament"),
        organiser=reader.hash("organiser"),
        log=_vkey(reader),
        entrant=reader.number("entrant"),
        key=reader.hash("key"),
        checkpoint=reader.get("checkpoint", str).encode(errors="replace"),
        matches=tuple(
            _match(_Reader(where, match, f"matches[{n}].")) for n, match in enumerate(matches)
        ),
    )
    reader.only("format", *Receipt.__dataclass_fields__)
    return receipt


def _match(reader: "_Reader") -> MatchReceipt:
    if not MATCH_ID.fullmatch(reader.get("match", str)):
        reader.wrong("match", "is no match's name")
    found = MatchReceipt(
        match=reader.get("match", str),
        attempt=reader.number("attempt"),
        seat=reader.number("seat"),
        head_0=reader.hash("head_0"),
        sequence=reader.number("sequence"),
        head=reader.hash("head"),
        close=reader.hex("close"),
    )
    reader.only(*MatchReceipt.__dataclass_fields__)
    return found


def _vkey(reader: "_Reader") -> str:
    text: str = reader.get("log", str)
    try:
        if parse_vkey(text).type != ED25519:
            reader.wrong("log", "is no log's key")
    except BadNote as error:
        reader.wrong("log", f"must be like name+hash+base64: {error}")
    return text


class _Reader:
    """The values of a JSON object, each of the kind that it must be."""

    def __init__(self, where: str, values: Any, within: str = "") -> None:
        self._where = where
        self._within = within
        if not isinstance(values, Mapping):
            raise WrongUse(f"{where}: {within.rstrip('.') or 'a receipt'} must be an object")
        self._values = values

    def get(self, name: str, kind: type) -> Any:
        if name not in self._values:
            self.wrong(name, "is missing")
        value = self._values[name]
        if type(value) is not kind:
            self.wrong(name, f"must be {_KINDS[kind]}, not {shown(value):.60}")
        return value

    def number(self, name: str) -> int:
        value: int = self.get(name, int)
        if not 0 <= value < MOST:
            self.wrong(name, f"must be a number from 0 to {MOST - 1}, not {value!r:.60}")
        return value

    def hex(self, name: str) -> bytes:
        text: str = self.get(name, str)
        try:
            value = bytes.fromhex(text)
        except ValueError:
            value = b""
        if value.hex() != text:
            self.wrong(name, f"must be hexadecimal digits, not {text!r:.60}")
        return value

    def hash(self, name: str) -> bytes:
        value = self.hex(name)
        if len(value) != HASH_BYTES:
            self.wrong(name, f"must have {2 * HASH_BYTES} hexadecimal digits")
        return value

    def only(self, *names: str) -> None:
        for name in self._values:
            if name not in names:
                self.wrong(f"{name:.40}", "is nothing that a receipt has")

    def wrong(self, name: str, what: str) -> NoReturn:
        place = printable(f"{self._within}{name}", 60)
        raise WrongUse(f"{self._where}: {place} {printable(what, 400)}")


_KINDS = {str: "a text", int: "a number", list: "a list"}


def _written(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Bytes as hexadecimal digits, but for the note, which is a text."""
    return {name: _text(name, value) for name, value in pairs}


def _text(name: str, value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    return value.decode() if name == "checkpoint" else value.hex()
