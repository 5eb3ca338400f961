"""``aboveboard standings``: the table of a tournament that came from a file."""

from collections.abc import Sequence
from pathlib import Path

import click

from aboveboard_client.commands.sheets import load, rows, tie_breaks_of
from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.output import (
    printable,
    say_csv,
    say_json,
    say_table,
    say_title,
    stderr,
)
from aboveboard_referee.tournament.standings.tie_breaks import TIE_BREAKS, scale, shown


@click.command()
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--tie-breaks",
    metavar="NAME,NAME,...",
    help=f"Instead of those of the file: {', '.join(TIE_BREAKS)}.",
)
@click.option(
    "--predetermined",
    is_flag=True,
    help="All pairings were fixed beforehand, as in a round-robin: forfeits count as played.",
)
@click.option(
    "--output", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)
def standings(source: Path, tie_breaks: str | None, predetermined: bool, output: str) -> None:
    """Show the table of a TRF, CSV or JSON file with our tie-breaks (FIDE C.07).

    What is not decided counts for nothing yet. An archive's own table is what aboveboard
    show prints.
    """
    if source.is_dir():
        raise WrongUse(f"{source} is a folder; aboveboard show has the table of an archive")
    sheet = load(source).sheet
    names = tuple(tie_breaks.split(",")) if tie_breaks else tie_breaks_of(sheet)
    unknown = [name for name in sheet.tie_breaks if name not in TIE_BREAKS]
    found = rows(sheet, names, predetermined=predetermined)
    point = sheet.history.point
    header = ["rank", "name", "points", *names, "wins played", "byes"]
    cells: list[Sequence[str]] = [
        (
            str(row.rank),
            sheet.names[row.entrant],
            shown(row.units, point),
            *(
                shown(value, scale(name, point))
                for name, value in zip(names, row.tie_breaks, strict=True)
            ),
            str(row.wins),
            str(row.byes),
        )
        for row in found
    ]
    if output == "csv":
        say_csv(header, cells)
    elif output == "json":
        say_json(
            {
                "title": sheet.title,
                "rounds": len(sheet.history.rounds),
                "tie_breaks": list(names),
                "standings": [
                    {
                        "rank": row.rank,
                        "name": sheet.names[row.entrant],
                        "points": row.units / point,
                        "tie_breaks": {
                            name: value / scale(name, point)
                            for name, value in zip(names, row.tie_breaks, strict=True)
                        },
                        "wins": row.wins,
                        "byes": row.byes,
                    }
                    for row in found
                ],
            }
        )
    else:
        say_title(f"{sheet.title or source.name} after {len(sheet.history.rounds)} rounds")
        say_table(
            header, [[printable(cell) for cell in row] for row in cells], {*header} - {"name"}
        )
    if unknown and not tie_breaks:
        stderr().print(f"not computed: {printable(', '.join(unknown))}", style="yellow")
