"""Reading TRF, of 2026 and of 2016 with the records that pairing programs added to it."""

from collections.abc import Callable, Mapping

from aboveboard_referee.tournament.history import Entrant, History
from aboveboard_referee.tournament.interchange.sheet import (
    MOST_ROUNDS,
    Sheet,
    Unreadable,
    check_date,
    check_sheet,
    check_text,
)
from aboveboard_referee.tournament.interchange.trf_lines import Line, lines_of
from aboveboard_referee.tournament.interchange.trf_plan import read_fixed, read_over, read_plan
from aboveboard_referee.tournament.interchange.trf_players import Granted, Player, player_of
from aboveboard_referee.tournament.interchange.trf_remarks import Remarks, entrants_of
from aboveboard_referee.tournament.interchange.trf_rounds import Rounds
from aboveboard_referee.tournament.interchange.trf_scoring import Scoring, stated
from aboveboard_referee.tournament.interchange.trf_words import (
    DRAWN,
    FORFEIT_WON,
    FULL_BYE,
    HALF_BYE,
    PAIRING_CODE,
    REMARK,
    TEAM_RECORDS,
    TIE_BREAKS,
    UNHEEDED,
    WON,
    system_of,
)

_NAMES = {code: name for name, code in TIE_BREAKS.items()}

_NO_PLACE = {
    **dict.fromkeys(TEAM_RECORDS, "teams have no place here"),
    "299": "points that no result gives have no place here",
    "XXS": "points of other results have no place here; record 162 has",
}
"""Records that change a table and are not understood."""

_OF_NO_USE = frozenset(
    {"022", "032", "062", "072", "092", "102", "112", "122", "132", "152", "172", "182", "222"}
)
"""Records that say nothing which a table or a pairing hangs on."""


def read_trf(text: str) -> Sheet:
    """What a TRF says, its remarks by ``write_trf`` included.

    Entrants are numbered by start number, unless a remark has their own numbers. Raises
    Unreadable for anything that contradicts itself or has no place here.
    """
    reader = _Reader()
    for line in lines_of(text):
        reader.take(line)
    return reader.sheet()


class _Reader:
    """A file being read."""

    def __init__(self) -> None:
        self._players: dict[int, Player] = {}
        self._granted = Granted()
        self._remarks = Remarks()
        self._left: dict[int, Line] = {}
        self._unheeded: list[str] = []
        self._seen: dict[str, Line] = {}
        self._tenths = {"W": 10, "D": 5, "P": -1}
        self._title = self._start = self._end = self._system = ""
        self._rounds = 0
        self._tie_breaks: tuple[str, ...] = ()
        self._readers: dict[str, Callable[[Line], None]] = {
            "001": self._player,
            "012": self._title_of,
            "042": self._date,
            "052": self._date,
            "142": self._planned,
            "XXR": self._planned,
            "162": self._scores,
            "192": self._type,
            "202": self._breaks,
            "212": self._breaks,
            "240": self._granted.add,
            "XXZ": self._absent,
        }
        self._many = {"001", "240", "XXZ"}

    def take(self, line: Line) -> None:
        """One line."""
        record = line.record
        if record == "###":
            if line.text.startswith(REMARK):
                self._remarks.add(line.number, line.text)
        elif record in _NO_PLACE:
            raise line.wrong(1, f"record {record}: {_NO_PLACE[record]}")
        elif record in UNHEEDED:
            if record not in self._unheeded:
                self._unheeded.append(record)
        elif record in self._readers:
            if record in self._seen and record not in self._many:
                raise line.wrong(
                    1, f"record {record} a second time, after line {self._seen[record].number}"
                )
            self._seen[record] = line
            line.gap(4, 4, f"after {record}")
            self._readers[record](line)
        elif record not in _OF_NO_USE and not (record.isascii() and record.isalpha()):
            # Three letters are a federation's or a program's own.
            raise line.wrong(1, f"{record[:3]!r} is no record")

    # --- Records --------------------------------------------------------------------------

    def _player(self, line: Line) -> None:
        player = player_of(line)
        if player.number in self._players:
            before = self._players[player.number].line.number
            raise line.wrong(5, f"player {player.number} a second time, after line {before}")
        self._players[player.number] = player

    def _title_of(self, line: Line) -> None:
        self._title = line.text[4:].strip()
        try:
            check_text(self._title)
        except ValueError as error:
            raise line.wrong(5, str(error)) from None

    def _date(self, line: Line) -> None:
        date = line.text[4:].strip().replace("/", "-")
        if date:
            try:
                check_date(date)
            except ValueError as error:
                raise line.wrong(5, str(error)) from None
        if line.record == "042":
            self._start = date
        else:
            self._end = date

    def _planned(self, line: Line) -> None:
        rounds = line.whole(5, 13, "a number of rounds")
        if rounds > MOST_ROUNDS:
            raise line.wrong(5, f"more than {MOST_ROUNDS} rounds")
        if self._rounds and rounds != self._rounds:
            raise line.wrong(5, f"{rounds} rounds here, and {self._rounds} in another record")
        self._rounds = rounds

    def _scores(self, line: Line) -> None:
        line.gap(5, 5, "before the first result")
        for column in range(6, len(line.text) + 1, 9):
            line.gap(column + 5, column + 8, "between results")
            code = line.cell(column, column).upper()
            if not code:
                line.gap(column + 1, column + 4, "where no result is")
                continue
            tenths = line.tenths(column + 1, column + 4, "points")
            if code in ("L", "A") and tenths:
                raise line.wrong(column, "points for a loss or an absence have no place here")
            if code not in "WDLAPX":
                raise line.wrong(column, f"{code!r} is no result of record 162")
            self._tenths[code] = tenths
        if self._tenths["W"] == 0:
            raise line.wrong(6, "a win that is worth nothing has no place here")

    def _type(self, line: Line) -> None:
        code = line.text[4:].strip()
        if any(word in code.upper() for word in ("TEAM", "SCHILLER", "SCHEVENINGEN")):
            raise line.wrong(5, _NO_PLACE["310"])
        self._system = system_of(code)

    def _breaks(self, line: Line) -> None:
        codes = [word.upper() for _, word in line.words(" ,") if word.upper() != "PTS"]
        # What we have no name for keeps its own, for whoever shows the table to tell.
        self._tie_breaks = tuple(dict.fromkeys(_NAMES.get(code, code) for code in codes))

    def _absent(self, line: Line) -> None:
        for column, word in line.words(" ,/"):
            if not word.isascii() or not word.isdigit() or len(word) > 4:
                raise line.wrong(column, f"a start number is expected, not {word[:20]!r}")
            self._left[int(word)] = line

    # --- All together ---------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """The tournament, after the last line."""
        if not self._players:
            raise Unreadable("", "there is no player, no record 001: not a TRF")
        self._players = dict(sorted(self._players.items()))
        entrant = self._entrants()
        by_entrant = sorted(self._players.values(), key=lambda player: entrant[player.number])
        scoring = self._scoring()
        rounds = Rounds(self._players, entrant, scoring, self._remarks)
        drawn = rounds.drawn()
        rounds.grant(self._granted, drawn)
        worth = {
            WON: self._tenths["W"],
            FORFEIT_WON: self._tenths["W"],
            FULL_BYE: self._tenths["W"],
            DRAWN: self._tenths["D"],
            HALF_BYE: self._tenths["D"],
            PAIRING_CODE: self._pairing_bye,
        }
        for number, line in self._left.items():
            if number not in self._players:
                raise line.wrong(5, f"there is no player {number}")
        history = History(
            entrants=len(entrant),
            point=scoring.win,
            order=tuple(entrant.values()),
            rounds=tuple(rounds.round(number) for number in range(1, drawn + 1)),
        )
        coming = rounds.coming(drawn + 1)
        for player in self._players.values():
            rounds.check_points(player, drawn, worth)
        names, ratings = self._people(by_entrant)
        system = self._said("system", self._system)
        plan, divisions = read_plan(self._remarks, entrant, system, self._rounds, scoring.win)
        sheet = Sheet(
            title=self._said("title", self._title),
            history=history,
            names=names,
            ratings=ratings,
            house=self._those("house", entrant),
            start=self._start,
            end=self._end,
            system=system,
            rounds=self._rounds,
            tie_breaks=self._list("tie_breaks", self._tie_breaks),
            left=frozenset(entrant[number] for number in self._left),
            coming=coming,
            unheeded=tuple(dict.fromkeys((*self._list("unheeded", ()), *sorted(self._unheeded)))),
            plan=plan,
            divisions=divisions,
            disqualified=self._those("disqualified", entrant),
            fixed=read_fixed(self._remarks, entrant, drawn),
            over=read_over(self._remarks, drawn),
        )
        self._remarks.check_taken()
        try:
            check_sheet(sheet)
        except ValueError as error:
            raise Unreadable("", str(error)) from None
        return sheet

    def _entrants(self) -> dict[int, Entrant]:
        """Entrants by start number, ascending."""
        said = self._remarks.take("order").get("order")
        order = said.numbers() if said else tuple(range(len(self._players)))
        if said and sorted(order) != list(range(len(self._players))):
            raise said.wrong(f"every entrant from 0 to {len(self._players) - 1} once")
        return dict(zip(self._players, order, strict=True))

    @property
    def _pairing_bye(self) -> int:
        """Tenths of a point; as much as a win where no record says."""
        return self._tenths["W"] if self._tenths["P"] < 0 else self._tenths["P"]

    def _scoring(self) -> Scoring:
        said = self._remarks.take("point").get("point")
        point = said.number() if said else None
        scoring = stated(self._tenths["W"], self._tenths["D"], self._pairing_bye, point)
        if said and (scoring is None or point == 0):
            raise said.wrong("units that make every result whole")
        assert scoring is not None
        if max(scoring.draw, scoring.pairing_bye) > scoring.win:
            line = self._seen["162"]
            raise line.wrong(6, "a result that is worth more than a win has no place here")
        return scoring

    def _people(self, players: list[Player]) -> tuple[tuple[str, ...], tuple[int | None, ...]]:
        """Names and ratings by entrant."""
        names: list[str] = []
        ratings: list[int | None] = []
        for player in players:
            said = self._remarks.take("entrant", player.number)
            names.append(said["name"].text() if "name" in said else player.name)
            ratings.append(said["rating"].number() if "rating" in said else player.rating)
        rated = any(rating is not None for rating in ratings)
        return tuple(names), tuple(ratings) if rated else ()

    def _those(self, kind: str, entrant: Mapping[int, Entrant]) -> frozenset[Entrant]:
        """The entrants of a remark; ``entrant`` are all by start number."""
        said = self._remarks.take(kind).get(kind)
        return frozenset(entrants_of(said, entrant) if said else ())

    def _said(self, kind: str, otherwise: str) -> str:
        said = self._remarks.take(kind).get(kind)
        return said.text() if said else otherwise

    def _list(self, kind: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
        said = self._remarks.take(kind).get(kind)
        return tuple(each.text() for each in said.all()) if said else otherwise
