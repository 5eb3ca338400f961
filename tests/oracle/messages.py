"""Every message that is signed, hashed or kept, and every enum: docs/format.md's tables, by hand.

A line is ``number name type``; ``type[]`` is a list, and ``|`` before the number says that
at most one of the fields so marked is there. Types are u32, u64, s64, bool, string, bytes,
an enum or another message.
"""

from dataclasses import dataclass
from typing import Any

from tests.oracle.match_tables import ANSWERS, ENVELOPE, EVENTS, EVIDENCE, GAMES
from tests.oracle.tournament_tables import JOINING, TOURNAMENT

NUMBERS = ("u32", "u64", "s64", "bool")


@dataclass(frozen=True)
class Field:
    name: str
    type: str
    repeated: bool

    @property
    def is_number(self) -> bool:
        """Whether a value is a varint, and a list of them one block."""
        return self.type in NUMBERS or self.type in ENUMS

    def default(self) -> Any:
        if self.repeated:
            return []
        if self.is_number:
            return False if self.type == "bool" else 0
        return {"bytes": b"", "string": ""}.get(self.type)


@dataclass(frozen=True)
class Message:
    fields: dict[int, Field]
    one_of: frozenset[int]


def _message(table: str) -> Message:
    fields, one_of = {}, set()
    for line in filter(None, map(str.strip, table.splitlines())):
        number, name, type_ = line.removeprefix("|").split()
        assert int(number) not in fields, line
        fields[int(number)] = Field(name, type_.removesuffix("[]"), type_.endswith("[]"))
        if line.startswith("|"):
            one_of.add(int(number))
    return Message(fields, frozenset(one_of))


ENUMS: dict[str, frozenset[int]] = {
    "First": frozenset({0, 1, 2}),
    "Tier": frozenset({0, 1, 2}),
    "ByeKind": frozenset({0, 1, 2, 3}),
    "Phase": frozenset({0, 1, 2, 3, 4, 5}),
    "EndReason": frozenset({0, 1, *range(16, 25), 32, 33}),
}

MESSAGES: dict[str, Message] = {
    name: _message(table)
    for part in (ENVELOPE, GAMES, TOURNAMENT, JOINING, ANSWERS, EVENTS, EVIDENCE)
    for name, table in part.items()
}

TYPES: dict[str, str] = {
    f"aboveboard/{kind}/v1": message
    for kind, message in {
        "tournament-manifest": "TournamentManifest",
        "key-certificate": "KeyCertificate",
        "entry": "Entry",
        "entries-closed": "EntriesClosed",
        "late-entry": "LateEntry",
        "withdraw": "Withdraw",
        "return": "Return",
        "bye-request": "ByeRequest",
        "draw-link": "DrawLink",
        "draw-reveal": "DrawReveal",
        "pairings": "Pairings",
        "standings": "Standings",
        "key-rotate": "KeyRotate",
        "key-revoke": "KeyRevoke",
        "referee-added": "RefereeAdded",
        "ruling": "Ruling",
        "objection": "Objection",
        "tournament-close": "TournamentClose",
        "login": "Login",
        "start": "StartOrder",
        "ticket": "Ticket",
        "match-key": "MatchKey",
        "admission": "Admission",
        "match-open": "MatchOpen",
        "answer": "Answer",
        "event": "Event",
        "private-show": "PrivateShow",
        "match-close": "MatchClose",
    }.items()
}
"""What the body of an envelope is, by the envelope's type (section 4)."""
