"""What TRF and Aboveboard call the same things."""

from collections.abc import Mapping

from aboveboard_referee.tournament.history import REQUESTED_BYE, Entrant, Table

MOST_PLAYERS = 9_999
"""Start numbers have four columns."""

LAST_GRANTED = 999
"""The last round that record 240 can name, in three columns."""

ROUND_COLUMNS = 10
FIRST_ROUND_COLUMN = 92
"""Where the opponent of the first round stands; every later round is ten columns on."""

TEAM_RECORDS = frozenset({"013", "082", "300", "310", "320", "330", "352", "362", "801", "802"})
"""Records of team tournaments, which have no place here."""

UNHEEDED = frozenset({"250", "260", "XXA", "XXP"})
"""Records that only a pairing would follow: accelerations, forbidden pairs."""

REMARK = "### aboveboard "
"""What starts a comment that says what no column can."""

TIE_BREAKS: Mapping[str, str] = {
    "buchholz": "BH",
    "buchholz-cut1": "BH/C1",
    "buchholz-cut2": "BH/C2",
    "median-buchholz": "BH/M1",
    "sonneborn-berger": "SB",
    "progressive": "PS",
    "progressive-cut1": "PS/C1",
    "wins": "WON",
    "full-points": "WIN",
    "direct": "DE",
}
"""The codes of record 202 by the names of ``standings`` (FIDE C.07)."""

SYSTEMS: Mapping[str, str] = {
    "swiss": "CUSTOM_SWISS",
    "round-robin": "CUSTOM_ROUNDROBIN",
    "knockout": "CUSTOM_KNOCKOUT",
    "double-elimination": "CUSTOM_KNOCKOUT",
}
"""The codes of record 192 by the names of systems."""

_FAMILIES = {
    "KNOCKOUT": "knockout",
    "ROUNDROBIN": "round-robin",
    "SWISS": "swiss",
    "DUTCH": "swiss",
    "DUBOV": "swiss",
    "BURSTEIN": "swiss",
}


def system_of(code: str) -> str:
    """The system that a code of record 192 is a kind of; empty for those we have none for."""
    return next((system for word, system in _FAMILIES.items() if word in code.upper()), "")


WON, DRAWN, LOST = "1", "=", "0"
FORFEIT_WON, FORFEIT_LOST = "+", "-"
PAIRING_CODE = "U"
FULL_BYE, HALF_BYE, ZERO_BYE = "F", "H", "Z"

BYE_CODES = FULL_BYE + HALF_BYE + ZERO_BYE + PAIRING_CODE
PLAYED_CODES = WON + DRAWN + LOST
FORFEIT_CODES = FORFEIT_WON + FORFEIT_LOST
UNRATED = {"W": WON, "D": DRAWN, "L": LOST}
"""Games that did not last a move count like any other."""

COMMON_KIND = REQUESTED_BYE
"""The kind of a bye with F, H or Z, unless a remark has another."""


def common_name(number: int, board: int) -> str:
    """A table's name unless a remark has another."""
    return f"r{number}-b{board}"


def common_table(
    name: str, seats: tuple[Entrant, Entrant], units: tuple[int, int] | None, code: str
) -> Table:
    """A pairing of which nothing is known but what the columns say.

    It is one match by the first entrant in the first seat. ``code`` is the first's result.
    """
    wins: tuple[int, ...] = ()
    if units is not None:
        played = code in PLAYED_CODES
        most = max(units)
        level = units[0] == units[1]
        wins = tuple(int(played and not level and own == most) for own in units)
    return Table(name, seats, units, wins=wins, seatings=(seats,))
