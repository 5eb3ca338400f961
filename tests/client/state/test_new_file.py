"""A file that a person asked for by name: whole, or not there, and nobody else's."""

import os
from pathlib import Path

import pytest

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.new_file import save_new
from tests.fakes.disks import Disk


def test_it_is_on_disk_with_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(monkeypatch)
    save_new(tmp_path / "new", b"data", "key")
    assert (tmp_path / "new").read_bytes() == b"data"
    assert disk.has(tmp_path / "new")
    assert disk.has(tmp_path)


@pytest.mark.parametrize(
    ("path", "kind", "why"),
    [
        ("there", WrongUse, "{path} is there already and is not overwritten"),
        ("link", WrongUse, "{path} is there already and is not overwritten"),
        ("none/new", WrongUse, "there is no folder {folder} to put the key in"),
        ("there/new", WrongUse, "there is no folder {folder} to put the key in"),
        ("x" * 300, OutsideFailure, "{path} cannot be written: File name too long"),
    ],
)
def test_where_it_cannot_be_nothing_is_changed(
    tmp_path: Path, path: str, kind: type[Exception], why: str
) -> None:
    (tmp_path / "there").write_bytes(b"precious")
    (tmp_path / "link").symlink_to("elsewhere")
    with pytest.raises(kind) as caught:
        save_new(tmp_path / path, b"data", "key")
    whole = tmp_path / path
    assert str(caught.value) == why.format(path=whole, folder=whole.parent)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "there"]
    assert (tmp_path / "there").read_bytes() == b"precious"


@pytest.mark.parametrize("syncs", [0, 1])
def test_of_a_disk_that_fails_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, syncs: int
) -> None:
    left = [None] * syncs

    def fails(_: int) -> None:
        if not left:
            raise OSError(28, "No space left on device")
        left.pop()

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OutsideFailure, match="new cannot be written: No space left on device"):
        save_new(tmp_path / "new", b"data", "key")
    assert list(tmp_path.iterdir()) == []
