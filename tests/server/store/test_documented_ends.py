"""The lines that docs/operating.md lists with the exit code of a server that ends by them."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_server.config import load_config
from aboveboard_server.keys import server_keys
from aboveboard_server.store.database import Database
from tests.fakes.command_line import Run

PAGE = Path(__file__).parents[3] / "docs" / "operating.md"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A tournament whose store is there, and empty."""
    path = tmp_path / "cup.toml"
    path.write_text('games = ["cribbage"]\nrounds = 1\nlisten = "127.0.0.1:0"\n')
    server_keys(load_config(path))
    Database(tmp_path / "cup" / "tournament.db").close()
    return path


def listed_under_3() -> str:
    """The table of lines with exit code 3."""
    found = re.search(r"exit code 3 and one line:\n\n(\|.*?)\n\n", PAGE.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


def test_a_second_server_is_wrong_use_and_listed_so(run: Run, file: Path) -> None:
    with closing(Database(file.parent / "cup" / "tournament.db")):
        ran = run("serve", file)
    assert ran.code == WrongUse.exit_code
    assert ran.err.endswith("tournament.db is in use by another server\n")
    assert "in use by another server" not in listed_under_3()
    assert "`… is in use by another server` has exit code 2" in PAGE.read_text()


def test_a_store_that_another_program_holds_or_a_disk_has_damaged_is_listed_as_it_ends(
    run: Run, file: Path
) -> None:
    store = file.parent / "cup" / "tournament.db"
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        held = run("serve", file)
    data = bytearray(store.read_bytes())
    data[4096:] = b"\xff" * len(data[4096:])
    store.write_bytes(data)
    damaged = run("serve", file)
    assert {held.code, damaged.code} == {OutsideFailure.exit_code}
    for ran, line in ((held, "database is locked"), (damaged, "database disk image is malformed")):
        assert f"tournament.db: {line}" in ran.err
        assert f": {line}`" in listed_under_3()
