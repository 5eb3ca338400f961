"""What was kept is on disk when that is said, names of files included; and whose it is."""

import os
from functools import partial
from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.state.journal import JournalError, Place
from aboveboard_client.state.journal_file import FILE_LIMIT, FileJournal
from aboveboard_client.state.locked_folder import locked_folder
from aboveboard_client.state.replacing import replace_file
from aboveboard_client.state.state_folder import FileJournals, state_folder
from tests.fakes.disks import Disk
from tests.fakes.guests import in_line
from tests.fakes.memory import hollow, peak_of

PLACE = Place(bytes(32), "r1-b1", 1)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def test_each_answer_is_on_disk_when_it_is_kept_and_so_is_the_journals_name(
    tmp_path: Path, disk: Disk
) -> None:
    path = tmp_path / "one.journal"

    async def main() -> None:
        journal = FileJournal.read(path, in_line)
        assert disk.has(tmp_path)
        await journal.keep_opening(b"the opening")
        assert disk.has(path)
        disk.forget()
        await journal.keep_answer(3, b"an answer")
        assert disk.has(path)

    trio.run(main)


def test_the_end_of_a_match_is_on_disk_before_its_journal_goes(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "journal").mkdir()
    unlink, seen = Path.unlink, []

    def watched(path: Path, missing_ok: bool = False) -> None:
        seen.append(disk.has(tmp_path / "played"))
        unlink(path, missing_ok)

    async def main() -> None:
        journals = FileJournals(tmp_path, in_line)
        assert disk.has(tmp_path), "the name of the file of those that were played"
        await (await journals.open(PLACE)).keep_opening(b"the opening")
        disk.forget()
        monkeypatch.setattr(Path, "unlink", watched)
        await journals.end(PLACE)

    trio.run(main)
    assert seen == [True]
    assert FileJournals(tmp_path, in_line).over(PLACE)


def test_a_file_that_is_replaced_is_whole_on_disk_before_it_has_its_name(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    replace_file(path, b"old")
    replace, seen = Path.replace, []

    def watched(new: Path, target: Path) -> Path:
        seen.append((disk.has(new), path.read_bytes()))
        return replace(new, target)

    monkeypatch.setattr(Path, "replace", watched)
    disk.forget()
    replace_file(path, b"x" * 100_000)
    assert seen == [(True, b"old")]
    assert disk.order(tmp_path, path) == [path, tmp_path]


def test_a_file_that_cannot_be_replaced_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    replace_file(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_file_of_a_secret_is_made_with_the_mode_that_is_wanted(tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        replace_file(tmp_path / "file", b"secret", 0o600)
    finally:
        os.umask(mask)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600


def test_a_new_state_folder_its_secret_and_its_journals_are_on_disk_and_its_owners_alone(
    tmp_path: Path, disk: Disk
) -> None:
    folder = tmp_path / "state"
    mask = os.umask(0)
    try:
        with state_folder(folder) as (_, journals):
            trio.run(journals.open, PLACE)
    finally:
        os.umask(mask)
    assert all(disk.has(path) for path in (tmp_path, folder, folder / "secret"))
    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}
    assert modes.pop("state") == modes.pop("journal") == 0o700
    assert set(modes.values()) == {0o600}
    assert len(modes) == 4


def test_a_journal_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = hollow(tmp_path / "one.journal", 8 * FILE_LIMIT)
    assert peak_of(partial(FileJournal.read, path, in_line), JournalError) < 3 * FILE_LIMIT
    with pytest.raises(JournalError, match="is damaged"):
        FileJournal.read(path, in_line)


def test_a_journal_grows_to_a_limit_and_what_is_in_it_stays_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aboveboard_client.state.journal_file.FILE_LIMIT", 500)
    path = tmp_path / "one.journal"

    async def main() -> int:
        journal = FileJournal.read(path, in_line)
        await journal.keep_opening(b"the opening")
        for asked in range(100):
            try:
                await journal.keep_answer(asked, b"an answer")
            except JournalError as error:
                assert "has no room" in str(error)  # noqa: PT017  # how many were kept matters
                assert journal.answer(asked) is None
                return asked
        raise AssertionError("there was no limit")

    kept = trio.run(main)
    assert path.stat().st_size <= 500
    again = FileJournal.read(path, in_line)
    assert [again.answer(asked) for asked in range(kept)] == [b"an answer"] * kept


@pytest.mark.parametrize("kept", [b"", b"an answer"], ids=["opening", "answer"])
def test_what_the_disk_refuses_is_not_known_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bytes
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    async def main() -> None:
        journal = FileJournal.read(tmp_path / "one.journal", in_line)
        if kept:
            await journal.keep_opening(b"the opening")
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(JournalError, match="No space left"):
            await (journal.keep_answer(3, kept) if kept else journal.keep_opening(b"the opening"))
        assert journal.answer(3) is None
        assert journal.opening == (b"the opening" if kept else b"")
        monkeypatch.undo()
        await (journal.keep_answer(3, b"x") if kept else journal.keep_opening(b"another"))

    trio.run(main)
    again = FileJournal.read(tmp_path / "one.journal", in_line)
    assert again.opening == (b"the opening" if kept else b"another")
    assert again.answer(3) == (b"x" if kept else None)


def test_answers_that_are_kept_at_once_are_kept_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "one.journal"

    async def main() -> None:
        journal = FileJournal.read(path, trio.to_thread.run_sync)
        await journal.keep_opening(b"the opening")
        async with trio.open_nursery() as nursery:
            for asked in range(20):
                nursery.start_soon(journal.keep_answer, asked, b"%d" % asked)

    trio.run(main)
    again = FileJournal.read(path, in_line)
    assert [again.answer(asked) for asked in range(20)] == [b"%d" % asked for asked in range(20)]


def test_what_the_disk_takes_in_parts_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda file, data, at: write(file, data[:3], at))
    path = tmp_path / "one.journal"
    trio.run(FileJournal.read(path, in_line).keep_opening, b"the opening")
    assert FileJournal.read(path, in_line).opening == b"the opening"


def test_whoever_finds_a_folder_in_use_holds_no_file(tmp_path: Path) -> None:
    with locked_folder(tmp_path / "state", "the folder", "process"):
        held = len(os.listdir("/dev/fd"))
        for _ in range(3):
            with (
                pytest.raises(WrongUse, match="in use"),
                locked_folder(tmp_path / "state", "the folder", "process"),
            ):
                pass
        assert len(os.listdir("/dev/fd")) == held


def test_a_lock_that_cannot_be_opened_is_an_outside_failure(tmp_path: Path) -> None:
    (tmp_path / "state" / "lock").mkdir(parents=True)
    with (
        pytest.raises(OutsideFailure, match=r"state cannot be used: Is a directory"),
        locked_folder(tmp_path / "state", "the folder", "process"),
    ):
        pass
