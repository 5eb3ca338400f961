"""What is written to a file is what is read from it, whichever format it has."""

from collections.abc import Callable
from random import Random

import pytest

from aboveboard_referee.tournament.history import ABSENT_BYE, Bye, History, Round, Table
from aboveboard_referee.tournament.interchange.csv_read import read_csv
from aboveboard_referee.tournament.interchange.csv_write import write_csv
from aboveboard_referee.tournament.interchange.json_file import read_json, write_json
from aboveboard_referee.tournament.interchange.sheet import Sheet
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from aboveboard_referee.tournament.interchange.trf_remarks import REMARK
from aboveboard_referee.tournament.interchange.trf_write import write_trf
from aboveboard_referee.tournament.standings.table import table
from tests.fakes.sheets import TIE_BREAKS, random_sheet, ranks_of, sheet_of


def by_trf(sheet: Sheet) -> Sheet:
    return read_trf(write_trf(sheet, ranks_of(sheet)))


def by_csv(sheet: Sheet) -> Sheet:
    return read_csv(write_csv(sheet))


def by_json(sheet: Sheet) -> Sheet:
    return read_json(write_json(sheet))


ALL = pytest.mark.parametrize("there_and_back", [by_trf, by_csv, by_json])
WHOLE = pytest.mark.parametrize("there_and_back", [by_csv, by_json])


@ALL
def test_tournaments_of_two_seats_come_back_as_they_were(
    there_and_back: Callable[[Sheet], Sheet],
) -> None:
    for number in range(150):
        sheet = random_sheet(Random(number))
        assert there_and_back(sheet) == sheet


@WHOLE
@pytest.mark.parametrize(("seats", "point"), [(3, None), (7, 360), (2, 8)])
def test_tables_and_pairings_of_many_matches_come_back_as_they_were(
    seats: int, point: int | None, there_and_back: Callable[[Sheet], Sheet]
) -> None:
    for number in range(30):
        sheet = random_sheet(Random(number), seats=seats, point=point)
        assert there_and_back(sheet) == sheet


def test_the_table_of_a_trf_without_remarks_is_the_same() -> None:
    """Another program that drops comments loses no points, and no tie-breaks."""
    for number in range(60):
        sheet = random_sheet(Random(number))
        bare = "".join(
            line
            for line in write_trf(sheet, ranks_of(sheet)).splitlines(keepends=True)
            if not line.startswith(REMARK)
        )
        if not sheet.history.rounds or not sheet.history.rounds[-1].tables:
            continue
        read = read_trf(bare).history
        written = {row.entrant: row for row in table(sheet.history, TIE_BREAKS[:3])}
        for row in table(read, TIE_BREAKS[:3]):
            was = written[sheet.history.order[row.entrant]]
            assert (row.rank, row.tie_breaks) == (was.rank, was.tie_breaks)


@ALL
def test_a_round_under_way_comes_back_without_results(
    there_and_back: Callable[[Sheet], Sheet],
) -> None:
    drawn = Round(
        1,
        (
            Table("r1-b1", (3, 0), None, seatings=((3, 0),)),
            Table("r1-b2", (1, 2), (2, 0), wins=(1, 0), seatings=((1, 2),)),
        ),
    )
    sheet = sheet_of(History(4, 2, (0, 1, 2, 3), (drawn,)))
    assert there_and_back(sheet) == sheet


@ALL
def test_matches_of_a_pairing_and_pairings_by_hand_come_back(
    there_and_back: Callable[[Sheet], Sheet],
) -> None:
    pairing = Table("semi", (1, 0), (2, 0), (3, 1), seatings=((1, 0), (0, 1)), by_hand=True)
    sheet = sheet_of(History(2, 2, (1, 0), (Round(1, (pairing,)),)))
    assert there_and_back(sheet) == sheet


@ALL
def test_a_last_round_of_byes_alone_comes_back(there_and_back: Callable[[Sheet], Sheet]) -> None:
    played = Round(1, (Table("r1-b1", (0, 1), (1, 1), (0, 0), seatings=((0, 1),)),))
    alone = Round(2, (), (Bye(0, ABSENT_BYE, 0),))
    for rounds in ((), (played,), (played, alone), (Round(1, (), alone.byes),)):
        sheet = sheet_of(History(2, 2, (0, 1), rounds))
        assert there_and_back(sheet) == sheet


@ALL
def test_three_points_for_a_win_come_back(there_and_back: Callable[[Sheet], Sheet]) -> None:
    tables = (
        Table("r1-b1", (0, 1), (6, 0), (1, 0), seatings=((0, 1),)),
        Table("r1-b2", (2, 3), (2, 2), (0, 0), seatings=((2, 3),)),
    )
    sheet = sheet_of(History(5, 6, (0, 1, 2, 3, 4), (Round(1, tables, (Bye(4, "pairing", 2),)),)))
    assert there_and_back(sheet) == sheet
