"""Copies of a store that is in use: of one moment, private, whole, and of nothing else."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from aboveboard_server.store.database import (
    PAGES_A_STEP,
    Database,
    StoreError,
    StoreVersion,
    copy_database,
    read_events,
)

PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of more than three steps of a copy, which nobody has open."""
    path = tmp_path / "store.db"
    opened = Database(path)
    opened.insert(["a", "b", bytes(PAGE // 8)] * (8 * 3 * PAGES_A_STEP))
    opened.close()
    return path


def test_a_copy_is_of_the_moment_at_which_it_was_begun_and_is_made_step_by_step(
    path: Path, tmp_path: Path
) -> None:
    opened = Database(path)
    before, steps = opened.last_id(), 0

    def between() -> None:
        nonlocal steps
        steps += 1
        opened.insert(["a", "meanwhile", b""])

    copy_database(path, tmp_path / "copy", between)
    opened.close()
    assert steps > 2
    assert len(list(read_events(tmp_path / "copy"))) == before
    assert len(list(read_events(path))) == before + steps


def test_a_copy_is_its_owners_alone_and_one_file(path: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    mask = os.umask(0)
    try:
        copy_database(path, tmp_path / "in" / "copy")
    finally:
        os.umask(mask)
    (copy,) = (tmp_path / "in").iterdir()
    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_copy_replaces_nothing(path: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").write_bytes(b"mine")
    with pytest.raises(StoreError, match="File exists"):
        copy_database(path, tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"mine"


def test_another_programs_database_is_not_copied(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE event(id, topic, kind, body)")
    with pytest.raises(StoreVersion, match="of another program"):
        copy_database(tmp_path / "other.db", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_page_that_the_disk_has_lost_is_found_by_the_copy(path: Path, tmp_path: Path) -> None:
    data = bytearray(path.read_bytes())
    at = len(data) // PAGE // 2 * PAGE
    data[at : at + PAGE] = bytes(PAGE)
    path.write_bytes(data)
    with pytest.raises(StoreError, match=r"store\.db is damaged: "):
        copy_database(path, tmp_path / "copy")
