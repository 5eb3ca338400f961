"""``aboveboard ratings``: what an archive's results say about strength."""

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from aboveboard_client.archives.archive_folder import ArchiveFolder
from aboveboard_client.errors import WrongUse
from aboveboard_client.measuring.luck import REPLAYS
from aboveboard_client.measuring.luck_pool import Transcript, lucks
from aboveboard_client.measuring.played import PlayedTournament, played_tournament
from aboveboard_client.measuring.rating_table import (
    Ratings,
    cells,
    flat,
    game_lines,
    header,
    ratings_of,
    values_of,
)
from aboveboard_client.terminal.output import (
    Live,
    printable,
    say,
    say_csv,
    say_json,
    say_table,
    say_title,
)
from aboveboard_client.terminal.unverified import say_unverified
from aboveboard_referee.counted import counted
from aboveboard_referee.tournament.ratings.plackett_luce import RatingsMissing

FEW = 8
"""Matches that one process has measured before others have started."""


@click.command()
@click.argument("archive", type=click.Path(path_type=Path))
@click.option(
    "--adjust-luck",
    is_flag=True,
    help="Let house bots replay every match's decks, and show scores without luck as well.",
)
@click.option(
    "--replays",
    default=REPLAYS,
    show_default=True,
    type=click.IntRange(min=1, max=100),
    help="How often each match is replayed for that.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Most processes to use.  [default: one for each processor]",
)
@click.option(
    "--output",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="For people, spreadsheets or programs; docs/ratings.md has the columns and keys.",
)
def ratings(archive: Path, adjust_luck: bool, replays: int, jobs: int | None, output: str) -> None:
    """Rate the entrants of ARCHIVE, and say how sure that is.

    A rating is mu, give or take sigma, and the list is by what is nearly certain: mu - 3 sigma.
    Points and places have the interval that they would be in, 95 times of 100, had
    the cards fallen otherwise. With --adjust-luck, house bots play each match's decks again in
    all seats, and what they make of them is taken out of everybody's score.

    Results are never changed by any of this. Nothing is verified here: aboveboard verify does
    that.
    """
    files = ArchiveFolder(archive)
    played = played_tournament(files)
    measured = _measured(files, played, replays, jobs) if adjust_luck else None
    try:
        rated = ratings_of(played, measured)
    except RatingsMissing:
        raise WrongUse(
            "ratings need the package openskill: pip install 'aboveboard[ratings]'"
        ) from None
    _say(rated, output)
    say_unverified(archive)


def _measured(
    files: ArchiveFolder, played: PlayedTournament, replays: int, jobs: int | None
) -> Sequence[Sequence[float]]:
    """The luck of each match, with a line that says how long it will take."""
    matches = len(played.matches)
    processes = jobs or (1 if matches <= FEW else os.cpu_count() or 1)
    found: list[Sequence[float]] = []
    start = time.monotonic()
    with Live() as live:
        live.show(f"replaying {counted(matches, 'match')}")
        for by_seat in lucks(_transcripts(files, played), replays, processes):
            found.append(by_seat)
            left = (time.monotonic() - start) / len(found) * (matches - len(found))
            live.show(f"match {len(found)} of {matches} replayed, about {left:.0f} s left")
    return found


def _transcripts(files: ArchiveFolder, played: PlayedTournament) -> Iterator[Transcript]:
    for match in played.matches:
        if match.file not in files:
            raise WrongUse(f"there is no {match.file}; aboveboard verify tells more")
        yield match.file, files[match.file]


def _say(rated: Ratings, output: str) -> None:
    with_luck = rated.with_luck
    if output == "json":
        say_json(values_of(rated))
    elif output == "csv":
        rows = [flat(row, with_luck=with_luck) for row in rated.rows]
        say_csv(list(rows[0]) if rows else [], [list(row.values()) for row in rows])
    else:
        say_title(f"{rated.title}: ratings")
        columns = header(with_luck=with_luck)
        lines = [
            [printable(cell) for cell in cells(rank, row, with_luck=with_luck)]
            for rank, row in enumerate(rated.rows, start=1)
        ]
        say_table(columns, lines, right={"rank", "rating", "mu", "sigma", "matches", "luck"})
        for line in game_lines(rated):
            say(printable(line))
