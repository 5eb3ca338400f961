"""``aboveboard export``: a tournament as a file for other programs."""

from pathlib import Path

import click

from aboveboard_client.terminal.output import say
from aboveboard_client.tournament_files.sheets import FORMATS, load, put, say_text, write


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    required=True,
    type=click.Choice(FORMATS),
    help="TRF for pairing programs and rating offices; CSV and JSON hold everything.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write this file instead of printing.",
)
@click.option("--force", is_flag=True, help="Replace the file if there is one.")
def export(source: Path, format_: str, output: Path | None, force: bool) -> None:
    """Write the tournament of SOURCE as TRF, CSV or JSON.

    SOURCE is an archive, or a file of any of the three, so that one can be made into
    another. TRF is FIDE's tournament report file of 2026; docs/interchange.md says which
    columns it has and what it leaves out. Nothing is verified here: aboveboard verify does
    that.
    """
    text = write(load(source), format_)
    if output is None:
        say_text(text)
    else:
        put(output, text, force)
        say(f"{output}: {len(text.encode())} bytes of {format_.upper()}")
