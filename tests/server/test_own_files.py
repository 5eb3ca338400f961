"""Files that a server makes: whole or not there, never over another, on disk when that is said."""

import os
from functools import partial
from pathlib import Path

import pytest

from aboveboard_client.errors import OutsideFailure
from aboveboard_server.own_files import make_file, save_new
from tests.fakes.disks import Disk


def test_a_new_file_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"first")
    with pytest.raises(FileExistsError):
        save_new(tmp_path / "key", b"second")
    assert (tmp_path / "key").read_bytes() == b"first"


def test_of_two_that_make_a_file_the_first_ones_stays(tmp_path: Path) -> None:
    for data in (b"first", b"second"):
        make_file(tmp_path / "key", partial(save_new, data=data))
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
    assert (tmp_path / "key").read_bytes() == b"first"


def test_what_a_killed_process_of_the_same_number_left_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / f"key.{os.getpid()}.new").write_bytes(b"half")
    make_file(tmp_path / "key", partial(save_new, data=b"whole"))
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
    assert (tmp_path / "key").read_bytes() == b"whole"


def test_a_file_and_its_name_are_on_disk_when_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    make_file(tmp_path / "key", partial(save_new, data=b"whole"))
    assert disk.order(tmp_path, tmp_path / "key") == [tmp_path / "key", tmp_path]
    assert disk.has(tmp_path / "key")


def test_a_disk_that_fails_is_an_outside_failure_and_leaves_no_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutsideFailure, match=r"key cannot be written: No space left on device"):
        make_file(tmp_path / "key", partial(save_new, data=b"whole"))
    assert not (tmp_path / "key").exists()
