"""The next season of a league, as follows from the archive of an ended one."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aboveboard_client.archives.folding import fold_log
from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.counted import counted
from aboveboard_referee.match.transcript import split
from aboveboard_referee.tournament.form_rounds import history_of, plan_in
from aboveboard_referee.tournament.ledger.entries import NAME
from aboveboard_referee.tournament.ledger.ledger import Ledger
from aboveboard_referee.tournament.ledger.state import LEAF_LIMIT
from aboveboard_referee.tournament.systems.league import LEAST_OF_A_DIVISION
from aboveboard_referee.tournament.systems.season import inactive, next_season
from aboveboard_referee.verify.archive import LEAVES


@dataclass(frozen=True)
class Wishes:
    """What an organiser decides about the next season. ``ratings`` are by name."""

    exchange: int = 1
    newcomers: Sequence[str] = ()
    inactive_after: int | None = None
    sizes: Sequence[int] | None = None
    ratings: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Division:
    """A division, its entrants by seed."""

    name: str
    size: int
    entrants: Sequence[str]


@dataclass(frozen=True)
class NextSeason:
    """The next season's number and divisions, the top one first, and what it follows from.

    ``previous`` is SHA-256 of the last leaf of the season before.
    """

    title: str
    number: int
    previous: bytes
    divisions: Sequence[Division]
    waiting: Sequence[str]
    inactive: Sequence[str]
    left: Sequence[str]


def next_of(files: Mapping[str, bytes], name: str, wishes: Wishes) -> NextSeason:
    """The next season of the league in an archive. Raises ``WrongUse`` saying what is wrong."""
    ledger = fold_log(files, name)
    manifest, close = ledger.manifest, ledger.close
    if manifest.system != "league":
        raise WrongUse(f"{name} is no season of a league, but a {manifest.system}")
    if close is None:
        raise WrongUse(f"{name}: the season has not ended")
    names = ledger.field.names
    table: list[list[str]] = [[] for _ in manifest.form.divisions]
    for row in close.standings:
        if row.division:
            table[row.division - 1].append(names[row.entrant])
    after = len(ledger.rounds) + 1
    # A suspension ends with its season: whoever fails again is suspended again.
    left = [m.entry.name for m in ledger.field if m.disqualified or m.has_left(after)]
    idle = [] if wishes.inactive_after is None else _inactive(ledger, wishes.inactive_after)
    _check_newcomers(name, names, wishes.newcomers)
    entrants = len(names) - len(left) + len(wishes.newcomers)
    sizes = wishes.sizes or _sizes(ledger, entrants)
    if wishes.sizes:
        _check_places(ledger, wishes.sizes, entrants)
    _check_exchange(ledger, table, sizes, wishes.exchange)
    season = next_season(
        table,
        sizes,
        wishes.exchange,
        newcomers=wishes.newcomers,
        ratings=wishes.ratings,
        left=left,
        inactive=idle,
    )
    return NextSeason(
        title=manifest.title,
        number=max(1, manifest.form.season) + 1,
        previous=hashlib.sha256(split(files[LEAVES], LEAF_LIMIT)[-1]).digest(),
        divisions=[
            Division(_division_name(ledger, number), size, entrants)
            for number, (size, entrants) in enumerate(zip(sizes, season.divisions, strict=True))
        ],
        waiting=season.waiting,
        inactive=[one for one in idle if one not in left],
        left=left,
    )


def difference(season: NextSeason, manifest: pb.TournamentManifest) -> str | None:
    """In what a manifest is not the one of this season, in a few words; or ``None``."""
    form = manifest.form
    if (manifest.system, form.season) != ("league", season.number):
        return f"it is season {form.season} of a {manifest.system}, not {season.number} of a league"
    if form.previous != season.previous:
        return f"it names {form.previous.hex() or 'no season'} as the one before"
    if len(form.divisions) != len(season.divisions):
        divisions = counted(len(form.divisions), "division")
        return f"it has {divisions}, not {len(season.divisions)}"
    for mine, named in zip(season.divisions, form.divisions, strict=True):
        if list(mine.entrants) != list(named.entrants):
            return f"{named.name} has {_all(named.entrants)}, not {_all(mine.entrants)}"
        if (mine.name, mine.size) != (named.name, named.size):
            return f"it has a {named.name} of {named.size}, not a {mine.name} of {mine.size}"
    if list(form.seeding) != [name for each in season.divisions for name in each.entrants]:
        return f"it seeds {_all(form.seeding)}"
    return None


def _all(names: Sequence[str]) -> str:
    return ", ".join(names) or "nobody"


def _inactive(ledger: Ledger, most: int) -> list[str]:
    """Who missed more rounds than that without having asked to."""
    found = inactive(plan_in(ledger.facts), history_of(ledger.facts), most)
    return [ledger.field.names[entrant] for entrant in found]


def _check_newcomers(where: str, names: Sequence[str], newcomers: Sequence[str]) -> None:
    known = {name.lower() for name in names}
    for newcomer in newcomers:
        if not NAME.fullmatch(newcomer):
            raise WrongUse(f"a newcomer cannot be called {newcomer[:40]!r}; no entry can")
        if newcomer.lower() in known:
            raise WrongUse(f"{where}: {newcomer} is no newcomer, or is named twice")
        known.add(newcomer.lower())


def _check_exchange(
    ledger: Ledger, table: Sequence[Sequence[str]], sizes: Sequence[int], exchange: int
) -> None:
    if len(sizes) < len(table):
        raise WrongUse(
            f"there are sizes for {len(sizes)} of the season's {counted(len(table), 'division')};"
            " divisions can be added, not taken away"
        )
    for number, division in enumerate(table):
        beside = (number > 0) + (number + 1 < len(table))
        if beside * exchange > len(division):
            others = "the division beside it" if beside == 1 else "each of the two beside it"
            raise WrongUse(
                f"{_division_name(ledger, number)}, of {counted(len(division), 'entrant')}, cannot"
                f" exchange {exchange} with {others}; {len(division) // beside} at most"
            )


def _sizes(ledger: Ledger, entrants: int) -> list[int]:
    """As they were, and the last one as large as it takes to have everybody and no more."""
    *upper, _ = (division.size for division in ledger.manifest.form.divisions)
    return [*upper, max(LEAST_OF_A_DIVISION, entrants - sum(upper))]


def _check_places(ledger: Ledger, sizes: Sequence[int], entrants: int) -> None:
    """Refuse places that nobody is left to take."""
    for number, size in enumerate(sizes):
        left = max(0, entrants - sum(sizes[:number]))
        if size > left:
            raise WrongUse(
                f"{_division_name(ledger, number)} would have {size} places, and {left} of"
                f" {counted(entrants, 'entrant')} would be left for it; give other --sizes, or name"
                " newcomers"
            )


def _division_name(ledger: Ledger, number: int) -> str:
    """As it was; a new one goes by its number."""
    divisions = ledger.manifest.form.divisions
    return divisions[number].name if number < len(divisions) else f"Division {number + 1}"
