"""Writing TRF, FIDE's tournament report file of 2026, for arbiters and other programs."""

import unicodedata
from collections.abc import Iterator, Sequence

from aboveboard_referee.tournament.history import PAIRING_BYE, Round, Table, scores
from aboveboard_referee.tournament.interchange.sheet import Inexpressible, Sheet, check_sheet
from aboveboard_referee.tournament.interchange.trf_plan import plan_remarks
from aboveboard_referee.tournament.interchange.trf_remarks import remark
from aboveboard_referee.tournament.interchange.trf_scoring import (
    COMMON_UNITS,
    CSV_OR_JSON,
    bye_code,
    scoring_of,
    seat_codes,
    stated,
)
from aboveboard_referee.tournament.interchange.trf_words import (
    BYE_CODES,
    COMMON_KIND,
    LAST_GRANTED,
    MOST_PLAYERS,
    PAIRING_CODE,
    ROUND_COLUMNS,
    SYSTEMS,
    TIE_BREAKS,
    common_name,
    common_table,
    system_of,
)

_NAME_COLUMNS = 33


def write_trf(sheet: Sheet, ranks: Sequence[int]) -> str:
    """The file's text, in ASCII, lines ended by a line feed; docs/interchange.md has the rest.

    ``ranks`` are the places in the table, by entrant. Start numbers are initial ranks, and
    the first seat is white. Raises Inexpressible for a tournament that TRF has no words for,
    and ValueError for one that ``check_sheet`` refuses.
    """
    check_sheet(sheet)
    if sheet.history.entrants > MOST_PLAYERS:
        raise Inexpressible(
            f"{sheet.history.entrants} players are more than TRF's {MOST_PLAYERS}; {CSV_OR_JSON}"
        )
    writer = _Writer(sheet, ranks)
    lines = [*writer.head(), *writer.players(), *writer.coming(), *writer.remarks()]
    return "".join(f"{line}\n" for line in lines)


def plain(text: str) -> str:
    """Text as columns can hold it: in ASCII, without accents."""
    return "".join(
        char if char.isascii() else "?"
        for char in unicodedata.normalize("NFKD", text)
        if not unicodedata.combining(char)
    ).strip()


class _Writer:
    """One tournament being written."""

    def __init__(self, sheet: Sheet, ranks: Sequence[int]) -> None:
        self._sheet = sheet
        self._history = sheet.history
        self._ranks = ranks
        self._scoring = scoring_of(sheet.history)
        self._number = {entrant: i for i, entrant in enumerate(sheet.history.order, 1)}
        self._ratings = sheet.ratings or (None,) * sheet.history.entrants
        self._odd: list[str] = []  # remarks on rounds, in order

    def head(self) -> Iterator[str]:
        """The records about the tournament."""
        sheet = self._sheet
        yield f"012 {plain(sheet.title)}"
        for code, date in (("042", sheet.start), ("052", sheet.end)):
            if date:
                yield f"{code} {date.replace('-', '/')}"
        yield f"062 {self._history.entrants}"
        rated = sum(1 for rating in self._ratings if rating is not None and rating <= 9999)
        yield f"072 {rated}"
        if sheet.system:
            yield f"092 {plain(sheet.system)}"
        if sheet.rounds:
            # XXR is what pairing programs older than the format of 2026 look for.
            yield f"142 {sheet.rounds}"
            yield f"XXR {sheet.rounds}"
        if not self._scoring.common:
            yield self._scoring.record()
        if sheet.system in SYSTEMS:
            yield f"192 {SYSTEMS[sheet.system]}"
        if self._coded_tie_breaks():
            yield f"202 {','.join(TIE_BREAKS[name] for name in sheet.tie_breaks)}"

    def _coded_tie_breaks(self) -> bool:
        names = self._sheet.tie_breaks
        return bool(names) and all(name in TIE_BREAKS for name in names)

    # --- Players --------------------------------------------------------------------------

    def players(self) -> Iterator[str]:
        """The records 001, by start number."""
        cells: list[list[str]] = [[] for _ in range(self._history.entrants)]
        for drawn in self._history.rounds:
            for row in cells:
                row.append(" " * ROUND_COLUMNS)
            for entrant, cell in self._round(drawn):
                cells[entrant][-1] = cell
        units = scores(self._history)
        for entrant in self._history.order:
            rating = self._ratings[entrant]
            line = (
                f"001 {self._number[entrant]:>4}      "
                f"{plain(self._sheet.names[entrant])[:_NAME_COLUMNS]:<{_NAME_COLUMNS}} "
                f"{rating if rating is not None and rating <= 9999 else '':>4} {'':27}"
                f"{self._scoring.points(units[entrant]):>4} {self._ranks[entrant]:>4}"
            )
            yield (line + "".join(cells[entrant])).rstrip()

    def _round(self, drawn: Round) -> Iterator[tuple[int, str]]:
        """Everybody's columns of a round."""
        for table in drawn.tables:
            where = f"round {drawn.number}: {table.name}"
            first, second = table.entrants
            codes = seat_codes(where, table, self._scoring)
            yield first, self._cell(self._number[second], "w", codes[0])
            yield second, self._cell(self._number[first], "b", codes[1])
        given = False
        for bye in drawn.byes:
            code = bye_code(bye.units, self._scoring)
            # One bye a round is the pairing's own for those who read this elsewhere.
            if bye.kind == PAIRING_BYE and bye.units == self._scoring.pairing_bye and not given:
                code, given = PAIRING_CODE, True
            if code is None:
                raise Inexpressible(
                    f"round {drawn.number}: a bye of {bye.units} of {self._history.point} units"
                    f" has no letter; {CSV_OR_JSON}"
                )
            if bye.kind != (PAIRING_BYE if code == PAIRING_CODE else COMMON_KIND):
                about = [drawn.number, self._number[bye.entrant]]
                self._odd.append(remark("bye", about, kind=bye.kind))
            yield bye.entrant, self._cell(0, "-", code)
        self._odd += self._about(drawn)

    @staticmethod
    def _cell(opponent: int, colour: str, code: str) -> str:
        return f"  {opponent if opponent else '0000':>4} {colour} {code}"

    # --- What comes ----------------------------------------------------------------------

    def coming(self) -> Iterator[str]:
        """Byes of the next round (240), and who plays no more (XXZ)."""
        number = len(self._history.rounds) + 1
        if self._sheet.coming and number > LAST_GRANTED:
            raise Inexpressible(
                f"a bye to come in round {number}, which TRF's three columns do not hold;"
                f" {CSV_OR_JSON}"
            )
        by_code: dict[str, list[int]] = {}
        for bye in self._sheet.coming:
            code = bye_code(bye.units, self._scoring)
            if code is None:
                raise Inexpressible(
                    f"a bye to come of {bye.units} of {self._history.point} units has no letter;"
                    f" {CSV_OR_JSON}"
                )
            by_code.setdefault(code, []).append(self._number[bye.entrant])
            if bye.kind != COMMON_KIND:
                about = [number, self._number[bye.entrant]]
                self._odd.append(remark("bye", about, kind=bye.kind))
        for code in sorted(by_code, key=BYE_CODES.index):
            players = "".join(f" {player:>4}" for player in sorted(by_code[code]))
            yield f"240 {code} {number:>3}{players}"
        if self._sheet.left:
            gone = sorted(self._number[entrant] for entrant in self._sheet.left)
            yield f"XXZ {' '.join(map(str, gone))}"

    # --- Remarks --------------------------------------------------------------------------

    def remarks(self) -> Iterator[str]:
        """What the columns leave out, if they do."""
        sheet, history = self._sheet, self._history
        if plain(sheet.title) != sheet.title:
            yield remark("title", sheet.title)
        if self._common_point() != history.point:
            yield remark("point", history.point)
        if history.rounds and not history.rounds[-1].tables:
            yield remark("rounds", len(history.rounds))
        if sheet.system != system_of(SYSTEMS.get(sheet.system, "")):
            yield remark("system", sheet.system)
        if sheet.tie_breaks and not self._coded_tie_breaks():
            yield remark("tie_breaks", sheet.tie_breaks)
        if sheet.unheeded:
            yield remark("unheeded", sheet.unheeded)
        if list(history.order) != list(range(history.entrants)):
            yield remark("order", history.order)
        if sheet.house:
            yield remark("house", sorted(self._number[entrant] for entrant in sheet.house))
        yield from plan_remarks(sheet, self._number)
        for entrant in history.order:
            others: dict[str, object] = {}
            name, rating = sheet.names[entrant], self._ratings[entrant]
            if plain(name)[:_NAME_COLUMNS] != name:
                others["name"] = name
            if rating is not None and rating > 9999:
                others["rating"] = rating
            if others:
                yield remark("entrant", self._number[entrant], **others)
        yield from self._odd

    def _common_point(self) -> int:
        """The units of a point as they are read without a remark."""
        scoring = self._scoring
        if scoring.common:
            return COMMON_UNITS
        tenths = [
            units * scoring.tenths // scoring.per
            for units in (scoring.win, scoring.draw, scoring.pairing_bye)
        ]
        read = stated(tenths[0], tenths[1], tenths[2], None)
        assert read is not None
        return read.win

    def _about(self, drawn: Round) -> Iterator[str]:
        """What is out of the common in a round."""
        others: dict[str, object] = {}
        boards = [self._number[table.entrants[0]] for table in drawn.tables]
        if boards != sorted(boards):
            others["boards"] = boards
        byes = [self._number[bye.entrant] for bye in drawn.byes]
        if byes != sorted(byes):
            others["byes"] = byes
        if others:
            yield remark("round", drawn.number, **others)
        for board, table in enumerate(drawn.tables, 1):
            if about := self._table_about(drawn.number, board, table):
                yield remark("table", [drawn.number, self._number[table.entrants[0]]], **about)

    def _table_about(self, number: int, board: int, table: Table) -> dict[str, object]:
        first, second = table.entrants
        codes = seat_codes(f"round {number}: {table.name}", table, self._scoring)
        units = None if table.units is None else (table.units[0], table.units[1])
        common = common_table(common_name(number, board), (first, second), units, codes[0])
        about: dict[str, object] = {}
        if table.name != common.name:
            about["name"] = table.name
        if table.seatings != common.seatings:
            about["matches"] = [[self._number[e] for e in seats] for seats in table.seatings]
        if table.wins != common.wins:
            about["wins"] = table.wins
        if table.by_hand:
            about["by_hand"] = True
        return about
