"""Tournaments that commands read from files or archives, and write to files."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from aboveboard_client.archives.archive_folder import read_plain
from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.replacing import replace_file
from aboveboard_client.tournament_files.sheet_of_archive import sheet_of_archive
from aboveboard_referee.tournament.all_systems import all_systems, traits_of
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.interchange.csv_read import read_csv
from aboveboard_referee.tournament.interchange.csv_write import write_csv
from aboveboard_referee.tournament.interchange.json_file import read_json, write_json
from aboveboard_referee.tournament.interchange.sheet import (
    TEXT_LIMIT,
    Inexpressible,
    Sheet,
    Unreadable,
    check_sheet,
)
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from aboveboard_referee.tournament.interchange.trf_write import write_trf
from aboveboard_referee.tournament.standings.table import Row, table
from aboveboard_referee.tournament.standings.tie_breaks import (
    DEFAULT_TIE_BREAKS,
    TABLE_DEFAULT,
    TIE_BREAKS,
)
from aboveboard_referee.tournament.systems.plan import Plan

FORMATS = ("trf", "csv", "json")


@dataclass(frozen=True)
class Loaded:
    """A tournament and the places in its table, by entrant."""

    sheet: Sheet
    ranks: Sequence[int]


def load(path: Path) -> Loaded:
    """The tournament of an archive, or of a TRF, CSV or JSON file, told by what is in it.

    Raises ``WrongUse`` with the line or key where a file breaks off.
    """
    if path.is_dir():
        return Loaded(*sheet_of_archive(path))
    data = read_plain(path, TEXT_LIMIT)
    try:
        sheet = _read(data)
    except Unreadable as error:
        raise WrongUse(f"{path}: {error}") from None
    return Loaded(sheet, places(sheet))


def _read(data: bytes) -> Sheet:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        if data.lstrip().startswith(b"{") or data.startswith(b"record,"):
            raise Unreadable(f"byte {error.start}", "not UTF-8") from None
        # Programs that write TRF were there before UTF-8.
        text = data.decode("latin-1")
    if text.lstrip().startswith("{"):
        return read_json(text)
    return read_csv(text) if text.startswith("record,") else read_trf(text)


def write(loaded: Loaded, format_: str) -> str:
    """The text of a file. Raises ``WrongUse`` for what the format, or any, has no words for."""
    try:
        check_sheet(loaded.sheet)
    except ValueError as error:
        raise WrongUse(f"no file can hold this tournament: {error}") from None
    if format_ == "csv":
        return write_csv(loaded.sheet)
    if format_ == "json":
        return write_json(loaded.sheet)
    try:
        return write_trf(loaded.sheet, loaded.ranks)
    except Inexpressible as error:
        raise WrongUse(str(error)) from None


def put(path: Path, text: str, replace: bool) -> None:
    """Write a file; ``WrongUse`` if it is there already and not to be replaced."""
    if path.exists() and not replace:
        raise WrongUse(f"{path} is there already; --force replaces it")
    try:
        replace_file(path, text.encode())
    except OSError as error:
        raise OutsideFailure(f"{path}: {error.strerror}") from error


def say_text(text: str) -> None:
    """A file's text on standard output."""
    click.echo(text, nl=False)


# --- Tables -------------------------------------------------------------------------------


def tie_breaks_of(sheet: Sheet) -> tuple[str, ...]:
    """Those of the file that we have, or what is common where it names none.

    A plan comes from a tournament that says itself which it has, be it none.
    """
    known = tuple(name for name in sheet.tie_breaks if name in TIE_BREAKS)
    if known or sheet.tie_breaks or sheet.plan is not None:
        return known
    return DEFAULT_TIE_BREAKS if seats_of(sheet) == 2 else TABLE_DEFAULT


def seats_of(sheet: Sheet) -> int:
    """The seats of a table: the plan's, else those of the largest one; 2 before there is any."""
    if sheet.plan is not None:
        return sheet.plan.seats
    return max(
        (len(each.entrants) for drawn in sheet.history.rounds for each in drawn.tables), default=2
    )


def plan_of(sheet: Sheet, system: str, rounds: int, seats: int) -> Plan:
    """What pairing systems read of a tournament that came from a file: the file's own plan.

    A file that has none, or one of another system, says what byes are worth and who came
    late; a pairing bye is worth what those so far were, or a point.
    """
    if sheet.plan is not None and sheet.plan.system == system:
        return replace(sheet.plan, rounds=rounds, seats=seats)
    given = [
        bye.units for drawn in sheet.history.rounds for bye in drawn.byes if bye.kind == "pairing"
    ]
    return Plan(
        system=system,
        rounds=rounds,
        seats=seats,
        sizes=tuple(range(2, seats + 1)),
        point=sheet.history.point,
        bye=given[0] if given else sheet.history.point,
    )


def levels_of(sheet: Sheet) -> Sequence[int] | None:
    """What ranks entrants before their points do, by entrant; None where points alone do."""
    system = all_systems().get(sheet.system)
    if system is None:
        return None
    plan = plan_of(sheet, system.name, sheet.rounds, seats_of(sheet))
    return system.levels(plan, sheet.history) if system.wrong(plan) is None else None


def rows(
    sheet: Sheet, tie_breaks: Sequence[str], *, predetermined: bool | None = None
) -> tuple[Row, ...]:
    """The table. Raises ``WrongUse`` for tie-breaks that are none.

    Whether pairings were ``predetermined`` follows from the system, unless it is said.
    """
    if predetermined is None:
        predetermined = traits_of(sheet.system).is_predetermined
    try:
        return table(sheet.history, tie_breaks, levels_of(sheet), sheet.disqualified, predetermined)
    except ValueError as error:
        raise WrongUse(str(error)) from None


def places(sheet: Sheet) -> list[int]:
    """Everybody's place in the table, by entrant."""
    ranks = [0] * sheet.history.entrants
    for row in rows(sheet, tie_breaks_of(sheet)):
        ranks[row.entrant] = row.rank
    return ranks


def entrant_named(sheet: Sheet, name: str) -> Entrant:
    """An entrant by its name or start number. Raises ``WrongUse`` if there is none."""
    found = [e for e, own in enumerate(sheet.names) if own.casefold() == name.casefold()]
    if len(found) == 1:
        return found[0]
    if name.isascii() and name.isdigit() and 1 <= int(name[:6]) <= len(sheet.names):
        return sheet.history.order[int(name) - 1]
    several = f"; {len(found)} have that name" if found else ""
    raise WrongUse(f"there is no entrant {name[:40]!r}{several}; a start number will do as well")
