"""A witness's state folder is one process's alone, and damage in it is never taken for nothing."""

import fcntl
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.witness.state import head_file, state_folder
from aboveboard_referee.log.note import COSIGNATURE, NoteKey
from tests.fakes.hosting import run
from tests.fakes.keys import key
from tests.fakes.witnesses import WITNESS_KEY, ForkedLog, Running, World

LOG = ForkedLog()
VKEY = WITNESS_KEY.vkey()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a witness that has co-signed eight leaves and has ended."""
    with Running(tmp_path / "state", LOG) as witness:
        run(lambda: World(LOG).offer(witness.ask, "a", 8))
    return tmp_path / "state"


def head(folder: Path) -> Path:
    [path] = folder.glob("*.head")
    return path


def test_what_was_co_signed_is_there_after_a_restart(folder: Path) -> None:
    with state_folder(folder, VKEY) as (state, new):
        assert state.head(LOG.origin) == LOG.note("a", 8)
        assert not new


def test_a_head_is_the_note_below_its_hash(folder: Path) -> None:
    assert head(folder).read_bytes() == head_file(LOG.note("a", 8))


def test_a_new_folder_is_made_and_said_to_be_new(tmp_path: Path) -> None:
    with state_folder(tmp_path / "state", VKEY) as (state, new):
        assert new
        assert state.head(LOG.origin) is None
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


def test_other_users_cannot_read_or_write_what_is_kept(folder: Path) -> None:
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_origin_becomes_no_path(tmp_path: Path) -> None:
    with state_folder(tmp_path / "state", VKEY) as (state, _):
        for origin in ("../../etc/passwd", "/", ".", "a\x00b", "x" * 5000):
            assert state.path(origin).parent == tmp_path / "state"
            state.keep(origin, b"note of " + origin.encode())
            assert state.head(origin) == b"note of " + origin.encode()


def test_a_second_process_is_refused_and_disturbs_nothing(folder: Path) -> None:
    with (
        state_folder(folder, VKEY) as (state, _),
        pytest.raises(WrongUse, match="is in use by another witness"),
        state_folder(folder, VKEY),
    ):
        pass
    with state_folder(folder, VKEY) as (state, _):
        assert state.head(LOG.origin) == LOG.note("a", 8)


def test_the_lock_goes_with_the_block(folder: Path) -> None:
    with (
        state_folder(folder, VKEY),
        (folder / "lock").open() as file,
        pytest.raises(BlockingIOError),
    ):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with (folder / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.parametrize(
    "other",
    [
        NoteKey("tests.example/other", COSIGNATURE, WITNESS_KEY.key),
        NoteKey(WITNESS_KEY.name, COSIGNATURE, key("other").public),
    ],
    ids=["name", "key"],
)
def test_another_witness_does_not_get_the_folder(folder: Path, other: NoteKey) -> None:
    with (
        pytest.raises(WrongUse, match="is the state of another witness"),
        state_folder(folder, other.vkey()),
    ):
        pass


def flip(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:40],
        lambda data: data + b"\n",
        lambda data: bytes(len(data)),
        lambda data: flip(data, 3),
        lambda data: flip(data, 50),
        lambda data: flip(data, 200),
        lambda data: data + data,
        lambda data: data[data.index(b"\n") + 1 :],
    ],
)
def test_a_damaged_head_is_an_error_and_stays_as_it_is(
    folder: Path, damage: Callable[[bytes], bytes]
) -> None:
    damaged = damage(head(folder).read_bytes())
    head(folder).write_bytes(damaged)
    with pytest.raises(WrongUse, match="is damaged"), Running(folder, LOG):
        pass
    assert head(folder).read_bytes() == damaged


@pytest.mark.parametrize(
    ("note", "why"),
    [
        (ForkedLog("other").note("a", 8), "another log's"),
        (b"no note at all\n", "no empty line"),
        (LOG.note("a", 8).replace(b"\n8\n", b"\n3\n"), "does not verify"),
    ],
)
def test_a_head_that_the_log_never_signed_is_an_error(folder: Path, note: bytes, why: str) -> None:
    head(folder).write_bytes(head_file(note))
    with (
        pytest.raises(WrongUse, match=f"not what this log's key has signed.*{why}"),
        Running(folder, LOG),
    ):
        pass


def test_heads_without_the_name_of_their_witness_are_an_error(folder: Path) -> None:
    (folder / "witness").unlink()
    with pytest.raises(WrongUse, match="witness is missing"), state_folder(folder, VKEY):
        pass


def test_a_folder_that_cannot_be_read_is_an_outside_failure(folder: Path) -> None:
    (folder / "witness").unlink()
    (folder / "witness").mkdir()
    with (
        pytest.raises(OutsideFailure, match=f"{folder} cannot be used: Is a directory"),
        state_folder(folder, VKEY),
    ):
        pass


def test_what_a_killed_process_left_half_written_is_no_head(folder: Path) -> None:
    half = head_file(LOG.note("b", 9))[:100]
    head(folder).with_name(f"{head(folder).name}.new").write_bytes(half)
    with state_folder(folder, VKEY) as (state, _):
        assert state.head(LOG.origin) == LOG.note("a", 8)


@pytest.mark.parametrize("path", ["file", "file/below", "nowhere/below"])
def test_a_folder_that_cannot_be_is_wrong_use(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WrongUse, match="cannot be made one"), state_folder(tmp_path / path, VKEY):
        pass


def test_a_head_that_cannot_be_read_is_an_outside_failure(folder: Path) -> None:
    path = head(folder)
    path.unlink()
    path.mkdir()
    with pytest.raises(OutsideFailure, match="cannot be used"), Running(folder, LOG):
        pass
