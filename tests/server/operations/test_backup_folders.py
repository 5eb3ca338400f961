"""Which files a backup takes, what it leaves behind it, and what a restore finds in its way."""

import os
from pathlib import Path
from typing import IO, Any

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_server.operations import backup
from aboveboard_server.operations.backup import SMALL, Taken, restore_backup, take_backup
from aboveboard_server.operations.backup_file import BadBackup, write_backup
from aboveboard_server.operations.restored import MARK
from aboveboard_server.store.store import open_store
from tests.fakes.command_line import Run
from tests.fakes.disks import Disk
from tests.fakes.leaves import Leaves
from tests.fakes.memory import hollow, peak_of


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder with a short log and little else."""
    state = tmp_path / "evening"
    (state / "house").mkdir(parents=True)
    (state / "organiser.key").write_bytes(b"key")

    async def fill() -> None:
        async with open_store(state / "tournament.db") as store:
            leaves = Leaves(2, 1, "backed up").all
            await store.append([("log", "leaf", leaf) for leaf in leaves])

    trio.run(fill)
    return state


def taken(state: Path, *beside: Path, log: str = "") -> Taken:
    return take_backup(state, state.parent / "b.tar", beside, log)


def paths(found: Taken) -> list[str]:
    return [each.path for each in found.manifest.files]


PLAIN = ["tournament.db", "organiser.key"]


# --- Taking one ----------------------------------------------------------------------------------


def test_what_another_one_left_when_it_was_killed_is_in_nobodys_way(state: Path) -> None:
    for name in ("b.tar.new", "b.tar.db.new"):
        (state.parent / name).write_bytes(b"half")
    taken(state)
    assert sorted(path.name for path in state.parent.iterdir()) == ["b.tar", "evening"]


def test_what_is_made_again_or_in_the_making_is_left_out(state: Path) -> None:
    (state / "archive.partial" / "matches").mkdir(parents=True)
    names = (
        "archive.partial/standings.csv",
        "lock",
        "house/lock",
        "house/random.log",
        "house/random.log.1",
        "x.new",
        MARK,
    )
    for name in (*names, "logs.txt", "logs.txt.1", "house/random.key"):
        (state / name).write_bytes(b"x")
    found = taken(state, log="logs.txt")
    assert paths(found) == ["tournament.db", "house/random.key", "organiser.key"]
    assert found.left_out == ()


def test_what_no_backup_can_hold_is_named_and_all_else_is_in_it(state: Path) -> None:
    (state / "with a space").write_bytes(b"x")
    hollow(state / "large", SMALL + 1)
    hollow(state / "not-too-large", SMALL // 8)
    found: list[Taken] = []
    assert peak_of(lambda: found.append(taken(state))) < SMALL // 2
    assert paths(found[0]) == ["tournament.db", "not-too-large", "organiser.key"]
    assert found[0].left_out == ("large", "with a space")


def test_a_link_is_not_followed(state: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(b"somebody's")
    (state / "house" / "link").symlink_to(tmp_path / "elsewhere")
    assert paths(taken(state)) == PLAIN


def test_files_of_one_name_from_elsewhere_are_both_in_it(state: Path, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "my.key").write_bytes(folder.encode())
    taken(state, tmp_path / "a" / "my.key", tmp_path / "b" / "my.key")
    restore_backup(tmp_path / "b.tar", tmp_path / "again")
    found = sorted(path.read_bytes() for path in (tmp_path / "again" / "beside").iterdir())
    assert found == [b"a", b"b"]


def test_whoever_restores_is_told_what_is_still_to_be_put_back(
    run: Run, state: Path, tmp_path: Path
) -> None:
    (tmp_path / "my.key").write_bytes(b"key")
    for number, beside in enumerate([[tmp_path / "my.key"], []]):
        taken(state, *beside)
        ran = run("restore", tmp_path / "b.tar", tmp_path / f"again-{number}")
        assert ran.code == 0
        told = ran.out.splitlines()[1:]
        if not beside:
            assert told == ["go on with: aboveboard serve FILE.toml"]
            continue
        assert told == [
            f"lay outside of the state folder, and are in {tmp_path}/again-0/beside now:",
            "  my.key",
            "they are not yet back in their places: copy each to where it was",
            "go on with: aboveboard serve FILE.toml",
        ]


def test_what_is_no_database_makes_no_backup(state: Path) -> None:
    (state / "tournament.db").write_bytes(b"x" * 5_000)
    with pytest.raises(OutsideFailure, match=r"tournament\.db: file is not a database"):
        taken(state)
    assert [path.name for path in state.parent.iterdir()] == ["evening"]


def test_a_copy_that_is_not_what_was_listed_makes_no_backup(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed(*_: object) -> None:
        raise BadBackup("tournament.db has changed while it was copied")

    monkeypatch.setattr(backup, "write_backup", changed)
    with pytest.raises(OutsideFailure, match=r"b\.tar: tournament\.db has changed"):
        taken(state)
    assert [path.name for path in state.parent.iterdir()] == ["evening"]


def test_an_end_that_the_disk_did_not_keep_is_found(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(out: IO[bytes], *rest: Any) -> None:
        write_backup(out, *rest)
        out.truncate(out.tell() - 512)

    monkeypatch.setattr(backup, "write_backup", forgetful)
    with pytest.raises(OutsideFailure, match="the disk did not keep"):
        taken(state)
    assert [path.name for path in state.parent.iterdir()] == ["evening"]


def test_a_place_that_there_is_not_is_told_in_a_line(state: Path, tmp_path: Path) -> None:
    with pytest.raises(OutsideFailure, match=r"nowhere/\S+: No such file or directory"):
        take_backup(state, tmp_path / "nowhere" / "b.tar")
    with pytest.raises(WrongUse, match=r"b\.tar cannot be read: No such file"):
        restore_backup(tmp_path / "b.tar", tmp_path / "again")


def test_it_is_on_disk_before_it_takes_the_place_of_an_older_one(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, file, seen = Disk(monkeypatch), state.parent / "b.tar", []
    replace = Path.replace

    def watched(new: Path, target: Path) -> Path:
        seen.append((target, disk.has(new)))
        return replace(new, target)

    monkeypatch.setattr(Path, "replace", watched)
    taken(state)
    assert seen == [(file, True)]
    assert disk.order(state.parent, file) == [file, state.parent]


# --- Restoring -----------------------------------------------------------------------------------


def test_what_is_restored_is_on_disk_before_the_folder_has_its_name(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "house" / "random.key").write_bytes(b"key")
    taken(state)
    disk, seen, rename = Disk(monkeypatch), [], Path.rename

    def watched(new: Path, target: Path) -> Path:
        seen.append({path.name: disk.has(path) for path in (new, *new.rglob("*"))})
        return rename(new, target)

    monkeypatch.setattr(Path, "rename", watched)
    again = tmp_path / "to" / "again"
    restore_backup(tmp_path / "b.tar", again)
    (before,) = seen
    assert len(before) == 6
    assert all(before.values()), before
    assert disk.has(again.parent)


def test_a_restored_folder_is_its_owners_alone_whatever_the_mask(
    state: Path, tmp_path: Path
) -> None:
    (state / "house" / "random.key").write_bytes(b"key")
    taken(state)
    mask = os.umask(0)
    try:
        restore_backup(tmp_path / "b.tar", tmp_path / "again")
    finally:
        os.umask(mask)
    again = tmp_path / "again"
    modes = {path.name: path.stat().st_mode & 0o777 for path in (again, *again.rglob("*"))}
    assert modes.pop("again") == modes.pop("house") == 0o700
    assert set(modes.values()) == {0o600}


def test_a_name_that_is_a_link_to_nothing_is_taken(state: Path, tmp_path: Path) -> None:
    taken(state)
    (tmp_path / "again").symlink_to(tmp_path / "nothing")
    with pytest.raises(WrongUse, match="is there already"):
        restore_backup(tmp_path / "b.tar", tmp_path / "again")
    assert not (tmp_path / "nothing").exists()


def test_what_is_left_of_a_restore_that_was_broken_off_is_the_organisers_to_remove(
    state: Path, tmp_path: Path
) -> None:
    taken(state)
    (tmp_path / "again.restoring").mkdir()
    (tmp_path / "again.restoring" / "mine").write_bytes(b"x")
    with pytest.raises(WrongUse, match="left of a restore that was broken off"):
        restore_backup(tmp_path / "b.tar", tmp_path / "again")
    assert (tmp_path / "again.restoring" / "mine").exists()


def test_a_folder_that_comes_meanwhile_is_not_replaced(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken(state)
    mark = backup.mark_restored

    def meanwhile(new: Path, made: str) -> None:
        mark(new, made)
        (tmp_path / "again").mkdir()

    monkeypatch.setattr(backup, "mark_restored", meanwhile)
    with pytest.raises(WrongUse, match="has come meanwhile"):
        restore_backup(tmp_path / "b.tar", tmp_path / "again")
    assert list((tmp_path / "again").iterdir()) == []
    assert not (tmp_path / "again.restoring").exists()


@pytest.mark.parametrize("damage", ["cut", "another"])
def test_of_what_is_no_backup_nothing_is_left(state: Path, tmp_path: Path, damage: str) -> None:
    taken(state)
    data = (tmp_path / "b.tar").read_bytes()
    (tmp_path / "b.tar").write_bytes(data[:-512] if damage == "cut" else b"x" * len(data))
    with pytest.raises(VerdictAgainst, match="nothing is restored"):
        restore_backup(tmp_path / "b.tar", tmp_path / "again")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "evening"]


def test_a_full_disk_leaves_nothing_of_a_restore(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken(state)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutsideFailure, match="No space left on device"):
        restore_backup(tmp_path / "b.tar", tmp_path / "again")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "evening"]
