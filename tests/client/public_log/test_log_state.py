"""What a bot keeps of a log on disk: all of it or what was there before."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.public_log.log_state import FileLogs
from aboveboard_client.state.journal import JournalError
from tests.fakes.keys import secret
from tests.fakes.logs import FakeLog
from tests.fakes.referees import LOG
from tests.fakes.sessions import EVENT, fake_log

TOURNAMENT = EVENT.id


async def in_line(work):
    await trio.lowlevel.checkpoint()
    return work()


@pytest.fixture
def logs(tmp_path: Path) -> FileLogs:
    return FileLogs(tmp_path, in_line)


def keep(logs: FileLogs, log: FakeLog, start: int, size: int) -> None:
    hashes = log.tree.hashes(start, size)
    trio.run(logs.keep, TOURNAMENT, start, hashes, log.note(size))


def test_nothing_is_there_before_anything_was_kept(logs: FileLogs) -> None:
    assert logs.read(TOURNAMENT) == (b"", b"")


def test_hashes_and_the_newest_note_are_read_again(logs: FileLogs, tmp_path: Path) -> None:
    log = fake_log(b"a", b"b")
    keep(logs, log, 0, 2)
    keep(logs, log, 2, 3)
    assert FileLogs(tmp_path, in_line).read(TOURNAMENT) == (log.tree.hashes(0, 3), log.note())


def test_each_tournament_has_its_own(logs: FileLogs) -> None:
    keep(logs, fake_log(), 0, 1)
    assert logs.read(secret("another tournament")) == (b"", b"")


def test_nobody_else_may_read_what_is_kept(logs: FileLogs, tmp_path: Path) -> None:
    keep(logs, fake_log(), 0, 1)
    kept = [tmp_path / "log", *(tmp_path / "log").iterdir()]
    assert [path for path in kept if path.stat().st_mode & 0o077] == []


class PowerCut(Exception):
    """The process ends here."""


def cut_at(patch: pytest.MonkeyPatch, step: int) -> Callable[[], int]:
    """End the process before a step of writing; how many steps came before that."""
    done = 0

    def counted(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            nonlocal done
            if done == step:
                raise PowerCut
            done += 1
            return real(*args, **kwargs)

        return call

    for name in ("ftruncate", "pwrite", "fsync", "replace", "open"):
        patch.setattr(os, name, counted(getattr(os, name)))
    return lambda: done


@pytest.mark.parametrize("step", range(16))
def test_a_process_that_ends_anywhere_leaves_one_state_or_the_other(
    tmp_path: Path, step: int
) -> None:
    log = fake_log(b"a", b"b", b"c")
    logs = FileLogs(tmp_path, in_line)
    keep(logs, log, 0, 2)
    with pytest.MonkeyPatch.context() as patch:
        cut_at(patch, step)
        try:
            keep(logs, log, 2, 4)
            ended = False
        except PowerCut:
            ended = True
    hashes, note = FileLogs(tmp_path, in_line).read(TOURNAMENT)
    assert (hashes, note) in [
        (log.tree.hashes(0, 2), log.note(2)),
        (log.tree.hashes(0, 4), log.note(4)),
    ]
    if not ended:
        assert note == log.note(4)


def test_half_written_hashes_are_written_anew(tmp_path: Path, logs: FileLogs) -> None:
    log = fake_log(b"a", b"b")
    keep(logs, log, 0, 2)
    (leaves,) = (tmp_path / "log").glob("*.leaves")
    with leaves.open("ab") as file:
        file.write(b"half of a hash")
    keep(logs, log, 2, 3)
    assert logs.read(TOURNAMENT) == (log.tree.hashes(0, 3), log.note())


@pytest.mark.parametrize(
    "damage",
    [
        lambda leaves, note: leaves.write_bytes(leaves.read_bytes()[:-1]),
        lambda leaves, note: leaves.unlink(),
        lambda leaves, note: note.write_bytes(b"no note"),
        lambda leaves, note: note.write_bytes(b""),
    ],
)
def test_damage_is_told_and_not_taken_for_a_beginning(
    logs: FileLogs, tmp_path: Path, damage: Callable[[Path, Path], object]
) -> None:
    keep(logs, fake_log(b"a"), 0, 2)
    (leaves,), (note,) = ((tmp_path / "log").glob(f"*.{kind}") for kind in ("leaves", "checkpoint"))
    damage(leaves, note)
    with pytest.raises(WrongUse, match="is damaged"):
        logs.read(TOURNAMENT)


def test_a_folder_that_cannot_be_made_is_an_outside_failure(tmp_path: Path) -> None:
    (tmp_path / "log").write_bytes(b"a file")
    with pytest.raises(OutsideFailure, match="cannot be made"):
        FileLogs(tmp_path, in_line)


@pytest.mark.parametrize("kind", ["leaves", "checkpoint"])
def test_what_cannot_be_read_is_an_outside_failure(
    logs: FileLogs, tmp_path: Path, kind: str
) -> None:
    keep(logs, fake_log(b"a"), 0, 2)
    (path,) = (tmp_path / "log").glob(f"*.{kind}")
    path.unlink()
    path.mkdir()
    with pytest.raises(OutsideFailure) as caught:
        logs.read(TOURNAMENT)
    assert str(caught.value) == f"{path} cannot be read: Is a directory"


def test_a_disk_that_fails_is_told_as_one_line(logs: FileLogs, tmp_path: Path) -> None:
    log = FakeLog(LOG, [EVENT.signed])
    (tmp_path / "log").rmdir()
    with pytest.raises(JournalError, match="cannot be written"):
        keep(logs, log, 0, 1)
