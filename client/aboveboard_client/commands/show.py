"""``aboveboard show``: look at a tournament or a match without judging it."""

from collections.abc import Sequence
from pathlib import Path

import click

from aboveboard_client.archives.archive_folder import ArchiveFolder, read_plain
from aboveboard_client.archives.event_lines import Line, event_lines
from aboveboard_client.archives.folding import fold_log
from aboveboard_client.archives.form_views import form_round_view
from aboveboard_client.archives.line_view import line_view
from aboveboard_client.archives.reading import Reading, records
from aboveboard_client.archives.views import View, round_view, standings_view
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.terminal.output import (
    printable,
    say_csv,
    say_json,
    say_table,
    say_title,
)
from aboveboard_client.terminal.unverified import say_unverified
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.tournament.form import has_form
from aboveboard_referee.verify.blame import blamed


@click.command()
@click.argument("archive", type=click.Path(path_type=Path))
@click.option(
    "--round", "round_number", type=click.IntRange(min=1), help="Show a round's pairings."
)
@click.option("--match", metavar="ID", help="Show a match move by move, e.g. r1-b2.")
@click.option(
    "--explain",
    "player",
    metavar="PLAYER",
    help="Show where a player's line of the table comes from.",
)
@click.option(
    "--output",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="For people, spreadsheets or programs; docs/show.md has the columns and keys.",
)
def show(
    archive: Path, round_number: int | None, match: str | None, player: str | None, output: str
) -> None:
    """Show the table of ARCHIVE, a round, a match move by move, or where a line comes from.

    ARCHIVE is a tournament's folder, or the transcript of a single match. What is shown
    is what the files say. Nothing is verified here: aboveboard verify does that.
    """
    if sum(wanted is not None for wanted in (round_number, match, player)) > 1:
        raise click.UsageError("--round, --match and --explain are different views; name one.")
    if archive.is_file():
        if round_number is not None or match is not None or player is not None:
            raise WrongUse(f"{archive} is a single match")
        _say_match(str(archive), read_plain(archive), (), output)
    else:
        files = ArchiveFolder(archive)
        reading = Reading(files)
        form = has_form(reading.manifest)
        if match is not None:
            names = reading.players(match)
            path, data = reading.transcript(match)
            _say_match(path, data, names, output)
        elif player is not None:
            if not form:
                raise WrongUse(
                    f"{archive} is of a release whose tables are not explained: "
                    f"{reading.manifest.system} {reading.manifest.system_version}"
                )
            _say(line_view(fold_log(files, str(archive)), player), output)
        elif round_number is not None and form:
            _say(form_round_view(fold_log(files, str(archive)), round_number), output)
        elif round_number is not None:
            _say(round_view(reading, round_number), output)
        else:
            _say(standings_view(reading), output)
    say_unverified(archive)


# --- A match ------------------------------------------------------------------------------


def _say_match(path: str, data: bytes, names: Sequence[str], output: str) -> None:
    """A match as far as it can be followed; ``VerdictAgainst`` where it cannot."""
    lines: list[Line] = []
    broken: Deviation | None = None
    try:
        lines.extend(event_lines(records(path, data)))
    except Deviation as deviation:
        broken = blamed(deviation, data)
    rows = [
        (
            line.event,
            _who(line.seat, names),
            _milliseconds(line.thought_us),
            _milliseconds(line.charged_us),
            line.what,
            line.detail,
        )
        for line in lines
    ]
    header = ("event", "who", "thought_ms", "charged_ms", "does", "what")
    title = " against ".join(names) or path
    values = {
        "title": title,
        "players": list(names),
        "events": [dict(zip(header, row, strict=True)) for row in rows],
    }
    right = frozenset({"event", "thought_ms", "charged_ms"})
    _say(View(title, header, rows, right, values), output)
    if broken is not None:
        raise VerdictAgainst(f"the match cannot be followed further: {printable(str(broken), 500)}")


def _who(seat: int | None, names: Sequence[str]) -> str:
    if seat is None:
        return "referee"
    return names[seat] if seat < len(names) else f"seat {seat}"


def _milliseconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1000


def _say(view: View, output: str) -> None:
    if output == "json":
        say_json(view.values)
    elif output == "csv":
        say_csv(view.header, view.rows)
    else:
        say_title(view.title)
        columns = zip(view.header, view.heading or view.header, strict=True)
        shown = {column: heading.replace("_", " ") for column, heading in columns}
        say_table(
            list(shown.values()),
            [[_text(cell) for cell in row] for row in view.rows],
            {shown[column] for column in view.right},
        )


def _text(cell: str | float | None) -> str:
    if cell is None:
        return ""
    return f"{cell:.1f}" if isinstance(cell, float) else printable(str(cell), limit=2000)
