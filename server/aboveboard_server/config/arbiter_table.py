"""The table ``[arbiter]``: who rules, how long they have for it, and when a bot is suspended."""

import re
from dataclasses import dataclass
from typing import Any

from aboveboard_referee.fairplay.keys import BadKey, PublicKey
from aboveboard_referee.tournament.form import MOST_FAILURES
from aboveboard_referee.tournament.ledger.entries import NAME
from aboveboard_referee.tournament.plan import MOST_ARBITERS
from aboveboard_server.config.values import Values

LONGEST_REVIEW_US = 7 * 24 * 3_600_000_000

SUSPEND_AFTER = 3
"""Failed matches in a row that suspend a bot where the file says nothing of it."""


@dataclass(frozen=True)
class Arbiter:
    """Somebody who may rule and begin besides the organiser."""

    name: str
    key: PublicKey


def review_of(values: Values) -> int:
    """How long each table is held back, in microseconds."""
    review = values.duration_us("arbiter.review", "0s")
    if review > LONGEST_REVIEW_US:
        values.wrong("arbiter.review", "must not be longer than a week")
    return review


def suspend_after_of(values: Values) -> int:
    """How many failed matches in a row suspend a bot; 0: none do."""
    found = values.number("arbiter.suspend_after", 0, MOST_FAILURES)
    return SUSPEND_AFTER if found is None else found


def arbiters_of(values: Values) -> tuple[Arbiter, ...]:
    """Whoever is listed under ``arbiter.arbiters``, each with a name and key of their own."""
    key = "arbiter.arbiters"
    value = values.get(key)
    if value is None:
        return ()
    if not isinstance(value, list):
        values.wrong(key, 'must be a list like [{ name = "Zoe", key = "64 hexadecimal digits" }]')
    if len(value) > MOST_ARBITERS:
        values.wrong(key, f"has {len(value)} arbiters; {MOST_ARBITERS} are the most")
    found = [_arbiter(values, key, number, entry) for number, entry in enumerate(value, start=1)]
    if len({arbiter.name.lower() for arbiter in found}) < len(found):
        values.wrong(key, "has one name twice")
    if len({arbiter.key for arbiter in found}) < len(found):
        values.wrong(key, "has one key twice")
    return tuple(found)


def _arbiter(values: Values, key: str, number: int, entry: Any) -> Arbiter:
    if not isinstance(entry, dict) or set(entry) != {"name", "key"}:
        values.wrong(key, f"has name and key in each, and nothing else; number {number} has not")
    name, digits = entry["name"], entry["key"]
    if not isinstance(name, str) or not NAME.fullmatch(name):
        values.wrong(
            key,
            "needs names of 1 to 32 letters, digits, dots, dashes or underscores,"
            f" not {name!r:.60}",
        )
    if not isinstance(digits, str) or not re.fullmatch(r"[0-9a-fA-F]{64}", digits):
        values.wrong(key, f"must give {name} a public key of 64 hexadecimal digits")
    try:
        return Arbiter(name, PublicKey.parse(bytes.fromhex(digits)))
    except BadKey as error:
        values.wrong(key, f"gives {name} a key that is none: {error}")
