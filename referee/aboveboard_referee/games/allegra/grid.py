"""Cells, areas and lines: where cards lie, what is removed and what is summed.

All cells of a table are numbered through, seat by seat and row by row, which is also
the order in which they are dealt. ``Faces`` holds one entry a cell in that order.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from aboveboard_referee.games.contract import Seat

ROWS: Final = 3
COLUMNS: Final = 4
CELLS_PER_SEAT: Final = ROWS * COLUMNS
MOST_SEATS: Final = 6
SHORTEST_RUN: Final = 3

Faces = Sequence[int | None]
"""The value of every cell, by its number; ``None`` for a gap and for a face-down card."""


class Cell(NamedTuple):
    """A place for one card: whose grid, which row and which column, all from 0."""

    seat: Seat
    row: int
    column: int

    @property
    def number(self) -> int:
        """Its place in ``CELLS``, and its position in the deck that it was dealt from."""
        return self.seat * CELLS_PER_SEAT + self.row * COLUMNS + self.column

    def __str__(self) -> str:
        return f"{self.seat}.{self.row}.{self.column}"


CELLS: Final = tuple(
    Cell(seat, row, column)
    for seat in range(MOST_SEATS)
    for row in range(ROWS)
    for column in range(COLUMNS)
)
"""All cells of the largest table, by their number."""


def left_of(seat: Seat, seats: int) -> Seat:
    """The left neighbour, whose turn is next."""
    return (seat + 1) % seats


@cache
def area_cells(seat: Seat, seats: int) -> tuple[Cell, ...]:
    """The 15 cells that ``seat`` plays on and sums, ascending.

    They are its own 12 and the rightmost column of its left neighbour, which that
    neighbour plays on as well.
    """
    left = left_of(seat, seats)
    return tuple(
        cell
        for cell in CELLS
        if cell.seat == seat or (cell.seat == left and cell.column == COLUMNS - 1)
    )


@cache
def area_numbers(seat: Seat, seats: int) -> tuple[int, ...]:
    """The numbers of ``area_cells``."""
    return tuple(cell.number for cell in area_cells(seat, seats))


@cache
def lines(seats: int) -> tuple[tuple[int, ...], ...]:
    """The cell numbers of every line in which equal cards are removed.

    A row is the left neighbour's rightmost card and the four of the seat; a column is
    the seat's own three.
    """
    rows = tuple(
        (
            Cell(left_of(seat, seats), row, COLUMNS - 1).number,
            *(Cell(seat, row, column).number for column in range(COLUMNS)),
        )
        for seat in range(seats)
        for row in range(ROWS)
    )
    columns = tuple(
        tuple(Cell(seat, row, column).number for row in range(ROWS))
        for seat in range(seats)
        for column in range(COLUMNS)
    )
    return rows + columns


@cache
def _triples(seats: int) -> tuple[tuple[int, ...], ...]:
    """Every three adjacent cells of a line: each run that goes is a union of such."""
    return tuple(
        line[start : start + SHORTEST_RUN]
        for line in lines(seats)
        for start in range(len(line) - SHORTEST_RUN + 1)
    )


def find_removals(faces: Faces) -> tuple[Cell, ...]:
    """The cells, ascending, whose cards are removed together from a table like this.

    In each line every longest run of at least three adjacent equal face-up cards goes;
    a gap or a face-down card ends a run. Removing opens gaps only, so a second look
    finds nothing more.
    """
    found: set[int] = set()
    for triple in _triples(len(faces) // CELLS_PER_SEAT):
        first, second, third = triple
        if faces[first] == faces[second] == faces[third] is not None:
            found.update(triple)
    return tuple(CELLS[number] for number in sorted(found))


def area_sum(faces: Faces, seat: Seat) -> int:
    """The sum of a seat's area; gaps and face-down cards count 0."""
    seats = len(faces) // CELLS_PER_SEAT
    return sum(faces[number] or 0 for number in area_numbers(seat, seats))
