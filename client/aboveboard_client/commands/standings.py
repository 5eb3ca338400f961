"""``aboveboard standings``: the table of a tournament that came from a file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.output import (
    printable,
    say_csv,
    say_json,
    say_table,
    say_title,
    stderr,
)
from aboveboard_client.tournament_files.sheets import levels_of, load, rows, tie_breaks_of
from aboveboard_referee.counted import counted
from aboveboard_referee.tournament.interchange.sheet import Sheet
from aboveboard_referee.tournament.standings.table import Row
from aboveboard_referee.tournament.standings.tie_breaks import TIE_BREAKS, scale, shown
from aboveboard_referee.verify.archive import SAT_OUT


@click.command()
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--tie-breaks",
    metavar="NAME,NAME,...",
    help=f"Instead of those of the file: {', '.join(TIE_BREAKS)}.",
)
@click.option(
    "--predetermined/--not-predetermined",
    default=None,
    help="Whether all pairings were fixed beforehand, so that forfeits count as played."
    "  [default: by the file's system; so they are in a round-robin, gauntlet and league]",
)
@click.option(
    "--output", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)
def standings(
    source: Path, tie_breaks: str | None, predetermined: bool | None, output: str
) -> None:
    """Show the table of a TRF, CSV or JSON file with our tie-breaks (FIDE C.07).

    Of a file that aboveboard export made it is the archive's own table, as aboveboard show
    prints it. What is not decided counts for nothing yet.
    """
    if source.is_dir():
        raise WrongUse(f"{source} is a folder; aboveboard show has the table of an archive")
    sheet = load(source).sheet
    names = tuple(tie_breaks.split(",")) if tie_breaks else tie_breaks_of(sheet)
    unknown = [name for name in sheet.tie_breaks if name not in TIE_BREAKS]
    found = rows(sheet, names, predetermined=predetermined)
    divisions = _divisions(sheet)
    shown_breaks = [name for name in names if name != "wins"]
    header = [
        *("rank", "name"),
        *(["division"] if sheet.divisions else []),
        *("points", "wins", "matches", "byes"),
        *shown_breaks,
    ]
    if output == "json":
        say_json(
            {
                "title": sheet.title,
                "rounds": len(sheet.history.rounds),
                "tie_breaks": list(names),
                "standings": [_values(sheet, names, divisions, row) for row in found],
            }
        )
    elif output == "csv":
        say_csv(header, [_cells(sheet, names, divisions, row) for row in found])
    else:
        cells = [_cells(sheet, names, divisions, row) for row in found]
        say_title(f"{sheet.title or source.name} {_when(sheet)}")
        heading = [SAT_OUT if column == "byes" else column for column in header]
        say_table(
            heading, [[printable(cell) for cell in row] for row in cells], {*heading} - {"name"}
        )
    if unknown and not tie_breaks:
        stderr().print(f"not computed: {printable(', '.join(unknown))}", style="yellow")


def _when(sheet: Sheet) -> str:
    """How far the tournament has come."""
    last = sheet.history.rounds[-1:]
    if last and not all(table.decided for table in last[0].tables):
        return f"in round {last[0].number}, which is not over"
    return f"after {counted(len(sheet.history.rounds), 'round')}"


def _divisions(sheet: Sheet) -> Sequence[str]:
    """The name of everybody's division, by entrant; empty for who has none."""
    levels = levels_of(sheet) if sheet.divisions else None
    # Levels count divisions from below, from 1.
    return [
        sheet.divisions[-level] if 1 <= level <= len(sheet.divisions) else ""
        for level in levels or [0] * sheet.history.entrants
    ]


def _cells(sheet: Sheet, names: Sequence[str], divisions: Sequence[str], row: Row) -> Sequence[str]:
    point = sheet.history.point
    return (
        "" if row.out else str(row.rank),
        sheet.names[row.entrant],
        *((divisions[row.entrant],) if sheet.divisions else ()),
        shown(row.units, point),
        str(row.wins),
        str(row.matches),
        str(row.byes),
        *(
            shown(value, scale(name, point))
            for name, value in zip(names, row.tie_breaks, strict=True)
            if name != "wins"
        ),
    )


def _values(
    sheet: Sheet, names: Sequence[str], divisions: Sequence[str], row: Row
) -> dict[str, Any]:
    """A row by the keys that ``show`` has for it."""
    point = sheet.history.point
    values: dict[str, Any] = {
        "rank": None if row.out else row.rank,
        "name": sheet.names[row.entrant],
        "points": row.units / point,
        "units": row.units,
        "units_a_point": point,
        "wins": row.wins,
        "matches": row.matches,
        "byes": row.byes,
        "tie_breaks": {
            name: value / scale(name, point)
            for name, value in zip(names, row.tie_breaks, strict=True)
        },
        "disqualified": row.out,
    }
    if divisions[row.entrant]:
        values["division"] = divisions[row.entrant]
    return values
