"""``aboveboard replay``: step through a match as one of its seats saw it, or see all of it."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from aboveboard_client.archives.archive_folder import ArchiveFolder, read_plain
from aboveboard_client.archives.entries import UnknownDeck
from aboveboard_client.archives.frames import Frame, ending, frames
from aboveboard_client.archives.game_files import is_game_record, read_games
from aboveboard_client.archives.game_records import Making, about_match
from aboveboard_client.archives.reading import Reading, records
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import printable, say, say_title
from aboveboard_client.terminal.stepping import Stepper
from aboveboard_client.terminal.unverified import say_unverified
from aboveboard_referee.game_record.record import GameRecord
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.verify.blame import blamed


@click.command()
@click.argument("source", metavar="ARCHIVE", type=click.Path(path_type=Path))
@click.argument("match", required=False)
@click.option(
    "--seat",
    type=click.IntRange(min=0),
    help="Show what this seat saw, counted from 0, and nothing else.",
)
@click.option("--plain", is_flag=True, help="Print the whole match instead of stepping through it.")
def replay(source: Path, match: str | None, seat: int | None, plain: bool) -> None:
    """Step through MATCH of ARCHIVE in the terminal.

    ARCHIVE is a tournament's folder, the transcript of a single match (g1.records) or a
    file of game records (see aboveboard export --format record); of a file, MATCH says which
    of several games, by its Match tag or its number.

    \b
    Examples:
      aboveboard replay archive r1-b1
      aboveboard replay archive r1-b1 --seat 0
      aboveboard replay games/g1.records --plain

    Keys: right, space or n for the next moment, left or b for the one before, m for a move
    by its number, d for the next deal, a for the start, e for the end, q to quit. What goes
    to a pipe or a file is the whole match.

    Nothing is verified here: aboveboard verify does that.
    """
    record, broken, signed = _found(source, match)
    if seat is not None and seat >= record.seats:
        raise WrongUse(f"there is no seat {seat}; the match has {record.seats}, from 0")
    shown = tuple(frames(record, seat))
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print(record, seat, shown)
    elif shown:
        Stepper(heading(record, seat), shown, ending(record)).run()
    if signed:
        say_unverified(source)
    if broken is not None:
        raise VerdictAgainst(broken)


def heading(record: GameRecord, seat: int | None) -> str:
    """What is shown: the match, the game, who plays, and whose view it is."""
    about = [record.about[name] for name in ("Event", "Match") if name in record.about]
    name = "" if seat is None else record.names[seat]
    who = name if name == f"seat {seat}" else f"{name} (seat {seat})"
    view = "everything" if seat is None else f"as {who} saw it"
    players = " - ".join(record.names)
    return printable(f"{', '.join([*about, record.game.name])}: {players}; {view}", 300)


# --- Where a match comes from ----------------------------------------------------------------


class _Found(NamedTuple):
    """A game as far as it can be followed, why it cannot be any further, and whether somebody
    signed what it is made of.
    """

    record: GameRecord
    broken: str | None = None
    signed: bool = True


def _found(source: Path, match: str | None) -> _Found:
    if source.is_dir():
        if match is None:
            raise WrongUse(
                f"{source} is an archive: name one of its matches, "
                f"which {command_line('show', source, '--round', 1)} lists"
            )
        reading = Reading(ArchiveFolder(source))
        names = reading.players(match)
        path, data = reading.transcript(match)
        tags = about_match(reading, reading.round_of(match))
        return _followed(path, data, names, tags)
    data = read_plain(source)
    if is_game_record(data):
        return _Found(_chosen(read_games(source, data), source, match), signed=False)
    if match is not None:
        raise WrongUse(f"{source} is a single match")
    return _followed(str(source), data, (), {})


def _followed(path: str, data: bytes, names: Sequence[str], about: dict[str, str]) -> _Found:
    signed = records(path, data)
    try:
        making = Making(signed, names, about)
    except Deviation as deviation:
        raise VerdictAgainst(f"{path}: {blamed(deviation, data)}") from deviation
    try:
        making.take_all()
    except UnknownDeck as error:
        return _Found(making.record, f"{path} cannot be shown further: {error}")
    except Deviation as deviation:
        return _Found(
            making.record, f"{path} cannot be followed further: {blamed(deviation, data)}"
        )
    return _Found(making.record)


def _chosen(games: Sequence[GameRecord], source: Path, match: str | None) -> GameRecord:
    if match is None:
        if len(games) > 1:
            raise WrongUse(
                f"{source} has {len(games)} games: name one by its Match tag, "
                f"such as {games[0].about.get('Match', '1')}, or by its number"
            )
        return games[0]
    for game in games:
        if game.about.get("Match") == match:
            return game
    if match.isascii() and match.isdigit() and 1 <= int(match[:9]) <= len(games):
        return games[int(match) - 1]
    raise WrongUse(f"there is no game {match[:40]!r} in {source}, which has {len(games)}")


# --- All of it at once -----------------------------------------------------------------------


def _print(record: GameRecord, seat: int | None, shown: Sequence[Frame]) -> None:
    say_title(heading(record, seat))
    for frame in shown:
        if frame.dealt:
            say("")
        note = f"   [{frame.note}]" if frame.note else ""
        # Where cards are shown, what they are says more than that.
        lines = [] if frame.told and not (frame.moved or frame.note) else [frame.head + note]
        for line in lines:
            say(printable(line, 1500))
        for line in frame.told:
            say(printable(f"    {line}", 1500))
        if frame.scored:
            say(f"    score {' - '.join(map(str, frame.scores))}")
        if frame.due:
            say("")
            for line in frame.board:
                say(printable(f"  | {line}", 1500))
    say("")
    for line in ending(record):
        say(printable(line))
