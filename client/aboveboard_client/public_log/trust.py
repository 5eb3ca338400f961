"""Trust files: whose keys a person knows from elsewhere than the server or the archive.

::

    organiser = "64 hexadecimal digits"
    log = "name+key id+base64"            # as `aboveboard log` shows it
    witnesses = ["name+key id+base64"]    # as `aboveboard witness` prints it
    witnesses_needed = 1                  # of these, below every checkpoint; default: all

    [entrants]                            # entry keys by name
    ada = "64 hexadecimal digits"

Each of them may be left out.
"""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.keyfile import load_public
from aboveboard_client.terminal.toml_file import TomlFile
from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.keys import BadKey, PublicKey
from aboveboard_referee.log.note import COSIGNATURE, ED25519, BadNote, NoteKey, parse_vkey
from aboveboard_referee.tournament.ledger.entries import NAME
from aboveboard_referee.verify.trust import Trust

__all__ = ["NOBODY", "Trust", "read_trust", "trusted"]

NOBODY = Trust()
"""Whoever has this has to take the server's word for who is who."""

MAX_WITNESSES = 32
"""Fewer than a note may have signatures."""

_HEX_KEY = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)
_KEYS = ("organiser", "log", "witnesses", "witnesses_needed", "entrants")
_TYPES = {ED25519: "a log's", COSIGNATURE: "a witness's"}


def read_trust(path: Path) -> Trust:
    """The trust in a file. ``WrongUse`` names the file, line and key of what is wrong."""
    file = TomlFile(path, "trust file")
    for key in file.values:
        if key not in _KEYS:
            file.wrong(key, f"is no key of a trust file; there are {', '.join(_KEYS)}")
    values = file.values
    organiser = log = None
    if "organiser" in values:
        organiser = _public(file, "organiser", values["organiser"])
    if "log" in values:
        log = _vkey(file, "log", values["log"], ED25519)
    witnesses = _witnesses(file, values.get("witnesses", []), log)
    return Trust(
        organiser=organiser,
        log=log,
        witnesses=witnesses,
        needed=_needed(file, values.get("witnesses_needed", len(witnesses)), len(witnesses)),
        entrants=_entrants(file, values.get("entrants", {}), organiser, log),
    )


def trusted(organiser: str | None, file: Path | None, needed: int | None) -> Trust:
    """The keys that the user knows, by a file and by single options."""
    trust = NOBODY if file is None else read_trust(file)
    if organiser is not None:
        key = load_public(organiser)
        if trust.organiser not in (None, key):
            raise WrongUse(f"--organiser is another key than the organiser's in {file}")
        trust = replace(trust, organiser=key)
    if needed is not None:
        if needed > len(trust.witnesses):
            raise WrongUse(
                f"--witnesses-needed {needed}, and the file of --trust lists"
                f" {counted(len(trust.witnesses), 'witness')}: list more there"
            )
        trust = replace(trust, needed=needed)
    return trust


def _public(file: TomlFile, key: str, value: Any) -> PublicKey:
    if not isinstance(value, str) or not _HEX_KEY.fullmatch(value):
        file.wrong(key, f"must be a public key of 64 hexadecimal digits, not {value!r:.60}")
    try:
        return PublicKey.parse(bytes.fromhex(value))
    except BadKey as error:
        file.wrong(key, f"is no usable public key: {error}")


def _vkey(file: TomlFile, key: str, value: Any, type_: int) -> NoteKey:
    try:
        found = parse_vkey(value if isinstance(value, str) else repr(value))
    except BadNote as error:
        file.wrong(key, f"must be like name+hash+base64: {error}")
    if found.type != type_:
        file.wrong(key, f"is {_TYPES[found.type]} key, where {_TYPES[type_]} is needed")
    return found


def _witnesses(file: TomlFile, value: Any, log: NoteKey | None) -> tuple[NoteKey, ...]:
    if not isinstance(value, list) or len(value) > MAX_WITNESSES:
        file.wrong("witnesses", f"must be a list of at most {MAX_WITNESSES} keys")
    found = tuple(_vkey(file, "witnesses", text, COSIGNATURE) for text in value)
    for what in ({witness.name for witness in found}, {witness.key for witness in found}):
        if len(what) != len(found):
            file.wrong("witnesses", "must each have a name and a key of its own")
    if log is not None and any(witness.key == log.key for witness in found):
        file.wrong("witnesses", "must not have the log's own key among them")
    return found


def _needed(file: TomlFile, value: Any, witnesses: int) -> int:
    if type(value) is not int or not 0 <= value <= witnesses:
        file.wrong(
            "witnesses_needed",
            f"must be a number from 0 to {witnesses}, the witnesses listed, not {value!r:.60}",
        )
    return value


def _entrants(
    file: TomlFile, value: Any, organiser: PublicKey | None, log: NoteKey | None
) -> dict[str, PublicKey]:
    if not isinstance(value, dict):
        file.wrong("entrants", "must be a table of names and keys")
    found = {}
    for name, digits in value.items():
        if not NAME.fullmatch(name):
            file.wrong("entrants", f"names {name[:40]!r}, which no entrant can be called")
        key = found[name] = _public(file, f"entrants.{name}", digits)
        # One key, one role.
        if key == organiser or (log is not None and key == log.key):
            file.wrong(f"entrants.{name}", "has the organiser's key or the log's")
    return found
