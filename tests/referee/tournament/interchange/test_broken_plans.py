"""A plan that no tournament can have, or that is told by halves, is refused in each format."""

import json
from collections.abc import Callable

import pytest

from aboveboard_referee.tournament.history import Bye, History
from aboveboard_referee.tournament.interchange.csv_read import read_csv
from aboveboard_referee.tournament.interchange.csv_write import write_csv
from aboveboard_referee.tournament.interchange.json_file import read_json, write_json
from aboveboard_referee.tournament.interchange.sheet import Sheet, Unreadable
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from aboveboard_referee.tournament.interchange.trf_write import write_trf
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.sheets import ranks_of, sheet_of

SHEET = sheet_of(
    History(5, 2, (0, 1, 2, 3, 4)),
    rounds=3,
    system="league",
    plan=Plan(
        "league",
        rounds=3,
        seats=4,
        sizes=(2, 4),
        divisions=(2, 3),
        field=(0, 1, 2, 3, 4),
        assigned=((0, 1), (2, 3, 4)),
    ),
    divisions=("upper", "lower"),
    coming=(Bye(4, "requested", 1),),
    fixed=((0, 1, 2, 3),),
    over=True,
)
JSON, CSV = write_json(SHEET), write_csv(SHEET)
TRF = write_trf(SHEET, ranks_of(SHEET))


def refusal(read: Callable[[str], Sheet], text: str) -> str:
    with pytest.raises(Unreadable) as refused:
        read(text)
    return str(refused.value)


def planned(**others: object) -> str:
    """The JSON with other values in its plan."""
    values = json.loads(JSON)
    values["plan"].update(others)
    return json.dumps(values)


def division(size: int, *members: int) -> dict[str, object]:
    return {"name": "a", "size": size, "members": list(members)}


@pytest.mark.parametrize(
    ("others", "line"),
    [
        ({"sizes": []}, "tables have 2 to 7 seats, not none"),
        ({"sizes": [1, 2]}, "tables have 2 to 7 seats, not 1, 2"),
        ({"sizes": [2, 8]}, "tables have 2 to 7 seats, not 2, 8"),
        ({"sizes": [2, 2]}, "possible numbers of seats ascend, and 2, 2 do not"),
        ({"sizes": 2}, "plan.sizes: a list is expected here"),
        ({"seats": 1}, "tables have 2 to 7 seats, not 1"),
        ({"seats": 8}, "tables have 2 to 7 seats, not 8"),
        ({"bye": 3}, "a pairing bye of 3 units, where a point has 2"),
        ({"legs": 0}, "legs is 0, which is not from 1 to 1000"),
        ({"legs": 1001}, "legs is 1001, which is not from 1 to 1000"),
        ({"reach": 0}, "reach is 0, which is not from 1 to 1000"),
        ({"reach": 1001}, "reach is 1001, which is not from 1 to 1000"),
        ({"accelerated": 1001}, "1001 accelerated rounds; 1000 at most"),
        ({"final_reset": 1}, "plan.final_reset: true or false is expected here"),
        ({"divisions": [division(1)] * 1001}, "1001 divisions; 1000 at most"),
        ({"divisions": [division(5), division(0)]}, "division 2 is for no entrant at all"),
        ({"divisions": [division(1, 5)]}, "divisions: there is no entrant 5"),
        (
            {"divisions": [division(1, 3), division(1, 3)]},
            "divisions: entrant 3 has two places",
        ),
        ({"field": [0, 5]}, "the field from the start: there is no entrant 5"),
        ({"field": [1, 0, 1]}, "the field from the start: entrant 1 has two places"),
    ],
)
def test_a_plan_that_no_tournament_can_have_is_refused(
    others: dict[str, object], line: str
) -> None:
    assert read_json(JSON) == SHEET
    assert refusal(read_json, planned(**others)) == line


def test_the_least_and_the_greatest_plans_are_read() -> None:
    for others in (
        {"sizes": [2], "seats": 2, "bye": 0, "legs": 1, "accelerated": 0, "reach": 1},
        {"sizes": [2, 7], "seats": 7, "bye": 2, "legs": 1000, "accelerated": 1000, "reach": 1000},
        {"divisions": [division(1)] * 1000, "field": []},
    ):
        again = read_json(planned(**others))
        assert again != SHEET
        assert read_csv(write_csv(again)) == again


def rows(count: int) -> str:
    """Divisions after the two that there are, and the row that is replaced by them."""
    more = (f"division,,,{number},,a,,1,,\n" for number in range(3, count + 1))
    return f"{''.join(more)}over,"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("plan,,,,,,legs,,,1", "plan,,,,,,bye,,,1", "line 15: bye a second time"),
        ("plan,,,,,,legs,,,1\n", "", "there is no row 'plan' with legs"),
        ("plan,,,,,,legs", "plan,,,,,,arms", "line 15, column kind: seats or bye or legs or"),
        (",sizes,,,2 4", ",sizes,,,2, 4", "line 18: 11 columns, not 10"),
        (",sizes,,,2 4", ",sizes,,,2  4", "line 18, column text: whole numbers is expected"),
        ("final_reset,,,yes", "final_reset,,,ja", "line 19, column text: yes or no is expected"),
        ("division,,,1,,upper", "division,,,2,,upper", "line 25, column number: 1, the next one,"),
        ("over,", rows(1001), "line 1030: more than 1000 divisions"),
        ("from the start,,,2", "from the start,,,3", "line 21, column number: 2, the next one,"),
        (
            "in division,,,1,0",
            "in division,,,2,0",
            "line 26, column number: that of the division row above is expected",
        ),
        (
            "from the start,,,1,0,bot-0,,,,\n",
            "in division,,,1,0,bot-0,,,,\n",
            "line 20, column number: that of the division row above is expected",
        ),
        ("over,,,,,,,,,yes", "over,,,,,,,,,no", "line 32, column text: yes is expected"),
        ("over,,,,,,,,,yes", "over,,,,,,,,,yes\n" * 2, "line 33: 'over' a second time"),
    ],
)
def test_rows_of_a_plan_are_held_against_each_other(old: str, new: str, line: str) -> None:
    assert CSV.count(old) == 1
    assert read_csv(CSV) == SHEET
    assert refusal(read_csv, CSV.replace(old, new)).startswith(line)


def test_a_csv_file_can_have_a_thousand_divisions() -> None:
    assert len(read_csv(CSV.replace("over,", rows(1000))).divisions) == 1000


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (', "legs": 1', "", "line 14, column 16: legs is missing"),
        (', "size": 2', "", "line 16, column 16: size is missing"),
        (', "name": "lower"', "", "line 17, column 16: name is missing"),
        (
            '"members": [1, 2]',
            '"members": [0, 2]',
            "line 16, column 16.members: a list of players' start numbers is expected here",
        ),
        ('"members": [1, 2]', '"members": [1, 3]', "divisions: entrant 2 has two places"),
        (
            '"field": [1,',
            '"field": [6,',
            "line 15, column 16.field: a list of players' start numbers is expected here",
        ),
        ('"division": 2', '"division": 3', "line 17, column 16: this is about nothing that the"),
        ('"division": 2', '"division": 1', "line 17, column 16: the same is said a second time"),
        (', "tables": [[1, 2, 3, 4]]', "", "line 18, column 16: tables is missing"),
        (
            '"tables": [[1, 2, 3, 4]]',
            '"tables": [[1, 2, 3, 6]]',
            "line 18, column 16.tables[0]: a list of players' start numbers is expected here",
        ),
        (
            '"tables": [[1, 2, 3, 4]]',
            '"tables": [[1], [2, 3]]',
            "a table to come has 2 to 7 entrants, not 1",
        ),
    ],
)
def test_remarks_about_a_plan_are_held_against_each_other(old: str, new: str, line: str) -> None:
    assert TRF.count(old) == 1
    assert read_trf(TRF) == SHEET
    assert refusal(read_trf, TRF.replace(old, new)).startswith(line)
