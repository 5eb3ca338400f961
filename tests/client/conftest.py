"""A small archive on disk, a stranger's bots, and a machine of one core."""

from functools import cache
from pathlib import Path

import pytest

from tests.fakes import strange_bots
from tests.fakes.archive import Archive, Organiser


@cache
def small_archive() -> Archive:
    """Three entrants, two rounds: a bye in each, one match of two games."""
    return Organiser("small", entrants=3, rounds=2, games=("cribbage", "nebraska:poker")).play()


@pytest.fixture(scope="session")
def archive() -> Archive:
    return small_archive()


@pytest.fixture
def folder(archive: Archive, tmp_path: Path) -> Path:
    """The small archive as files, for the test alone."""
    for path, data in archive.files.items():
        file = tmp_path / "archive" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return tmp_path / "archive"


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """A file with bots of a stranger's."""
    return strange_bots.write(tmp_path)


@pytest.fixture
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """No result depends on it, and processes take a while to begin."""
    monkeypatch.setattr("os.sched_getaffinity", lambda _process: {0})
