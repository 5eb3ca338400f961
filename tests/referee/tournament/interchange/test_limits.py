"""Numbers of a tournament up to the greatest that a file can have, and the first beyond."""

import re
from dataclasses import replace

import pytest

from aboveboard_referee.tournament.history import Bye, History, Round, Table
from aboveboard_referee.tournament.interchange import csv_read
from aboveboard_referee.tournament.interchange.csv_read import read_csv
from aboveboard_referee.tournament.interchange.csv_write import write_csv
from aboveboard_referee.tournament.interchange.json_file import read_json, write_json
from aboveboard_referee.tournament.interchange.sheet import Sheet, Unreadable, check_sheet
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from tests.fakes.sheets import sheet_of

TABLE = Table("r1-b1", (0, 1), (2, 0), (1, 0), seatings=((0, 1),))
EIGHT = tuple(range(8))


def sheet(**others: object) -> Sheet:
    return sheet_of(History(8, 2, EIGHT), **others)


def with_table(table: Table) -> Sheet:
    return sheet_of(History(8, 2, EIGHT, (Round(1, (table,)),)))


def of_rounds(count: int) -> Sheet:
    return sheet_of(History(8, 2, EIGHT, tuple(Round(i, ()) for i in range(1, count + 1))))


@pytest.mark.parametrize(
    ("last", "first", "line"),
    [
        (
            sheet(rounds=1000),
            sheet(rounds=1001),
            "more than 1000 rounds",
        ),
        (of_rounds(1000), of_rounds(1001), "more than 1000 rounds"),
        (
            sheet(ratings=(1_000_000,) * 8),
            sheet(ratings=(*[None] * 7, 1_000_001)),
            "a rating is a whole number from 1 to 1000000; 'bot-7' has 1000001",
        ),
        (
            sheet(ratings=(1,) * 8),
            sheet(ratings=(1, 0, *[None] * 6)),
            "a rating is a whole number from 1 to 1000000; 'bot-1' has 0",
        ),
        (
            sheet(title="x" * 200),
            sheet(title="x" * 201),
            f"'{'x' * 40}' is not one line of at most 200 characters",
        ),
        (
            sheet_of(History(2, 1_000_000, (0, 1))),
            sheet_of(History(2, 1_000_002, (0, 1))),
            "a point of 1000002 units",
        ),
        (
            sheet_of(History(2, 2, (0, 1))),
            sheet_of(History(2, 3, (0, 1))),
            "a point of 3 units, of which there is no half",
        ),
        (
            sheet(fixed=((0, 1),)),
            sheet(fixed=((0,),)),
            "a table to come has 2 to 7 entrants, not 1",
        ),
        (
            sheet(fixed=(EIGHT[:7],)),
            sheet(fixed=(EIGHT,)),
            "a table to come has 2 to 7 entrants, not 8",
        ),
        (
            sheet(fixed=((0, 7),)),
            sheet(fixed=((0, 8),)),
            "tables to come: there is no entrant 8",
        ),
        (
            sheet(fixed=((0, 1), (2, 3))),
            sheet(fixed=((0, 1), (2, 0))),
            "tables to come: entrant 0 has two places",
        ),
        (
            sheet(coming=(Bye(7, "requested", 0),)),
            sheet(coming=(Bye(8, "requested", 0),)),
            "byes to come: there is no entrant 8",
        ),
        (
            sheet(coming=(Bye(6, "absent", 0), Bye(7, "absent", 0))),
            sheet(coming=(Bye(7, "absent", 0), Bye(7, "absent", 0))),
            "byes to come: entrant 7 has two places",
        ),
        (
            sheet(coming=(Bye(7, "requested", 2),)),
            sheet(coming=(Bye(7, "requested", 3),)),
            "a bye to come of kind requested worth 3",
        ),
        (
            sheet(coming=(Bye(7, "absent", 0),)),
            sheet(coming=(Bye(7, "nap", 0),)),
            "a bye to come of kind nap worth 0",
        ),
        (
            with_table(replace(TABLE, entrants=(0, 1), seatings=())),
            with_table(replace(TABLE, entrants=(0,), seatings=())),
            "round 1: r1-b1 has 1 entrant",
        ),
        (
            with_table(Table("r1-b1", EIGHT[:7], None)),
            with_table(Table("r1-b1", EIGHT, None)),
            "round 1: r1-b1 has 8 entrants",
        ),
        (
            with_table(replace(TABLE, units=(2, 2))),
            with_table(replace(TABLE, units=(3, 0))),
            "round 1: r1-b1 cannot have given (3, 0)",
        ),
        (
            with_table(replace(TABLE, units=(0, 0))),
            with_table(replace(TABLE, units=(2,))),
            "round 1: r1-b1 cannot have given (2,)",
        ),
        (
            with_table(replace(TABLE, units=None, wins=())),
            with_table(replace(TABLE, units=())),
            "round 1: r1-b1 cannot have given ()",
        ),
        (
            with_table(replace(TABLE, seatings=((0, 1),) * 1000)),
            with_table(replace(TABLE, seatings=((0, 1),) * 1001)),
            "round 1: r1-b1 has more than 1000 matches",
        ),
        (
            with_table(replace(TABLE, seatings=((0, 1), (1, 0)))),
            with_table(replace(TABLE, seatings=((0, 1), (1, 2)))),
            "round 1: r1-b1 has a match of others than its entrants",
        ),
        (
            with_table(replace(TABLE, wins=(1000, 0))),
            with_table(replace(TABLE, wins=(1001, 0))),
            "round 1: r1-b1 cannot have wins (1001, 0)",
        ),
        (
            with_table(replace(TABLE, wins=())),
            with_table(replace(TABLE, wins=(1,))),
            "round 1: r1-b1 cannot have wins (1,)",
        ),
        (
            with_table(replace(TABLE, forfeits=frozenset({0, 1}))),
            with_table(replace(TABLE, forfeits=frozenset({0, 2}))),
            "round 1: r1-b1 has a forfeit of somebody else",
        ),
        (
            with_table(replace(TABLE, name="x" * 200)),
            with_table(replace(TABLE, name="a\tb")),
            "'a\\tb' is not one line of at most 200 characters",
        ),
    ],
)
def test_the_last_number_is_taken_and_the_first_beyond_it_refused(
    last: Sheet, first: Sheet, line: str
) -> None:
    assert read_csv(write_csv(last)) == last
    assert read_json(write_json(last)) == last
    with pytest.raises(ValueError, match=f"^{re.escape(line)}$"):
        check_sheet(first)


def test_a_file_of_more_entrants_than_any_tournament_has_is_refused() -> None:
    many = tuple(range(100_001))
    with pytest.raises(ValueError, match=r"^100001 entrants; 100000 at most$"):
        check_sheet(sheet_of(History(len(many), 2, many)))
    check_sheet(sheet_of(History(len(many) - 1, 2, many[:-1])))


def test_a_csv_file_is_refused_at_the_row_that_is_one_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = write_csv(sheet())
    with pytest.raises(Unreadable, match=r"^line 1016: more than 1000 rounds$"):
        read_csv(text + "".join(f"round,{i},,,,,,,,\n" for i in range(1, 1100)))
    monkeypatch.setattr(csv_read, "MOST_ENTRANTS", 8)
    with pytest.raises(Unreadable, match=r"^line 16: more than 8 entrants$"):
        read_csv(text + "entrant,,,9,8,bot-8,,,,\nnonsense\n")
    assert len(read_csv(text).names) == 8


def test_a_trf_can_have_a_thousand_rounds_in_columns_and_in_records() -> None:
    line = f"001    1{'':83}".ljust(91 + 10 * 999)
    drawn = read_trf(f"{line}0000 - U\n")
    assert len(drawn.history.rounds) == 1000
    asked = read_trf('001    1\n240 H 999    1\n### aboveboard {"rounds": 1000}\n')
    assert asked.history.rounds[998] == Round(999, (), (Bye(0, "requested", 1),))
    assert len(asked.history.rounds) == 1000
