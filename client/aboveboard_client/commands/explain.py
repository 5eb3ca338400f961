"""``aboveboard explain``: why a round was paired as it was."""

from pathlib import Path

import click

from aboveboard_client.archives.archive_folder import ArchiveFolder
from aboveboard_client.archives.folding import fold_to_draw
from aboveboard_client.archives.named import entrant_named
from aboveboard_client.archives.reading import Reading
from aboveboard_client.archives.why import why
from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.output import printable, say, say_json, say_title
from aboveboard_client.terminal.unverified import say_unverified
from aboveboard_referee.tournament.form import has_form


@click.command()
@click.argument("archive", type=click.Path(path_type=Path))
@click.argument("round_number", metavar="ROUND", type=click.IntRange(min=1))
@click.argument("player", required=False)
@click.option(
    "--output",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="For people or programs; docs/pairing.md has the keys.",
)
def explain(archive: Path, round_number: int, player: str | None, output: str) -> None:
    """Say why ROUND of the tournament in ARCHIVE was paired as it was.

    Of a Swiss round that are its measures, the most important first, and what the next
    best choice would have cost: of the round, or of where PLAYER sits. Other systems
    follow a schedule.
    """
    files = ArchiveFolder(archive)
    reading = Reading(files)
    if not has_form(reading.manifest):
        raise WrongUse(
            f"{archive} is of a release whose rounds are not explained: "
            f"{reading.manifest.system} {reading.manifest.system_version};"
            " docs/format.md, section 20, says how it paired"
        )
    ledger = fold_to_draw(files, str(archive), round_number)
    names = {name.lower() for name in reading.names} - {n.lower() for n in ledger.field.names}
    if player is not None and player.lower() in names:
        raise WrongUse(f"{player} had not entered when round {round_number} was paired")
    told = why(ledger, None if player is None else entrant_named(ledger, player))
    if output == "json":
        say_json(told.values)
    else:
        say_title(told.title)
        for line in told.lines:
            say(printable(line, limit=2000))
    say_unverified(archive)
