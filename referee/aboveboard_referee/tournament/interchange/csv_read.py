"""Reading what ``csv_write`` writes."""

import csv
from collections.abc import Callable, Iterator

from aboveboard_referee.counted import counted
from aboveboard_referee.tournament.history import Bye, History, Round, Table
from aboveboard_referee.tournament.interchange.csv_plan import FoundPlan
from aboveboard_referee.tournament.interchange.csv_row import Row
from aboveboard_referee.tournament.interchange.csv_write import COLUMNS, FLAGS, WORDS, YES
from aboveboard_referee.tournament.interchange.sheet import (
    MOST_ENTRANTS,
    MOST_ROUNDS,
    TEXT_LIMIT,
    Sheet,
    Unreadable,
    check_sheet,
)

_LONGEST_LINE = 10_000


def read_csv(text: str) -> Sheet:
    """What such a file says. Raises Unreadable naming the line and the column."""
    if len(text) > TEXT_LIMIT:
        raise Unreadable("", f"more than {TEXT_LIMIT >> 20} MiB")
    reader = csv.reader(_lines(text), strict=True)
    found = _Found()
    try:
        header = next(reader, [])
        if tuple(header) != COLUMNS:
            raise Unreadable("line 1", f"the columns {','.join(COLUMNS)} are expected")
        for cells in reader:
            where = f"line {reader.line_num}"
            if len(cells) != len(COLUMNS):
                raise Unreadable(where, f"{counted(len(cells), 'column')}, not {len(COLUMNS)}")
            found.take(Row(where, dict(zip(COLUMNS, cells, strict=True))))
    except csv.Error as error:
        raise Unreadable(f"line {reader.line_num}", f"not CSV: {error}") from None
    sheet = found.sheet()
    try:
        check_sheet(sheet)
    except ValueError as error:
        raise Unreadable("", str(error)) from None
    return sheet


def _lines(text: str) -> Iterator[str]:
    """The lines with their ends, one after the other: none may hold a row without an end."""
    start = 0
    while start < len(text):
        end = text.find("\n", start, start + _LONGEST_LINE)
        if end < 0:
            if len(text) - start > _LONGEST_LINE:
                number = text.count("\n", 0, start) + 1
                raise Unreadable(f"line {number}", f"more than {_LONGEST_LINE} characters")
            end = len(text)
        yield text[start : end + 1]
        start = end + 1


class _Open:
    """A table whose rows are being read."""

    def __init__(self, row: Row, name: str) -> None:
        self.name = name
        self.by_hand = row.word("kind", "", "by hand") != ""
        self.entrants: list[int] = []
        self.units: list[int | None] = []
        self.wins: list[int | None] = []
        self.forfeits: list[int] = []
        self.seatings: list[tuple[int, ...]] = []

    def table(self, where: str) -> Table:
        units = [unit for unit in self.units if unit is not None]
        wins = [win for win in self.wins if win is not None]
        for some in (units, wins):
            if some and len(some) < len(self.entrants):
                raise Unreadable(where, f"{self.name} has units or wins for some seats only")
        return Table(
            name=self.name,
            entrants=tuple(self.entrants),
            units=tuple(units) if units else None,
            wins=tuple(wins),
            forfeits=frozenset(self.forfeits),
            seatings=tuple(self.seatings),
            by_hand=self.by_hand,
        )


class _Found:
    """What the rows so far have said."""

    def __init__(self) -> None:
        self._words: dict[str, str | int] = {}
        self._lists: dict[str, list[str]] = {"tie-break": [], "unheeded": []}
        self._names: list[str] = []
        self._ranks: list[int] = []
        self._ratings: list[int | None] = []
        self._flags: list[list[str]] = []
        self._rounds: list[Round] = []
        self._tables: list[Table] = []
        self._byes: list[Bye] = []
        self._coming: list[Bye] = []
        self._fixed: list[tuple[int, ...]] = []
        self._over = False
        self._plan = FoundPlan()
        self._open: _Open | None = None
        self._where = ""

    def take(self, row: Row) -> None:
        self._where = row.where
        readers: dict[str, Callable[[Row], None]] = {
            "entrant": self._entrant,
            "round": self._round,
            "table": self._table,
            "seat": self._seat,
            "match": self._match,
            "bye": self._bye,
            "bye to come": self._bye,
            "table to come": self._table_to_come,
            "over": self._over_row,
            "plan": self._plan.value,
            "division": self._plan.division,
            "from the start": lambda row: self._plan.start(row, self._who(row)),
            "in division": lambda row: self._plan.member(row, self._who(row)),
        }
        if row.record in WORDS:
            if row.record in self._words:
                raise Unreadable(row.where, f"{row.record!r} a second time")
            whole = row.record in ("rounds planned", "point")
            self._words[row.record] = row.number("text") if whole else row.text("text")
        elif row.record in self._lists:
            self._lists[row.record].append(row.text("text"))
        elif row.record in readers:
            readers[row.record](row)
        else:
            raise row.wrong("record", "one of the records of docs/interchange.md")
        row.end()

    def _entrant(self, row: Row) -> None:
        if row.number("entrant") != len(self._names):
            raise row.wrong("entrant", f"{len(self._names)}, the next one,")
        if len(self._names) == MOST_ENTRANTS:
            raise Unreadable(row.where, f"more than {MOST_ENTRANTS} entrants")
        self._names.append(row.text("name"))
        self._ranks.append(row.number("number"))
        flags = row.text("kind")
        if flags != " ".join(flag for flag in FLAGS if flag in flags.split(" ")):
            raise row.wrong("kind", f"some of {', '.join(FLAGS)}, in this order,")
        self._flags.append(flags.split(" "))
        self._ratings.append(row.maybe("text"))

    def _round(self, row: Row) -> None:
        self._close_round()
        if row.number("round") != len(self._rounds) + 1:
            raise row.wrong("round", f"{len(self._rounds) + 1}, the next one,")
        if len(self._rounds) == MOST_ROUNDS:
            raise Unreadable(row.where, f"more than {MOST_ROUNDS} rounds")
        self._rounds.append(Round(len(self._rounds) + 1, ()))

    def _table(self, row: Row) -> None:
        self._in_round(row)
        self._close_table()
        self._open = _Open(row, row.text("table"))

    def _seat(self, row: Row) -> None:
        table = self._in_table(row)
        if row.number("number") != len(table.entrants):
            raise row.wrong("number", f"{len(table.entrants)}, the next seat,")
        entrant = self._who(row)
        table.entrants.append(entrant)
        if row.word("kind", "", "forfeit"):
            table.forfeits.append(entrant)
        table.units.append(row.maybe("units"))
        table.wins.append(row.maybe("wins"))

    def _match(self, row: Row) -> None:
        table = self._in_table(row)
        if row.number("number") != len(table.seatings) + 1:
            raise row.wrong("number", f"{len(table.seatings) + 1}, the next match,")
        table.seatings.append(row.numbers("text", "the entrants by seat"))

    def _bye(self, row: Row) -> None:
        bye = Bye(self._who(row), row.text("kind"), row.number("units"))
        if row.record == "bye to come":
            self._coming.append(bye)
        else:
            self._in_round(row)
            self._byes.append(bye)

    def _table_to_come(self, row: Row) -> None:
        self._fixed.append(row.numbers("text", "the entrants by seat"))

    def _over_row(self, row: Row) -> None:
        if self._over:
            raise Unreadable(row.where, "'over' a second time")
        self._over = row.word("text", YES) == YES

    def _who(self, row: Row) -> int:
        """The entrant of a row, whose name must be its own."""
        entrant = row.number("entrant")
        if entrant >= len(self._names) or row.text("name") != self._names[entrant]:
            raise row.wrong("entrant", "an entrant by its number and name")
        return entrant

    def _in_round(self, row: Row) -> None:
        number = row.number("round")
        if not self._rounds or number != len(self._rounds):
            raise row.wrong("round", "the number of the round row above")

    def _in_table(self, row: Row) -> _Open:
        self._in_round(row)
        if self._open is None or row.text("table") != self._open.name:
            raise row.wrong("table", "the name of the table row above")
        return self._open

    def _close_table(self) -> None:
        if self._open is not None:
            self._tables.append(self._open.table(self._where))
            self._open = None

    def _close_round(self) -> None:
        self._close_table()
        if self._rounds:
            number = self._rounds[-1].number
            self._rounds[-1] = Round(number, tuple(self._tables), tuple(self._byes))
            self._tables, self._byes = [], []

    def sheet(self) -> Sheet:
        """Everything, after the last row."""
        self._close_round()
        for word in WORDS:
            if word not in self._words:
                raise Unreadable("", f"there is no row {word!r}")
        entrants = len(self._names)
        if sorted(self._ranks) != list(range(1, entrants + 1)):
            raise Unreadable("", "the numbers of entrants are not each initial rank from 1 once")
        rated = any(rating is not None for rating in self._ratings)
        words = {word: str(value) for word, value in self._words.items()}
        return Sheet(
            title=words["title"],
            history=History(
                entrants=entrants,
                point=int(words["point"]),
                order=tuple(sorted(range(entrants), key=self._ranks.__getitem__)),
                rounds=tuple(self._rounds),
            ),
            names=tuple(self._names),
            ratings=tuple(self._ratings) if rated else (),
            house=self._flagged("house"),
            start=words["start"],
            end=words["end"],
            system=words["system"],
            rounds=int(words["rounds planned"]),
            tie_breaks=tuple(self._lists["tie-break"]),
            left=self._flagged("left"),
            coming=tuple(self._coming),
            unheeded=tuple(self._lists["unheeded"]),
            plan=self._plan.plan(
                words["system"], int(words["rounds planned"]), int(words["point"])
            ),
            divisions=tuple(self._plan.names),
            disqualified=self._flagged("disqualified"),
            fixed=tuple(self._fixed),
            over=self._over,
        )

    def _flagged(self, flag: str) -> frozenset[int]:
        return frozenset(i for i, flags in enumerate(self._flags) if flag in flags)
