"""What results are worth: units here, points with one decimal in a TRF (record 162)."""

from dataclasses import dataclass
from math import gcd

from aboveboard_referee.tournament.history import PAIRING_BYE, History, Table
from aboveboard_referee.tournament.interchange.sheet import Inexpressible
from aboveboard_referee.tournament.interchange.trf_words import (
    DRAWN,
    FORFEIT_LOST,
    FORFEIT_WON,
    FULL_BYE,
    HALF_BYE,
    LOST,
    PAIRING_CODE,
    WON,
    ZERO_BYE,
)

CSV_OR_JSON = "CSV and JSON can hold it"
"""What is said wherever TRF cannot."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """Units of each result. A loss and an absence are worth nothing.

    ``tenths`` are tenths of a point as TRF has it of ``per`` units.
    """

    win: int
    draw: int
    pairing_bye: int
    tenths: int
    per: int

    def units(self, code: str) -> int:
        """What a result code is worth."""
        if code in (WON, FORFEIT_WON, FULL_BYE):
            return self.win
        if code in (DRAWN, HALF_BYE):
            return self.draw
        return self.pairing_bye if code == PAIRING_CODE else 0

    def points(self, units: int) -> str:
        """As four columns have them. Raises Inexpressible if they need more."""
        tenths = units * self.tenths // self.per
        if tenths > 999:
            raise Inexpressible(
                f"{tenths / 10} points do not fit TRF's four columns; {CSV_OR_JSON}"
            )
        return f"{tenths // 10}.{tenths % 10}"

    @property
    def common(self) -> bool:
        """Whether it is what a TRF that says nothing of it means."""
        return (self.points(self.win), self.points(self.draw), self.points(self.pairing_bye)) == (
            "1.0",
            "0.5",
            "1.0",
        )

    def record(self) -> str:
        """Record 162."""
        values = {"W": self.win, "D": self.draw, "L": 0, "A": 0, "P": self.pairing_bye}
        fields = [f"{code}{self.points(units):>4}" for code, units in values.items()]
        return "162  " + "    ".join(fields)


COMMON_UNITS = 2
"""Units of a point where wins are worth one and draws half of it."""


def stated(win: int, draw: int, pairing_bye: int, point: int | None) -> Scoring | None:
    """The scoring of a file, from tenths of a point.

    A point here is what a win is worth there, in the fewest units that make everything
    whole and a point even; or in ``point`` units, and then None if that leaves fractions.
    """
    if point is None:
        point = win // gcd(win, draw, pairing_bye)
        point *= 1 + point % 2
    if any(value * point % win for value in (draw, pairing_bye)):
        return None
    return Scoring(point, draw * point // win, pairing_bye * point // win, win, point)


def scoring_of(history: History) -> Scoring:
    """The scoring that a tournament's results have. Raises Inexpressible if they have none."""
    point = history.point
    draw = _draw(history)
    byes = [bye for drawn in history.rounds for bye in drawn.byes if bye.kind == PAIRING_BYE]
    pairing_bye = byes[0].units if byes else point
    if all(10 * units % point == 0 for units in (draw, pairing_bye)):
        return Scoring(point, draw, pairing_bye, 10, point)
    return Scoring(point, draw, pairing_bye, 10, gcd(point, draw, pairing_bye))


def _draw(history: History) -> int:
    """The one value between nothing and a point."""
    draw: int | None = None
    for drawn in history.rounds:
        for table in drawn.tables:
            where = f"round {drawn.number}: {table.name}"
            if len(table.entrants) != 2:
                raise Inexpressible(
                    f"{where} has {len(table.entrants)} seats and TRF two; {CSV_OR_JSON}"
                )
            for units in table.units or ():
                if units in (0, history.point):
                    continue
                if draw is None:
                    draw = units
                if units != draw:
                    raise Inexpressible(
                        f"{where} gave {units} of {history.point} units, which is neither a win,"
                        f" a draw nor a loss; {CSV_OR_JSON}"
                    )
    return history.point // 2 if draw is None else draw


def seat_codes(where: str, table: Table, scoring: Scoring) -> tuple[str, str]:
    """A pairing's result for each of its seats, a blank for what is not decided.

    Raises Inexpressible for a forfeit that was not scored as one.
    """
    if table.units is None:
        if table.forfeits:
            raise Inexpressible(f"{where} has a forfeit and is not decided; {CSV_OR_JSON}")
        return " ", " "
    codes = []
    for entrant, units in zip(table.entrants, table.units, strict=True):
        if not table.forfeits:
            codes.append(WON if units == scoring.win else DRAWN if units else LOST)
            continue
        absent = entrant in table.forfeits
        if units != (0 if absent else scoring.win):
            raise Inexpressible(
                f"{where} was not played and gave {units} of {scoring.win} units; {CSV_OR_JSON}"
            )
        codes.append(FORFEIT_LOST if absent else FORFEIT_WON)
    return codes[0], codes[1]


def bye_code(units: int, scoring: Scoring) -> str | None:
    """F, H or Z; None for a value that has no letter."""
    values = {scoring.win: FULL_BYE, scoring.draw: HALF_BYE, 0: ZERO_BYE}
    return values.get(units)
