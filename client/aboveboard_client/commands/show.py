"""``aboveboard show``: look at a tournament or a match without judging it."""

import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from aboveboard_client.archive_folder import ArchiveFolder, read_plain
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.output import printable, say, say_table, stderr
from aboveboard_client.reading import Reading, records
from aboveboard_client.replay import Line, replay
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.verify.archive import points_text

Cell = str | int | float | None


@dataclass(frozen=True)
class View:
    """A table to show: its heading, columns, and rows of plain values."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@click.command()
@click.argument("archive", type=click.Path(path_type=Path))
@click.option("--round", "round_number", type=click.IntRange(min=1), help="Show a round's matches.")
@click.option("--match", metavar="ID", help="Show a match move by move, e.g. r1-b2.")
@click.option(
    "--output",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
)
def show(archive: Path, round_number: int | None, match: str | None, output: str) -> None:
    """Show the table of ARCHIVE, the matches of a round, or a match move by move.

    ARCHIVE is a tournament's folder, or the transcript of a single match. What is shown
    is what the files say. Nothing is verified here: aboveboard verify does that.
    """
    if round_number is not None and match is not None:
        raise click.UsageError("--round and --match are two different views; name one.")
    if archive.is_file():
        if round_number is not None or match is not None:
            raise WrongUse(f"{archive} is a single match")
        _say_match(str(archive), read_plain(archive), (), output)
    else:
        reading = Reading(ArchiveFolder(archive))
        if match is not None:
            path, data = reading.transcript(match)
            _say_match(path, data, _players(reading, match), output)
        elif round_number is not None:
            _say(_round_view(reading, round_number), output)
        else:
            _say(_table_view(reading), output)
    stderr().print(f"not verified; to verify it: aboveboard verify {archive}", style="yellow")


# --- The views -----------------------------------------------------------------------------


def _table_view(reading: Reading) -> View:
    header = ("rank", "name", "points", "wins", "matches", "byes")
    close = reading.close()
    if close is None:
        raise WrongUse("the tournament has not ended; its rounds can be seen with --round")
    rows = [
        (
            row.rank,
            reading.name(row.entrant),
            points_text(row.half_points),
            row.wins,
            row.matches,
            row.byes,
        )
        for row in close.standings
    ]
    games = ", ".join(game.name for game in reading.manifest.games)
    return View(f"{reading.manifest.title}: {len(reading.rounds)} rounds of {games}", header, rows)


def _round_view(reading: Reading, number: int) -> View:
    pairings = reading.pairings(number)
    rows: list[Sequence[Cell]] = []
    for pairing in pairings.pairings:
        names = [reading.name(entrant) for entrant in pairing.entrants]
        result = reading.result(pairing.match)
        if result is None:
            rows.append((pairing.match, " - ".join(names), "", "", "not there", 0))
            continue
        seats = result.close.seats
        rows.append(
            (
                pairing.match,
                " - ".join(names),
                " - ".join(points_text(seat.half_points) for seat in seats),
                " - ".join(str(seat.score) for seat in seats),
                reason_text(result.close.reason),
                result.attempt,
            )
        )
    rows.extend(("bye", reading.name(entrant), "1.0", "", "", 0) for entrant in pairings.byes)
    header = ("match", "players", "points", "score", "end", "attempt")
    return View(f"{reading.manifest.title}: round {number}, {pairings.game}", header, rows)


def _players(reading: Reading, match: str) -> Sequence[str]:
    """The names by seat."""
    for number in reading.rounds:
        for pairing in reading.pairings(number).pairings:
            if pairing.match == match:
                return [reading.name(entrant) for entrant in pairing.entrants]
    return ()


def _say_match(path: str, data: bytes, names: Sequence[str], output: str) -> None:
    """A match as far as it can be followed; ``VerdictAgainst`` where it cannot."""
    lines: list[Line] = []
    broken: Deviation | None = None
    try:
        lines.extend(replay(records(path, data)))
    except Deviation as deviation:
        broken = deviation
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
    header = ("event", "who", "thought ms", "charged ms", "does", "what")
    _say(View(" against ".join(names) or path, header, rows), output)
    if broken is not None:
        raise VerdictAgainst(f"the match cannot be followed further: {printable(str(broken), 500)}")


def _who(seat: int | None, names: Sequence[str]) -> str:
    if seat is None:
        return "referee"
    return names[seat] if seat < len(names) else f"seat {seat}"


def _milliseconds(microseconds: int | None) -> float | None:
    return None if microseconds is None else microseconds / 1000


# --- Output --------------------------------------------------------------------------------


def _say(view: View, output: str) -> None:
    if output == "json":
        rows = [dict(zip(view.header, row, strict=True)) for row in view.rows]
        click.echo(json.dumps({"title": view.title, "rows": rows}, indent=2))
    elif output == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(view.header)
        writer.writerows(view.rows)
    else:
        numbers = {
            name
            for name, *column in zip(view.header, *view.rows, strict=True)
            if any(isinstance(cell, int | float) for cell in column)
        }
        say(printable(view.title, limit=500), style="bold")
        say_table(view.header, [[_text(cell) for cell in row] for row in view.rows], numbers)


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return f"{cell:.1f}" if isinstance(cell, float) else printable(str(cell), limit=2000)
