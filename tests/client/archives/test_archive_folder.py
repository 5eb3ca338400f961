"""Reading an archive that may come from anybody."""

import os
from pathlib import Path

import pytest

from aboveboard_client.archives.archive_folder import ArchiveFolder, read_plain
from aboveboard_client.errors import OutsideFailure, WrongUse


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "archive" / "matches").mkdir(parents=True)
    (tmp_path / "archive" / "close.signed").write_bytes(b"close")
    (tmp_path / "archive" / "matches" / "r1-b1.1.records").write_bytes(b"match")
    (tmp_path / "outside").write_bytes(b"secret")
    return tmp_path / "archive"


def test_files_go_by_their_path_with_slashes(root: Path) -> None:
    files = ArchiveFolder(root)
    assert dict(files) == {"close.signed": b"close", "matches/r1-b1.1.records": b"match"}
    assert len(files) == 2
    assert files.strange == {}
    assert files.size("close.signed") == 5


def test_nothing_is_read_before_it_is_asked_for(root: Path) -> None:
    files = ArchiveFolder(root)
    (root / "close.signed").unlink()
    assert "close.signed" in files
    with pytest.raises(OutsideFailure, match=r"close\.signed cannot be read"):
        files["close.signed"]


@pytest.mark.parametrize("path", ["../outside", "matches", "/etc/passwd", ""])
def test_only_what_was_listed_can_be_read(root: Path, path: str) -> None:
    files = ArchiveFolder(root)
    assert path not in files
    with pytest.raises(KeyError):
        files[path]


def test_links_are_not_followed_wherever_they_lead(root: Path, tmp_path: Path) -> None:
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "in").symlink_to(root / "close.signed")
    (root / "folder").symlink_to(tmp_path)
    files = ArchiveFolder(root)
    assert set(files) == {"close.signed", "matches/r1-b1.1.records"}
    assert files.strange == dict.fromkeys(["folder", "in", "out"], "a symbolic link")


def test_a_file_swapped_for_a_link_after_the_listing_is_not_followed(
    root: Path, tmp_path: Path
) -> None:
    files = ArchiveFolder(root)
    (root / "close.signed").unlink()
    (root / "close.signed").symlink_to(tmp_path / "outside")
    with pytest.raises(OutsideFailure, match=r"^close\.signed cannot be read: Too many levels of"):
        files["close.signed"]


def test_a_link_that_a_person_names_is_followed_to_a_file(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root / "close.signed")
    assert read_plain(tmp_path / "link") == b"close"
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with pytest.raises(OutsideFailure, match="round cannot be read: Too many levels of symbolic"):
        read_plain(tmp_path / "round")


@pytest.mark.parametrize("path", ["nowhere", "outside/file", "broken"])
def test_a_file_that_is_not_there_is_wrong_use(root: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    with pytest.raises(WrongUse) as caught:
        read_plain(tmp_path / path)
    assert str(caught.value) == f"there is no file {tmp_path / path}"


def test_a_pipe_is_no_file_and_is_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert ArchiveFolder(root).strange == {"pipe": "no plain file"}
    with pytest.raises(WrongUse, match="no plain file"):
        read_plain(root / "pipe")


def test_a_file_above_the_limit_is_strange(root: Path) -> None:
    files = ArchiveFolder(root, limit=4)
    assert files.strange == {
        "close.signed": "one of 5 bytes",
        "matches/r1-b1.1.records": "one of 5 bytes",
    }
    with pytest.raises(WrongUse, match="more than 4 bytes"):
        read_plain(root / "close.signed", limit=4)


def test_a_file_that_changes_between_two_looks_is_noticed(root: Path) -> None:
    files = ArchiveFolder(root)
    assert files["close.signed"] == b"close"
    (root / "close.signed").write_bytes(b"clone")
    with pytest.raises(OutsideFailure, match="changed while it was being read"):
        files["close.signed"]


def test_a_folder_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="there is no folder"):
        ArchiveFolder(tmp_path / "nowhere")


def test_a_folder_that_the_disk_does_not_give_is_an_outside_failure(tmp_path: Path) -> None:
    (tmp_path / "archive").symlink_to(tmp_path / "archive")
    with pytest.raises(OutsideFailure, match="archive cannot be read: Too many levels of symbolic"):
        ArchiveFolder(tmp_path / "archive")


def test_a_folder_is_no_file_and_is_not_left_open(root: Path) -> None:
    before = os.listdir("/proc/self/fd")
    with pytest.raises(WrongUse, match="archive is a folder, not a file"):
        read_plain(root)
    assert os.listdir("/proc/self/fd") == before
