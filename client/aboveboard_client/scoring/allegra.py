"""Allegra: what a table of grids is worth, with its lines removed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from aboveboard_client.errors import WrongUse
from aboveboard_referee.games.allegra import AllegraRules
from aboveboard_referee.games.allegra.cards import VALUES
from aboveboard_referee.games.allegra.grid import (
    CELLS_PER_SEAT,
    COLUMNS,
    ROWS,
    Cell,
    area_sum,
    find_removals,
)
from aboveboard_referee.games.allegra.scoring import round_scores
from aboveboard_referee.games.contract import Seat

GAP, FACE_DOWN = (".", "-", "_"), "#"
FEWEST, MOST = 2, 6


@dataclass(frozen=True)
class Lying:
    """What lies in a cell: a value and whether it can be seen; no value: nobody knows it."""

    value: int | None
    up: bool


Grid = tuple[Lying | None, ...]
"""A seat's twelve cells, row by row; None is a gap."""


@dataclass(frozen=True)
class TableScore:
    """What the grids are worth. Sums are of each seat's area of 15 cells.

    ``removed`` are the cells whose lines go now, and ``open`` the sums after that, of cards
    face up alone. The rest is of a table with all cards turned, None if one is not known:
    ``turned`` the sums, ``removed_at_end`` the cells that go then, ``final`` the sums after
    that, ``scores`` what the round gives, with the doubling of who ended it.
    """

    removed: tuple[Cell, ...]
    open: tuple[int, ...]
    turned: tuple[int, ...] | None = None
    removed_at_end: tuple[Cell, ...] = ()
    final: tuple[int, ...] | None = None
    scores: tuple[int, ...] | None = None


def typed_grid(seat: Seat, text: str) -> Grid:
    """A seat's grid as people type it: three rows with ``/`` between them, four cells each.

    A cell is a value, ``#`` or ``#3`` face down, ``.`` a gap. Raises ``WrongUse``.
    """
    rows = [row.split() for row in re.sub(r"[,;]", " ", text).split("/")]
    if len(rows) != ROWS or any(len(row) != COLUMNS for row in rows):
        sizes = ", ".join(str(len(row)) for row in rows[:8])
        raise WrongUse(
            f"grid of seat {seat}: {ROWS} rows of {COLUMNS} cells are expected, with / between "
            f"them, and not rows of {sizes}"
        )
    return tuple(_cell(seat, row, word) for row, words in enumerate(rows) for word in words)


def _cell(seat: Seat, row: int, word: str) -> Lying | None:
    if word in GAP:
        return None
    down = word.startswith(FACE_DOWN)
    digits = word.strip(FACE_DOWN) if down else word
    if down and not digits:
        return Lying(None, up=False)
    if not re.fullmatch("[-−]?[0-9]{1,2}", digits) or int(digits.replace("−", "-")) not in VALUES:
        raise WrongUse(
            f"grid of seat {seat}, row {row}: {word[:12]!r} is no cell; write a value from "
            f"{VALUES[0]} to {VALUES[-1]}, # or #3 for a card face down, . for a gap"
        )
    return Lying(int(digits.replace("−", "-")), up=not down)


def beyond_the_deck(rules: AllegraRules, grids: Sequence[Grid]) -> list[str]:
    """Which values lie more often than the deck has them, a line for each.

    Such a table can be scored all the same, as a deck of other counts might have it.
    """
    values = [cell.value for grid in grids for cell in grid if cell is not None]
    return [
        f"{value} lies {values.count(value)} times; the deck has {count} of them"
        for value, count in zip(VALUES, rules.counts, strict=True)
        if values.count(value) > count
    ]


def score_table(rules: AllegraRules, grids: Sequence[Grid], trigger: Seat | None) -> TableScore:
    """What a table is worth; ``trigger`` is the seat that ended the round, if one did."""
    cells = [cell for grid in grids for cell in grid]
    seen = [cell.value if cell is not None and cell.up else None for cell in cells]
    removed = find_removals(seen)
    seats = range(len(cells) // CELLS_PER_SEAT)
    opened = _without(seen, removed)
    sums = tuple(area_sum(opened, seat) for seat in seats)
    if any(cell is not None and cell.value is None for cell in cells):
        return TableScore(removed, sums)
    all_up = _without([None if cell is None else cell.value for cell in cells], removed)
    at_end = find_removals(all_up)
    last = _without(all_up, at_end)
    final = tuple(area_sum(last, seat) for seat in seats)
    return TableScore(
        removed=removed,
        open=sums,
        turned=tuple(area_sum(all_up, seat) for seat in seats),
        removed_at_end=at_end,
        final=final,
        scores=round_scores(rules, final, trigger),
    )


def _without(faces: Sequence[int | None], cells: Sequence[Cell]) -> list[int | None]:
    left = list(faces)
    for cell in cells:
        left[cell.number] = None
    return left
