"""A journal on disk: kept before it is sent, whatever the process or the disk does then."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_client.state.journal import JournalError
from aboveboard_client.state.journal_file import RECORD_LIMIT, FileJournal, framed

ANSWERS = {3: b"an answer", 8: b"another one", 9: b"\0" * 40}


async def in_line(write: Callable[[], Any]) -> Any:
    """Without a thread."""
    await trio.lowlevel.checkpoint()
    return write()


def read(path: Path) -> FileJournal:
    return FileJournal.read(path, in_line)


def kept(path: Path, answers: dict[int, bytes]) -> FileJournal:
    """A journal with an opening and these answers, as the process that made it has it."""
    journal = read(path)

    async def keep() -> None:
        await journal.keep_opening(b"the opening")
        for asked, answer in answers.items():
            await journal.keep_answer(asked, answer)

    trio.run(keep)
    return journal


def held(journal: FileJournal) -> dict[int, bytes]:
    found = {asked: journal.answer(asked) for asked in range(20)}
    return {asked: answer for asked, answer in found.items() if answer is not None}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "one.journal"


def test_what_was_kept_is_there_for_the_next_process(path: Path) -> None:
    kept(path, ANSWERS)
    again = read(path)
    assert again.opening == b"the opening"
    assert held(again) == ANSWERS


def test_a_new_journal_is_empty_and_its_owners_alone(path: Path) -> None:
    journal = read(path)
    assert journal.opening == b""
    assert held(journal) == {}
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_torn_last_record_was_never_sent_and_is_forgotten(path: Path) -> None:
    kept(path, ANSWERS)
    whole = path.read_bytes()
    last = framed(b"\0\0\0\x09" + ANSWERS[9])
    for torn in range(len(whole) - len(last), len(whole)):
        path.write_bytes(whole[:torn])
        journal = read(path)
        assert held(journal) == {3: ANSWERS[3], 8: ANSWERS[8]}


@pytest.mark.parametrize("zeros", [1, 8, 12, 100, 4096])
def test_a_file_that_has_grown_and_was_not_filled_is_read_up_to_there(
    path: Path, zeros: int
) -> None:
    kept(path, ANSWERS)
    path.write_bytes(path.read_bytes() + bytes(zeros))
    assert held(read(path)) == ANSWERS


def test_after_a_torn_record_the_journal_goes_on(path: Path) -> None:
    kept(path, ANSWERS)
    path.write_bytes(path.read_bytes()[:-5])
    journal = read(path)
    trio.run(journal.keep_answer, 12, b"x")
    assert held(read(path)) == {3: ANSWERS[3], 8: ANSWERS[8], 12: b"x"}


def test_any_changed_byte_before_the_last_record_is_damage(path: Path) -> None:
    kept(path, ANSWERS)
    whole = path.read_bytes()
    last = len(framed(b"\0\0\0\x09" + ANSWERS[9]))
    for at in range(len(whole) - last):
        data = bytearray(whole)
        data[at] ^= 0x41
        path.write_bytes(bytes(data))
        with pytest.raises(JournalError, match="is damaged"):
            read(path)


def test_a_record_taken_out_of_the_front_is_damage(path: Path) -> None:
    kept(path, {3: b"x"})
    path.write_bytes(framed(b"the opening") + framed(b"\0\0\0\x03") + framed(b"\0\0\0\x04x"))
    with pytest.raises(JournalError, match="is damaged"):
        read(path)


def test_sizes_are_bounded(path: Path) -> None:
    journal = kept(path, {})
    with pytest.raises(JournalError, match="no room"):
        trio.run(journal.keep_answer, 1, bytes(RECORD_LIMIT))
    assert held(read(path)) == {}
    with path.open("r+b") as file:
        file.truncate(17 << 20)
    with pytest.raises(JournalError, match="is damaged"):
        read(path)


def test_a_journal_that_cannot_be_written_says_so_and_keeps_nothing(path: Path) -> None:
    journal = kept(path, {})
    path.unlink()
    with pytest.raises(JournalError, match="cannot be written: No such file"):
        trio.run(journal.keep_answer, 1, b"x")
    assert held(journal) == {}


def test_a_folder_in_a_journals_place_is_one_line(path: Path) -> None:
    path.mkdir()
    with pytest.raises(JournalError, match="cannot be read: Is a directory"):
        read(path)
