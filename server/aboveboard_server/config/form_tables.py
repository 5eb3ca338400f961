"""The tables ``[pairing]``, ``[late]``, ``[byes]`` and ``[league]``: the form of a tournament."""

import hashlib
import re
from pathlib import Path
from typing import Any

from aboveboard_client.archives.archive_folder import read_plain
from aboveboard_client.errors import AboveboardError
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.all_systems import all_systems
from aboveboard_referee.tournament.form import (
    MOST_DECIDERS,
    MOST_MATCHES,
    MOST_ROUNDS,
)
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.verify.archive import LEAVES
from aboveboard_server.config.arbiter_table import suspend_after_of
from aboveboard_server.config.values import Values

NAMES_BYTES = 500_000
"""Most bytes of the names that seed a tournament and fill its divisions."""

_FIELDS = {
    "pairing.accelerated": "accelerated",
    "pairing.bye": "bye",
    "pairing.legs": "legs",
    "pairing.reach": "reach",
    "pairing.single_final": "final_reset",
    "league.divisions": "divisions",
    "league.season": "divisions",
    "league.previous": "divisions",
}
_OPEN = ("late.until", "late.points", "byes.half", "byes.until")
_FOLLOWED = {
    key: frozenset(n for n, system in all_systems().items() if field in system.traits.follows)
    for key, field in _FIELDS.items()
} | dict.fromkeys(_OPEN, frozenset(n for n, s in all_systems().items() if s.traits.is_open))
"""Keys that only some systems follow: given to any other one they would mean nothing."""


def form_of(values: Values, system: str, rounds: int) -> pb.Form:
    """The form that a file describes, for tournaments of a system with so many rounds."""
    _refuse_unfollowed(values, system)
    last = rounds or MOST_ROUNDS
    if last == 1 and values.get("late.until") is not None:
        values.wrong("late.until", "does nothing: nobody comes late to the only round")
    late_until = values.number("late.until", 2, last) or 0
    late_points = values.points("late.points", "0", most="0.5")
    half_byes = values.number("byes.half", 0, last) or 0
    byes_until = values.number("byes.until", 1, last) or 0
    if late_points and not late_until:
        values.wrong("late.points", "is for those who come late; give late.until too")
    if half_byes and not byes_until:
        values.wrong("byes.half", "needs the last round for them, byes.until")
    if byes_until and not half_byes:
        values.wrong("byes.until", "is for byes of half a point; give byes.half too")
    season, previous = values.number("league.season", 1, 1_000_000) or 0, _previous(values)
    if season > 1 and not previous:
        values.wrong("league.season", "needs the season before, league.previous")
    if previous and season < 2:
        values.wrong("league.previous", "is the season before; give league.season too, 2 or more")
    form = pb.Form(
        games=values.number("pairing.games", 1, MOST_MATCHES) or 0,
        majority=values.truth("pairing.majority"),
        early_stop=values.truth("pairing.early_stop"),
        deciders=values.number("pairing.deciders", 0, MOST_DECIDERS) or 0,
        bye=values.points("pairing.bye", "1"),
        legs=values.number("pairing.legs", 1, 200) or 0,
        accelerated=values.number("pairing.accelerated", 0, last) or 0,
        reach=values.number("pairing.reach", 1, 100) or 0,
        single_final=values.truth("pairing.single_final"),
        seeding=values.names("pairing.seeding"),
        late_until=late_until,
        late_half_points=late_points,
        half_byes=half_byes,
        byes_until=byes_until,
        divisions=_divisions(values),
        season=season,
        previous=previous,
        suspend_after=suspend_after_of(values),
    )
    if form.ByteSize() > NAMES_BYTES:
        key = "league.divisions" if form.divisions else "pairing.seeding"
        values.wrong(key, f"has more names than fit into {NAMES_BYTES} bytes")
    return form


def _refuse_unfollowed(values: Values, system: str) -> None:
    for key, systems in _FOLLOWED.items():
        if values.get(key) is None or system in systems:
            continue
        if system == "swiss-tables" and "swiss" in systems:
            values.wrong(key, "is for tables of two, and seats is more")
        named = " or ".join(sorted(systems - {"swiss-tables"}))
        values.wrong(key, f"is for a {named}, and the system is {system.split('-tables')[0]}")


def refuse_idle(values: Values, form: pb.Form, matches: int) -> None:
    """Refuse keys that mean nothing where a pairing has so many matches."""
    if matches == 1 and form.majority and not form.deciders:
        what = "does nothing where a pairing is one match; give pairing.games or pairing.deciders"
        values.wrong("pairing.majority", what)
    if matches == 1 and form.early_stop:
        what = "does nothing where a pairing is one match; give pairing.games"
        values.wrong("pairing.early_stop", what)


def _divisions(values: Values) -> list[pb.Division]:
    key = "league.divisions"
    value = values.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        values.wrong(key, 'must be a list like [{ name = "First", size = 4 }]')
    found = [_division(values, key, number, entry) for number, entry in enumerate(value, start=1)]
    names = [division.name.lower() for division in found]
    if len(set(names)) != len(names):
        values.wrong(key, "has one name twice")
    return found


def _division(values: Values, key: str, number: int, entry: Any) -> pb.Division:
    known = {"name", "size", "entrants"}
    if not isinstance(entry, dict) or not set(entry) <= known:
        values.wrong(key, f"has name, size and entrants in each; number {number} has not")
    name, entrants = entry.get("name"), entry.get("entrants", [])
    if not isinstance(name, str) or not 0 < len(name) <= 64 or not name.isprintable():
        values.wrong(key, f"needs a name of 1 to 64 characters in each; number {number} has none")
    if not isinstance(entrants, list) or not all(
        isinstance(one, str) and 0 < len(one) <= 200 for one in entrants
    ):
        values.wrong(key, f"has as entrants of {name} something else than a list of names")
    size = entry.get("size", len(entrants))
    if type(size) is not int or not 2 <= size <= 100_000:
        values.wrong(key, f"must give {name} a size of 2 or more, not {size!r:.60}")
    return pb.Division(name=name, size=size, entrants=entrants)


def _previous(values: Values) -> bytes:
    """The hash of the close of the season before, given as it is or by its archive."""
    key = "league.previous"
    text = values.text(key, "")
    if not text or re.fullmatch(r"[0-9a-fA-F]{64}", text):
        return bytes.fromhex(text)
    try:
        return close_hash(values.file.path.parent / text)
    except (AboveboardError, Refused) as error:
        values.wrong(key, f"is no hash of 64 digits and no archive: {error}")


def close_hash(archive: Path) -> bytes:
    """SHA-256 of the last leaf of an archive's log, which is the tournament's close.

    Raises ``Refused`` where it is none, and ``AboveboardError`` where it cannot be read.
    """
    *_, last = split(read_plain(archive / LEAVES, LEAF_LIMIT)) or [b""]
    if parse_signed(last, LEAF_LIMIT).type != type_of("tournament-close"):
        raise Refused("a log that has no close")
    return hashlib.sha256(last).digest()
