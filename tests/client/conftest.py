"""A small archive on disk, and the command line as a function."""

from functools import cache
from pathlib import Path

import pytest

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
