"""``aboveboard season``: the next season of a league, from the archive of the one before."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from aboveboard_client.archives.archive_folder import ArchiveFolder, read_plain
from aboveboard_client.archives.next_season import NextSeason, Wishes, difference, next_of
from aboveboard_client.archives.reading import Reading
from aboveboard_client.commands.followed import sizes_of_divisions
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_client.terminal.output import say
from aboveboard_client.terminal.unverified import say_unverified

_RATINGS_LIMIT = 1 << 24

_MOST_ORDINAL = 1_000_000_000
"""Far beyond every rating; JSON has numbers that are none, too."""


@click.command()
@click.argument("archive", type=click.Path(path_type=Path))
@click.option(
    "--exchange",
    metavar="N",
    default=1,
    show_default=True,
    type=click.IntRange(min=0, max=100_000),
    help="How many go up, and as many down, between two divisions.",
)
@click.option(
    "--newcomer",
    "newcomers",
    metavar="NAME",
    multiple=True,
    help="Somebody who did not play this season. Can be given several times.",
)
@click.option(
    "--inactive-after",
    metavar="N",
    type=click.IntRange(min=0),
    help="Who missed more than N rounds unasked goes down, or out of the last division.",
)
@click.option(
    "--sizes",
    callback=sizes_of_divisions,
    metavar="N,N",
    help="How many each division has, the top one first.  [default: as this season, and the "
    "last as many as there are]",
)
@click.option(
    "--ratings",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="What aboveboard ratings --output json printed: it ranks newcomers.",
)
@click.option(
    "--check",
    "following",
    metavar="ARCHIVE",
    type=click.Path(path_type=Path),
    help="Print nothing; say whether the season in this archive is the one that follows.",
)
def season(
    archive: Path,
    exchange: int,
    newcomers: tuple[str, ...],
    inactive_after: int | None,
    sizes: tuple[int, ...] | None,
    ratings: Path | None,
    following: Path | None,
) -> None:
    """Print the tables of the next season's file, as follows from the ended season in ARCHIVE.

    They go into the tournament file of the next season in place of its [league] and its
    seeding. The same archive and options give the same text to everybody. docs/league.md
    has the rules.
    """
    wishes = Wishes(
        exchange, newcomers, inactive_after, sizes, {} if ratings is None else _rated(ratings)
    )
    found = next_of(ArchiveFolder(archive), str(archive), wishes)
    if following is None:
        click.echo(_toml(found, wishes), nl=False)
    else:
        differs = difference(found, Reading(ArchiveFolder(following)).manifest)
        if differs is not None:
            raise VerdictAgainst(f"{following} does not follow: {differs}")
        say(f"season {found.number} in {following} is the one that follows")
    say_unverified(archive)


def _rated(path: Path) -> Mapping[str, int]:
    """Ratings in millionths, by name. Raises ``WrongUse``."""
    try:
        rows = json.loads(read_plain(path, _RATINGS_LIMIT))["entrants"]
        return {str(row["name"]): _millionths(row["ordinal"]) for row in rows}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WrongUse(f"{path} is not what aboveboard ratings --output json prints") from error


def _millionths(ordinal: object) -> int:
    if not isinstance(ordinal, int | float) or not abs(ordinal) <= _MOST_ORDINAL:
        raise ValueError(ordinal)
    return round(ordinal * 1_000_000)


def _toml(found: NextSeason, wishes: Wishes) -> str:
    lines = [
        f"# Season {found.number}, as follows from season {found.number - 1}: {found.title}",
        f"# exchanged between two divisions: {wishes.exchange}",
        *_comment("inactive", found.inactive),
        *_comment("left", found.left),
        *_comment("new", wishes.newcomers),
        *_comment("waiting for a place", found.waiting),
        "[pairing]",
        f"seeding = {_texts([name for each in found.divisions for name in each.entrants])}",
        "",
        "[league]",
        f"season = {found.number}",
        f'previous = "{found.previous.hex()}"',
        "divisions = [",
        *(
            f"  {{ name = {_text(each.name)}, size = {each.size},"
            f" entrants = {_texts(each.entrants)} }},"
            for each in found.divisions
        ),
        "]",
    ]
    return "\n".join(lines) + "\n"


def _comment(what: str, names: Sequence[str]) -> list[str]:
    return [f"# {what}: {', '.join(names)}"] if names else []


def _texts(names: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, names))}]"


def _text(text: str) -> str:
    """A text as TOML has it: printable ones need no more than JSON's escapes."""
    return json.dumps(text, ensure_ascii=False)
