"""docs/standings.md works a tournament out by hand, and the program agrees."""

from pathlib import Path

from aboveboard_referee.tournament.standings.explain import contributions
from aboveboard_referee.tournament.standings.past import look_back
from aboveboard_referee.tournament.standings.table import table
from aboveboard_referee.tournament.standings.tie_breaks import (
    DEFAULT_TIE_BREAKS,
    TABLE_DEFAULT,
    TIE_BREAKS,
    scale,
    shown,
)
from tests.fakes.tie_break_oracles import gacrux_values
from tests.fakes.worked_standings import ADA, BO, CY, DI, EVE, NAMES, WORKED

PAGE = (Path(__file__).parents[4] / "docs" / "standings.md").read_text("utf-8")


def test_the_table_is_that_of_the_page() -> None:
    for row in table(WORKED, DEFAULT_TIE_BREAKS):
        values = [
            shown(value, scale(name, 2))
            for name, value in zip(DEFAULT_TIE_BREAKS, row.tie_breaks, strict=True)
        ]
        cells = [str(row.rank), NAMES[row.entrant], shown(row.units, 2), *values]
        assert f"| {' | '.join(cells)} |" in PAGE


def test_opponents_count_what_the_page_says() -> None:
    adjusted = look_back(WORKED).adjusted
    assert {name: adjusted[one] / 2 for one, name in enumerate(NAMES)} == {
        "Ada": 3.5,
        "Bo": 2,
        "Cy": 1.5,
        "Di": 2,
        "Eve": 2.5,
    }


def test_what_each_round_brought_is_told_as_on_the_page() -> None:
    texts = [
        line.text
        for line in contributions(WORKED, ("buchholz-cut1",), ADA, names=NAMES)
        if line.tie_break == "buchholz-cut1"
    ]
    for text in texts:
        assert f"    {text}\n" in PAGE
    assert len(texts) == 5


def test_the_numbers_are_those_worked_out_by_hand() -> None:
    rows = {row.entrant: row for row in table(WORKED, ("buchholz-cut1", "sonneborn-berger"))}
    assert {one: (row.units, row.tie_breaks) for one, row in rows.items()} == {
        ADA: (7, (780, 1680)),  # 2 + 1½ + 2½ + 2, less 1½; and 2 + 1½ + 2½ + ½ of 2
        BO: (3, (780, 540)),  # 3½ + 1½ + 1½ + 1½, less 1½; and ½ of 1½ + 1½
        CY: (3, (900, 600)),  # 2 + 3½ + 2 + 1½, less 1½; and ½ of 2 + 1½
        DI: (4, (960, 1080)),  # 1½ + 2½ + 2 + 3½, less 1½; and ½ of 1½ + 2 + ½ of 3½
        EVE: (4, (720, 960)),  # 2 + 2 + 2 + 2, less 2; and 2 + 2
    }


def test_gacrux_has_the_same_table() -> None:
    names = tuple(name for name in TIE_BREAKS if name != "direct")
    values, ranks = gacrux_values(WORKED, names)
    for row in table(WORKED, names):
        assert row.rank == ranks[row.entrant]
        assert row.tie_breaks == tuple(values[row.entrant][name] for name in names)


def test_the_page_names_every_tie_break_and_the_defaults() -> None:
    for name in TIE_BREAKS:
        assert f"| `{name}` |" in PAGE
    for default in (DEFAULT_TIE_BREAKS, TABLE_DEFAULT):
        assert ", ".join(f"`{name}`" for name in default) in " ".join(PAGE.split())
