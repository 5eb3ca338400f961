"""A file that is none is refused in one line that says where and what, whatever is in it."""

import re
from collections.abc import Callable
from random import Random

import pytest

from aboveboard_referee.tournament.history import Bye, History, Round, Table
from aboveboard_referee.tournament.interchange.csv_read import read_csv
from aboveboard_referee.tournament.interchange.csv_write import write_csv
from aboveboard_referee.tournament.interchange.json_file import read_json, write_json
from aboveboard_referee.tournament.interchange.sheet import TEXT_LIMIT, Sheet, Unreadable
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from aboveboard_referee.tournament.interchange.trf_write import write_trf
from tests.fakes.sheets import random_sheet, ranks_of, sheet_of

TABLES = (
    Table("r1-b1", (0, 1), (2, 0), (1, 0), seatings=((0, 1),)),
    Table("r1-b2", (2, 3), (1, 1), (0, 0), seatings=((2, 3),)),
)
SHEET = sheet_of(
    History(5, 2, (0, 1, 2, 3, 4), (Round(1, TABLES, (Bye(4, "pairing", 2),)),)), rounds=3
)
TRF = write_trf(SHEET, ranks_of(SHEET))
"""Lines 1 to 5 are about the tournament, 6 to 10 its players."""

Edit = Callable[[str], str]


def put(line: int, column: int, text: str) -> Edit:
    """Write over what stands there."""

    def edit(file: str) -> str:
        lines = file.splitlines()
        old = lines[line - 1].ljust(column - 1 + len(text))
        lines[line - 1] = old[: column - 1] + text + old[column - 1 + len(text) :]
        return "\n".join(lines)

    return edit


def add(text: str) -> Edit:
    return lambda file: f"{file}{text}\n"


def without(line: int) -> Edit:
    return lambda file: "\n".join(
        each for number, each in enumerate(file.splitlines(), 1) if number != line
    )


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (put(7, 5, "   1"), "line 7, column 5: player 1 a second time, after line 6"),
        (put(6, 5, "   x"), "line 6, column 5: a start number is expected, not 'x'"),
        (put(6, 9, "1"), "line 6, column 9: a blank is expected after the start number, not '1'"),
        (put(6, 53, "1"), "line 6, column 53: a blank is expected after the rating, not '1'"),
        (put(6, 4, "1"), "line 6, column 4: a blank is expected after 001, not '1'"),
        (put(6, 5, "   0"), "line 6, column 5: start numbers begin at 1"),
        (put(6, 49, "12a4"), "line 6, column 49: a rating is expected, not '12a4'"),
        (put(6, 81, "1..0"), "line 6, column 81: points like 1.5 is expected, not '1..0'"),
        (put(6, 81, "   ."), "line 6, column 81: points like 1.5 is expected, not '.'"),
        (put(6, 92 + 10 * 1000 + 7, "1"), "line 6, column 92: more than 1000 rounds"),
        (
            put(6, 81, " 0.5"),
            "line 6, column 81: 0.5 points, but the results of player 1 come to 1.0",
        ),
        (put(6, 92, "   9"), "line 6, column 92: there is no player 9"),
        (
            put(6, 92, "   3"),
            "line 6, column 92: player 3 does not have player 1 in round 1",
        ),
        (put(6, 92, "   1"), "line 6, column 92: player 1 does not have player 1 in round 1"),
        (put(6, 97, "b"), "line 6, column 97: the colours of players 1 and 2 are b and b"),
        (put(6, 97, "q"), "line 6, column 97: w, b or - is expected, not 'q'"),
        (put(6, 99, "?"), "line 6, column 99: '?' is no result against an opponent"),
        (
            put(6, 99, "+"),
            "line 6, column 92: the result '+' does not go with '0' of player 2, line 7",
        ),
        (
            put(6, 99, " "),
            "line 6, column 92: the result ' ' does not go with '0' of player 2, line 7",
        ),
        (put(10, 99, "1"), "line 10, column 99: '1' is no result without an opponent"),
        (put(10, 97, "w"), "line 10, column 99: 'U' is no result without an opponent"),
        (
            put(6, 91, "1"),
            "line 6, column 91: a blank is expected between the columns of results",
        ),
        (without(7), "line 6, column 92: there is no player 2"),
        (lambda file: "", "there is no player, no record 001: not a TRF"),
        (put(1, 1, "01 "), "line 1, column 1: '01 ' is no record"),
        (add("012 Another"), "line 11, column 1: record 012 a second time, after line 1"),
        (add("042 2026/02/30"), "line 11, column 5: 2026-02-30 is no day of the calendar"),
        (add("042 30.11.2026"), "line 11, column 5: '30.11.2026' is no date like 2026-11-30"),
        (put(4, 5, "4"), "line 5, column 5: 3 rounds here, and 4 in another record"),
        (put(4, 5, "9999"), "line 4, column 5: more than 1000 rounds"),
        (add("162  W 0.0"), "line 11, column 6: a win that is worth nothing has no place here"),
        (add("162 W 1.0"), "line 11, column 5: a blank is expected before the first result"),
        (add("162  W 1.0   D 0.5"), "line 11, column 14: a blank is expected between results"),
        (add("162  W 1.0      D.5"), "line 11, column 17: a blank is expected where no result"),
        (add("162  W"), "line 11, column 7: points like 1.5 is expected, not ''"),
        (add("162  Q 1.0"), "line 11, column 6: 'Q' is no result of record 162"),
        (
            add("162  W 3.0    D 2.0    L 1.0"),
            "line 11, column 24: points for a loss or an absence have no place here",
        ),
        (
            add("162  W 1.0    D 2.0"),
            "line 11, column 6: a result that is worth more than a win has no place here",
        ),
        (add("192 FIDE_TEAM_MP_GP"), "line 11, column 5: teams have no place here"),
        (add("310   1 A team"), "line 11, column 1: record 310: teams have no place here"),
        (
            add("299         1.0   1    1"),
            "line 11, column 1: record 299: points that no result gives have no place here",
        ),
        (add("240 Q   2    1"), "line 11, column 5: F, H or Z is expected, not 'Q'"),
        (add("240 H   0    1"), "line 11, column 7: rounds begin at 1"),
        (add("240 H 1000   1"), "line 11, column 10: a blank is expected after the round"),
        (add("240 H1  2    1"), "line 11, column 6: a blank is expected before the round"),
        (add("240 H   2   12"), "line 11, column 11: there is no player 12"),
        (
            add("240 H   2    12"),
            "line 11, column 15: a blank is expected after a start number, not '2'",
        ),
        (
            add("240 H   2    1    1"),
            "line 11, column 16: player 1 has two byes in round 2",
        ),
        (
            add("240 H   2    1\n240 Z   2    1"),
            "line 12, column 11: player 1 has two byes in round 2",
        ),
        (add("240 H   2    9"), "line 11, column 11: there is no player 9"),
        (
            add("240 H   1    1"),
            "line 6, column 92: line 11 gives player 1 a bye H in round 1",
        ),
        (add("XXZ 17"), "line 11, column 5: there is no player 17"),
        (add("XXZ 1 two"), "line 11, column 7: a start number is expected, not 'two'"),
        (
            add('### aboveboard {"bye": [2, 1], "kind": "late"}'),
            "line 11, column 16: this is about nothing that the columns have",
        ),
        (
            add('### aboveboard {"table": [1, 1], "name": "r1-b2"}'),
            "round 1: two tables of one name",
        ),
        (
            add('### aboveboard {"bye": [1, 5], "kind": "nap"}'),
            "round 1: a bye of kind nap worth 2",
        ),
        (
            add('### aboveboard {"round": 1, "boards": [3, 9]}'),
            "line 11, column 16.boards: an order of 1, 3 is expected here",
        ),
        (
            add('### aboveboard {"point": 3}'),
            "line 11, column 16.point: units that make every result whole is expected here",
        ),
        (
            add('### aboveboard {"point": 0}'),
            "line 11, column 16.point: units that make every result whole is expected here",
        ),
        (
            add('### aboveboard {"rounds": 1001}'),
            "line 11, column 16.rounds: a number of rounds up to 1000 is expected here",
        ),
        (
            add('### aboveboard {"house": [0]}'),
            "line 11, column 16.house: a list of players' start numbers is expected here",
        ),
        (
            add('### aboveboard {"table": [1, 1], "matches": [[1, 6]]}'),
            "line 11, column 16.matches[0]: a list of players' start numbers is expected here",
        ),
        (
            add('### aboveboard {"table": [1, 1], "matches": [[1, 3]]}'),
            "round 1: r1-b1 has a match of others than its entrants",
        ),
        (
            add('### aboveboard {"order": [0, 1, 2, 3, 3]}'),
            "line 11, column 16.order: every entrant from 0 to 4 once is expected here",
        ),
        (
            add("### aboveboard {}"),
            "line 11, column 16: a remark of docs/interchange.md is expected here",
        ),
        (
            add('### aboveboard {"rounds": 1, "bye": [1, 5]}'),
            "line 11, column 16: a remark of docs/interchange.md is expected here",
        ),
        (
            add('### aboveboard {"kind": "late", "bye": [1, 5]}'),
            "line 11, column 16: a remark of docs/interchange.md is expected here",
        ),
        (
            add('### aboveboard {"rounds": 1}\n### aboveboard {"rounds": 1}'),
            "line 12, column 16: the same is said a second time",
        ),
        (add("### aboveboard {"), "line 11, column 16: not JSON: Expecting property name"),
        (
            add('### aboveboard {"colour": 1}'),
            "line 11, column 16: 'colour' is unknown here",
        ),
    ],
)
def test_a_broken_trf_is_refused_with_line_and_column(edit: Edit, line: str) -> None:
    assert read_trf(TRF) == SHEET
    with pytest.raises(Unreadable) as refused:
        read_trf(edit(TRF))
    assert str(refused.value).startswith(line)
    assert "\n" not in str(refused.value)


JSON = write_json(SHEET)
CSV = write_csv(SHEET)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"version": 1', '"version": 2', "version: 1 is expected here"),
        ('"title": "Cup",', '"title": 7,', "title: a text is expected here"),
        ('"title": "Cup",', "", "title is missing"),
        ('"title": "Cup",', '"title": "Cup", "titel": 1,', "'titel' is unknown here"),
        ('"title": "Cup",', '"title": "Cup", "title": "",', "a key stands twice in one object"),
        ('"title": "Cup",', '"title": "Cup"', "line 5, column 1: not JSON"),
        ('"point": 2', '"point": 2.0', "point: a whole number is expected here"),
        ('"point": 2', '"point": true', "point: a whole number is expected here"),
        ('"point": 2', '"point": NaN', "NaN is no number of JSON"),
        ('"point": 2', f'"point": {"9" * 5000}', "not JSON that anybody would write"),
        ('"point": 2', f'"point": {"[" * 9999}', "not JSON that anybody would write"),
        ('"point": 2', '"point": 0', "a point of 0 units"),
        ('"over": false', '"over": 0', "over: true or false is expected here"),
        ('"tie_breaks": []', '"tie_breaks": "wins"', "tie_breaks: a list is expected here"),
        ('"tie_breaks": []', '"tie_breaks": [1]', "tie_breaks[0]: a text is expected here"),
        ('"initial_rank": 2', '"initial_rank": 1', "entrants: every initial_rank from 1 once"),
        ('"kind": "pairing"', '"kind": "nap"', "round 1: a bye of kind nap worth 2"),
        ('"entrant": 4', '"entrant": 5', "round 1: there is no entrant 5"),
        ('"entrant": 4', '"entrant": 3', "round 1: entrant 3 has two places"),
        ('"entrant": 4', '"entrant": -1', "rounds[0].byes[0].entrant: a whole number"),
    ],
)
def test_a_broken_json_file_is_refused_by_its_key(old: str, new: str, line: str) -> None:
    assert old in JSON
    with pytest.raises(Unreadable) as refused:
        read_json(JSON.replace(old, new, 1))
    assert str(refused.value).startswith(line)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("record,", "kind,", "line 1: the columns record,round,"),
        ("point,,,,,,,,,2", "point,,,,,,,,,two", "line 7, column text: a whole number"),
        ("point,,,,,,,,,2", "point,,,,,,,,2", "line 7: 9 columns, not 10"),
        ("point,,,,,,,,,2", "point,1,,,,,,,,2", "line 7, column round: nothing in a row of"),
        ("point,,,,,,,,,2\n", "", "there is no row 'point'"),
        ("point,,,,,,,,,2\n", "point,,,,,,,,,2\n" * 2, "line 8: 'point' a second time"),
        ("entrant,,,2,1,", "entrant,,,2,7,", "line 9, column entrant: 1, the next one,"),
        ("entrant,,,2,1,", "entrant,,,1,1,", "the numbers of entrants are not each initial rank"),
        ("entrant,,,2,1,", "entrant,,,6,1,", "the numbers of entrants are not each initial rank"),
        ("match,1,r1-b1,1,", "match,1,r1-b1,2,", "line 17, column number: 1, the next match,"),
        ("round,1,", "round,2,", "line 13, column round: 1, the next one,"),
        ("seat,1,r1-b1,1,1,", "seat,1,r1-b1,1,2,", "line 16, column entrant: an entrant by"),
        ("seat,1,r1-b1,", "seat,1,r9-b9,", "line 15, column table: the name of the table row"),
        ("bot-1,,0,0,", "bot-1,,,0,", "line 18: r1-b1 has units or wins for some seats only"),
        ("round,1,", "ruond,1,", "line 13, column record: one of the records of"),
        ("title,,,,,,,,,Cup", 'title,,,,,,,,,"Cup', "line 22: not CSV"),
    ],
)
def test_a_broken_csv_file_is_refused_by_line_and_column(old: str, new: str, line: str) -> None:
    assert old in CSV
    with pytest.raises(Unreadable) as refused:
        read_csv(CSV.replace(old, new, 1))
    assert str(refused.value).startswith(line)


@pytest.mark.parametrize("read", [read_trf, read_csv, read_json])
def test_a_file_that_is_too_long_is_refused_before_it_is_looked_at(
    read: Callable[[str], Sheet],
) -> None:
    with pytest.raises(Unreadable, match=r"^more than 64 MiB$"):
        read(" " * (TEXT_LIMIT + 1))


def test_a_short_file_of_countless_values_is_refused_before_it_is_parsed() -> None:
    with pytest.raises(Unreadable, match=r"^more values than any tournament has$"):
        read_json(f"[{'[],' * 2_500_000}0]")
    with pytest.raises(Unreadable, match=r"^more than 2000000 lines$"):
        read_trf("\n" * 2_000_001)
    with pytest.raises(Unreadable, match=r"^line 2: more than 10000 characters$"):
        read_csv(CSV.partition("\n")[0] + "\n" + "," * 10_001)


@pytest.mark.parametrize(
    ("read", "written"),
    [
        (read_trf, lambda sheet: write_trf(sheet, ranks_of(sheet))),
        (read_csv, write_csv),
        (read_json, write_json),
    ],
)
def test_a_damaged_file_is_read_or_refused_and_nothing_else(
    read: Callable[[str], Sheet], written: Callable[[Sheet], str]
) -> None:
    chance = Random(1)
    reasons: list[str] = []
    for number in range(40):
        text = written(random_sheet(Random(number)))
        for _ in range(10):
            damaged = list(text)
            for _ in range(chance.randint(1, 3)):
                place = chance.randrange(len(damaged))
                old = chance.choice((0, 1, 1, 9))
                damaged[place : place + old] = chance.choice(
                    ("", " ", "\n", "\x00", "9", "-", "w", '"', "{", ",", "٣", "\ud800", "é")
                )
            try:
                read("".join(damaged))
            except Unreadable as error:
                reasons.append(str(error))
    assert len(reasons) > 100
    assert all(re.fullmatch(r"[^\n]+", reason) for reason in reasons)
