"""Files of tournaments that other programs wrote: TRF, CSV and JSON."""

import contextlib
from collections.abc import Callable, Iterator
from random import Random

from aboveboard_client.errors import AboveboardError
from aboveboard_client.tournament_files.sheets import FORMATS, load, write
from aboveboard_referee.tournament.interchange.csv_read import read_csv
from aboveboard_referee.tournament.interchange.csv_write import write_csv
from aboveboard_referee.tournament.interchange.json_file import read_json, write_json
from aboveboard_referee.tournament.interchange.sheet import (
    Inexpressible,
    Sheet,
    Unreadable,
    check_sheet,
)
from aboveboard_referee.tournament.interchange.trf_read import read_trf
from aboveboard_referee.tournament.interchange.trf_write import write_trf
from tests.fakes.sheets import random_sheet, ranks_of
from tests.fuzz.files import a_file
from tests.fuzz.mutate import text
from tests.fuzz.target import Target

SEEDS = 12


def _read_by(read: Callable[[str], Sheet]) -> Callable[[bytes], None]:
    """What was read is a sheet that is written down and read again for the same."""

    def reads(data: bytes) -> None:
        try:
            said = data.decode()
        except UnicodeDecodeError:
            said = data.decode("latin-1")
        sheet = read(said)
        check_sheet(sheet)
        for writes, again in ((write_csv, read_csv), (write_json, read_json)):
            assert again(writes(sheet)) == sheet

    return reads


def sheet_file(data: bytes) -> None:
    """A file of any format, of which a table is made, and files of all formats."""
    with a_file(data) as path:
        loaded = load(path)
    assert len(loaded.ranks) == loaded.sheet.history.entrants
    for format_ in FORMATS:
        assert write(loaded, format_)


def _sheets() -> Iterator[Sheet]:
    for number in range(SEEDS):
        seats = (2, 2, 4)[number % 3]
        yield random_sheet(Random(f"sheet {number}"), seats=seats, point=2 if seats == 2 else None)


def csv_files() -> Iterator[bytes]:
    yield from (write_csv(sheet).encode() for sheet in _sheets())


def json_files() -> Iterator[bytes]:
    yield from (write_json(sheet).encode() for sheet in _sheets())


def trf_files() -> Iterator[bytes]:
    for sheet in _sheets():
        with contextlib.suppress(Inexpressible):
            yield write_trf(sheet, ranks_of(sheet)).encode()


def any_files() -> Iterator[bytes]:
    for files in (csv_files, json_files, trf_files):
        yield from list(files())[:4]


TARGETS = (
    Target("sheet", sheet_file, (AboveboardError,), any_files, text),
    Target("trf", _read_by(read_trf), (Unreadable,), trf_files, text),
    Target("csv", _read_by(read_csv), (Unreadable,), csv_files, text),
    Target("json", _read_by(read_json), (Unreadable,), json_files, text),
)
