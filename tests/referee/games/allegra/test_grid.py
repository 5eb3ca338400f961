"""Areas, lines and what is removed from them."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.games.allegra.grid import (
    CELLS,
    Cell,
    area_cells,
    area_sum,
    find_removals,
    lines,
)

CASES = json.loads((Path(__file__).parents[3] / "vectors" / "allegra.json").read_text())


def two_grids(row: str) -> list[int | None]:
    """A table of two whose seat 0 has this first row, `[left.c4 | c1 c2 c3 c4]`; else gaps."""
    left, *own = (None if text in (".", "#7") else int(text) for text in row.split())
    faces: list[int | None] = [None] * 24
    faces[:4] = own
    faces[Cell(1, 0, 3).number] = left
    return faces


@pytest.mark.parametrize(
    ("row", "removed"),
    [
        ("7 7 7 3 2", [(0, 0, 0), (0, 0, 1), (1, 0, 3)]),
        ("7 7 #7 7 2", []),
        ("7 7 7 7 2", [(0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 3)]),
        ("7 7 . 7 7", []),
        ("-1 -1 -1 0 0", [(0, 0, 0), (0, 0, 1), (1, 0, 3)]),
        ("3 0 0 0 5", [(0, 0, 0), (0, 0, 1), (0, 0, 2)]),
        ("4 4 4 4 4", [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (1, 0, 3)]),
        ("4 4 3 4 4", []),
        (". . . . .", []),
    ],
)
def test_a_run_of_three_or_more_in_a_row_is_removed(
    row: str, removed: list[tuple[int, int, int]]
) -> None:
    assert find_removals(two_grids(row)) == tuple(Cell(*where) for where in removed)


def test_a_row_and_a_column_that_cross_are_removed_together() -> None:
    faces: list[int | None] = [None] * 24
    crossing = {Cell(0, 1, 0), Cell(0, 1, 1), Cell(0, 1, 2), Cell(0, 0, 2), Cell(0, 2, 2)}
    for cell in crossing:
        faces[cell.number] = 5
    assert set(find_removals(faces)) == crossing


def test_a_run_does_not_go_on_beyond_the_neighbours_rightmost_card() -> None:
    faces: list[int | None] = [None] * 24
    for cell in (Cell(1, 0, 2), Cell(1, 0, 3), Cell(0, 0, 0)):
        faces[cell.number] = 5
    assert find_removals(faces) == ()


def test_an_area_is_the_own_grid_and_the_left_neighbours_rightmost_column() -> None:
    for seats in range(2, 7):
        for seat in range(seats):
            area = area_cells(seat, seats)
            own = [cell for cell in area if cell.seat == seat]
            others = [cell for cell in area if cell.seat != seat]
            assert len(own) == 12
            assert others == [Cell((seat + 1) % seats, row, 3) for row in range(3)]
            assert list(area) == sorted(area)


def test_every_cell_is_in_one_area_and_a_rightmost_one_in_two() -> None:
    for seats in range(2, 7):
        for cell in CELLS[: 12 * seats]:
            holders = [seat for seat in range(seats) if cell in area_cells(seat, seats)]
            assert len(holders) == (2 if cell.column == 3 else 1)


def test_a_seat_has_three_rows_of_five_and_four_columns_of_three() -> None:
    for seats in range(2, 7):
        lengths = [len(line) for line in lines(seats)]
        assert lengths == [5] * 3 * seats + [3] * 4 * seats


def test_cells_are_numbered_seat_by_seat_and_row_by_row() -> None:
    assert [cell.number for cell in CELLS] == list(range(72))
    assert list(CELLS) == sorted(CELLS)


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_removals_and_sums_are_those_of_the_vectors(case: dict) -> None:
    written = [value for grid in case["grids"] for row in grid for value in row]
    faces = [None if isinstance(value, str) else value for value in written]
    removed = find_removals(faces)
    assert [list(cell) for cell in removed] == case["removed"]

    turned = [int(value[1:]) if isinstance(value, str) else value for value in written]
    for cell in removed:
        turned[cell.number] = None
    assert len(turned) == 12 * case["seats"]
    sums = [area_sum(turned, seat) for seat in range(case["seats"])]
    assert sums == case["area_sums_after"]


tables = st.integers(2, 6).flatmap(
    lambda seats: st.lists(
        st.sampled_from([None, -1, 0, 1]), min_size=12 * seats, max_size=12 * seats
    )
)


@given(tables)
@settings(derandomize=True, deadline=None, max_examples=150)
def test_a_card_goes_exactly_if_it_is_one_of_three_equal_neighbours_in_a_line(
    faces: list[int | None],
) -> None:
    expected = set()
    for line in lines(len(faces) // 12):
        for three in zip(line, line[1:], line[2:]):
            values = {faces[number] for number in three}
            if len(values) == 1 and None not in values:
                expected.update(three)
    assert [cell.number for cell in find_removals(faces)] == sorted(expected)


@given(tables)
@settings(derandomize=True, deadline=None, max_examples=100)
def test_nothing_is_left_to_remove_after_a_removal(faces: list[int | None]) -> None:
    for cell in find_removals(faces):
        faces[cell.number] = None
    assert find_removals(faces) == ()
