"""``aboveboard export``: a tournament as a file for other programs, or its games as text."""

from collections.abc import Iterator
from pathlib import Path

import click

from aboveboard_client.archives.archive_folder import ArchiveFolder, read_plain
from aboveboard_client.archives.game_files import is_game_record, read_games
from aboveboard_client.archives.game_records import record_of_transcript, records_of_archive
from aboveboard_client.archives.reading import Reading
from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.output import say
from aboveboard_client.tournament_files.sheets import FORMATS, load, put, say_text, write
from aboveboard_referee.counted import counted
from aboveboard_referee.game_record.record import GameRecord
from aboveboard_referee.game_record.text import write_record

RECORD = "record"


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    required=True,
    type=click.Choice([*FORMATS, RECORD]),
    help="TRF for pairing programs and rating offices; CSV and JSON hold everything of a "
    "tournament's rounds; record is every game move by move.",
)
@click.option(
    "--match", metavar="ID", help="With --format record: this match alone, such as r1-b1."
)
@click.option(
    "--output",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write this file instead of printing.",
)
@click.option("--force", is_flag=True, help="Replace the file if there is one.")
def export(source: Path, format_: str, match: str | None, output: Path | None, force: bool) -> None:
    """Write the tournament of SOURCE as TRF, CSV or JSON, or its games as text.

    SOURCE is an archive, or a file of any of the three, so that one can be made into
    another. TRF is FIDE's tournament report file of 2026; docs/interchange.md says which
    columns it has and what it leaves out.

    With --format record SOURCE is an archive, the transcript of a single match, or a file of
    game records. Game records are plain text with deals, moves and scores, to be read by
    people and by aboveboard replay; docs/records.md has their grammar.

    \b
    Examples:
      aboveboard export archive --format trf --output cup.trf
      aboveboard export archive --format record --match r1-b1
      aboveboard export games/g1.records --format record --output g1.record

    Nothing is verified here: aboveboard verify does that.
    """
    if format_ == RECORD:
        text, number = _games(source, match)
        what = counted(number, "game")
    else:
        if match is not None:
            raise click.UsageError("--match goes with --format record.")
        text = write(load(source), format_)
        what = format_.upper()
    if output is None:
        say_text(text)
    else:
        put(output, text, force)
        say(f"{output}: {len(text.encode())} bytes of {what}")


def _games(source: Path, match: str | None) -> tuple[str, int]:
    """The text of the games, and how many they are."""
    texts = [write_record(game) for game in _records(source, match)]
    if not texts:
        raise WrongUse(f"no match of {source} has ended")
    return "".join(texts), len(texts)


def _records(source: Path, match: str | None) -> Iterator[GameRecord]:
    if source.is_dir():
        yield from records_of_archive(Reading(ArchiveFolder(source)), match)
        return
    if match is not None:
        raise WrongUse(f"{source} is a file; --match names a match of an archive")
    data = read_plain(source)
    if is_game_record(data):
        yield from read_games(source, data)
    else:
        yield record_of_transcript(str(source), data)
