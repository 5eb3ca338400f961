"""Every message that is signed, hashed or kept, and every enum: docs/format.md's tables, by hand.

A line is ``number name type``; ``type[]`` is a list, and ``|`` before the number says that
at most one of the fields so marked is there. Types are u32, u64, s64, bool, string, bytes,
an enum or a message of this file.
"""

from dataclasses import dataclass
from typing import Any

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
    "Phase": frozenset({0, 1, 2, 3, 4, 5}),
    "EndReason": frozenset({0, 1, *range(16, 25), 32, 33}),
}

_ENVELOPE = {
    "Signature": """
        1 key bytes
        2 value bytes
    """,
    "Signed": """
        1 type string
        2 body bytes
        3 signatures Signature[]
    """,
}

_GAMES = {
    "RuleField": """
        1 name string
        2 number s64
        3 text string
        4 numbers s64[]
    """,
    "Game": """
        1 name string
        2 version u32
        3 rules RuleField[]
    """,
    "Clock": """
        1 move_us u64
        2 bank_us u64
        3 increment_us u64
        4 protocol_us u64
        5 grace_us u64
        6 refund_cap_us u64
        7 refund_budget_us u64
        8 start_us u64
        9 lag_us u64
    """,
}

_TOURNAMENT = {
    "RefereeKey": """
        1 key bytes
        2 address string
        3 tls_fingerprint bytes
    """,
    "TournamentManifest": """
        1 title string
        2 created_us u64
        3 salt bytes
        4 organiser_key bytes
        5 referees RefereeKey[]
        6 games Game[]
        7 order string
        8 system string
        9 system_version u32
        10 rounds u32
        11 table_seats u32
        12 tie_breaks string[]
        13 clock Clock
        14 first First
        15 tier Tier
        16 chain_length u32
        17 entrants_max u32
        18 organiser_tip bytes
        19 log_key bytes
        20 organiser_certificate bytes
    """,
    "KeyCertificate": """
        1 key bytes
        2 role string
        3 expires_us u64
        4 owner bytes
    """,
    "Entry": """
        1 tournament bytes
        2 name string
        3 key bytes
        4 house bool
        5 tip bytes
        6 software string
        7 certificate bytes
    """,
    "EntriesClosed": """
        1 tournament bytes
        2 entries bytes[]
        3 time_us u64
    """,
    "LateEntry": """
        1 tournament bytes
        2 entry bytes
        3 round u32
        4 time_us u64
    """,
    "Withdraw": """
        1 tournament bytes
        2 entrant u32
        3 round u32
    """,
    "DrawLink": """
        1 tournament bytes
        2 entrant u32
        3 round u32
        4 link bytes
    """,
    "DrawReveal": """
        1 tournament bytes
        2 round u32
        3 links bytes[]
        4 organiser_link bytes
    """,
    "Pairing": """
        1 match string
        2 entrants u32[]
    """,
    "PairingMatch": """
        1 suffix string
        2 game string
        3 swapped bool
    """,
    "Pairings": """
        1 tournament bytes
        2 round u32
        3 game string
        4 pairings Pairing[]
        5 byes u32[]
        6 absent u32[]
        7 matches PairingMatch[]
    """,
    "StandingsRow": """
        1 entrant u32
        2 rank u32
        3 half_points u32
        4 wins u32
        5 matches u32
        6 byes u32
        7 buchholz u32
        8 direct u32
    """,
    "Standings": """
        1 tournament bytes
        2 round u32
        3 rows StandingsRow[]
    """,
    "KeyRotate": """
        1 tournament bytes
        2 entrant u32
        3 old_key bytes
        4 new_key bytes
        5 tip bytes
    """,
    "KeyRevoke": """
        1 tournament bytes
        2 entrant u32
        3 key bytes
    """,
    "RefereeAdded": """
        1 tournament bytes
        2 referee RefereeKey
    """,
    "Ruling": """
        1 tournament bytes
        2 number u32
        3 leaf u64
        4 time_us u64
        5 match string
        6 text string
    """,
    "Objection": """
        1 tournament bytes
        2 match string
        3 attempt u32
        4 seat u32
        5 step u32
        6 sequence u32
        7 head bytes
        8 expected string
        9 found string
    """,
    "ArchiveFile": """
        1 path string
        2 sha256 bytes
        3 size u64
    """,
    "TournamentClose": """
        1 tournament bytes
        2 standings StandingsRow[]
        3 files ArchiveFile[]
        4 time_us u64
    """,
}

_JOINING = {
    "Login": """
        1 challenge bytes
        2 tournament bytes
        3 organiser_key bytes
        4 key bytes
    """,
    "StartOrder": """
        1 challenge bytes
        2 tournament bytes
    """,
    "Ticket": """
        1 tournament bytes
        2 match string
        3 attempt u32
        4 seat u32
        5 address string
        6 referee_key bytes
        7 expires_us u64
        8 game Game
    """,
    "MatchKey": """
        1 tournament bytes
        2 match string
        3 attempt u32
        4 seat u32
        5 key bytes
    """,
    "Admission": """
        1 challenge bytes
        2 tournament bytes
        3 match string
        4 attempt u32
        5 seat u32
        6 referee_key bytes
    """,
}

_ANSWERS = {
    "SeatTerms": """
        1 entrant u32
        2 entry_key bytes
        3 certificate bytes
    """,
    "MatchOpen": """
        1 tournament bytes
        2 match string
        3 attempt u32
        4 game Game
        5 seats SeatTerms[]
        6 first First
        7 tier Tier
        8 clock Clock
        9 referee_key bytes
        10 referee_tip bytes
        11 chain_length u32
        12 time_us u64
    """,
    "Answer": """
        1 match bytes
        2 seat u32
        3 asked u32
        4 head bytes
        5 thought_us u64
        | 6 accept Accept
        | 7 entropy Entropy
        | 8 move Move
        | 9 commitment Commitment
        | 10 opening Opening
        | 11 resignation Resignation
    """,
    "Accept": """
        1 tip bytes
        2 checkpoint_size u64
        3 checkpoint_root bytes
    """,
    "Entropy": "1 link bytes",
    "Move": "1 text string",
    "Commitment": "1 hash bytes",
    "Opening": """
        1 text string
        2 nonce bytes
    """,
    "Resignation": "",
}

_EVENTS = {
    "Event": """
        1 match bytes
        2 sequence u32
        3 previous bytes
        4 shuffle u32
        5 time_us u64
        | 6 answered Answered
        | 7 deal_root DealRoot
        | 8 shown Shown
        | 9 deck_opened DeckOpened
        | 10 seat_out SeatOut
        | 11 stopped Stopped
        | 12 seat_lost SeatLost
        | 13 seat_back SeatBack
        | 14 resumed Resumed
        | 15 autopilot Autopilot
    """,
    "Answered": """
        1 answer bytes
        2 timing Timing
    """,
    "Timing": """
        1 wait_us u64
        2 round_trip_us u64
        3 lag_us u64
        4 charged_us u64
        5 left_us u64
    """,
    "DealRoot": """
        1 cards u32
        2 root bytes
    """,
    "Shown": "1 grants Grant[]",
    "Grant": """
        1 deck u32
        2 position u32
        3 audience u32
        4 face Face
    """,
    "Face": """
        1 deck u32
        2 position u32
        3 card u32
        4 salt bytes
        5 path bytes[]
    """,
    "DeckOpened": "1 link bytes",
    "SeatOut": """
        1 seat u32
        2 reason EndReason
        3 phase Phase
        4 asked u32
        5 timing Timing
        6 rule string
        7 evidence bytes
        8 away_us u64
    """,
    "Stopped": """
        1 reason EndReason
        2 text string
    """,
    "SeatLost": "1 seat u32",
    "SeatBack": """
        1 seat u32
        2 away_us u64
        3 grace_left_us u64
    """,
    "Resumed": "1 away_us u64",
    "Autopilot": """
        1 seat u32
        2 text string
    """,
    "PrivateShow": """
        1 match bytes
        2 sequence u32
        3 seat u32
        4 faces Face[]
    """,
    "SeatResult": """
        1 half_points u32
        2 score s64
        3 rank u32
        4 reason EndReason
    """,
    "MatchClose": """
        1 match bytes
        2 reason EndReason
        3 seats SeatResult[]
        4 sequence u32
        5 head bytes
        6 time_us u64
    """,
}

_EVIDENCE = {
    "Evidence": """
        1 manifest bytes
        2 holder u32
        3 records bytes[]
        4 shows bytes[]
        5 others bytes[]
        6 claim string
        7 checkpoints bytes[]
        8 leaf_hashes bytes
    """,
}

MESSAGES: dict[str, Message] = {
    name: _message(table)
    for part in (_ENVELOPE, _GAMES, _TOURNAMENT, _JOINING, _ANSWERS, _EVENTS, _EVIDENCE)
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
