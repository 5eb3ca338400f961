"""Backups: whole and of one moment while a server writes, and never believed without hashes."""

import errno
import hashlib
import io
import json
import stat
import tarfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_server.operations import backup
from aboveboard_server.operations.backup import restore_backup, take_backup
from aboveboard_server.operations.backup_file import BackedUp, Manifest, write_backup
from aboveboard_server.operations.restored import restored_from
from aboveboard_server.store import database
from aboveboard_server.store.database import Database, Stored, copy_database, read_events
from aboveboard_server.store.store import open_store
from tests.fakes.entrants import Entrant
from tests.fakes.serving import config, serve
from tests.fakes.snapshots import Snapshots

SECRETS = ("organiser.key", "referee.key", "log.key", "referee.secret", "tls.key")


@cache
def stored() -> Snapshots:
    """A tournament of two rounds."""
    with TemporaryDirectory() as folder:
        bots = [Entrant(number) for number in range(2)]
        served = serve(config(Path(folder), entrants=2, rounds=2), *bots)
        assert served.failure is None
        return served.store


def state_at(folder: Path, events: list[Stored] | None = None) -> Path:
    """A state folder with a store, keys, a certificate, and what no backup needs."""
    state = folder / "evening"
    (state / "house").mkdir(parents=True)
    (state / "archive" / "log").mkdir(parents=True)
    for name in (*SECRETS, "tls.crt", "house/random-1.key"):
        (state / name).write_bytes(f"of {name}".encode())
    for name in ("server.log", "server.log.1", "archive/standings.csv", "half.new"):
        (state / name).write_bytes(b"to be left out")
    events = list(stored().events()) if events is None else events

    async def fill() -> None:
        async with open_store(state / "tournament.db") as store:
            await store.append([event[1:] for event in events])

    trio.run(fill)
    return state


def kept(state: Path) -> dict[str, bytes]:
    """All that must come back, by its path."""
    names = (*SECRETS, "tls.crt", "house/random-1.key")
    return {name: (state / name).read_bytes() for name in names}


def backed_up(folder: Path) -> Path:
    take_backup(state_at(folder), folder / "b.tar", log="server.log")
    return folder / "b.tar"


def test_what_is_restored_is_what_was_backed_up(tmp_path: Path) -> None:
    file, state = backed_up(tmp_path), tmp_path / "evening"
    again = tmp_path / "again"
    manifest = restore_backup(file, again)
    assert list(read_events(again / "tournament.db")) == list(stored().events())
    assert kept(again) == kept(state)
    assert restored_from(again) == manifest.made
    names = {path.name for path in again.rglob("*")}
    assert names == {path.name for path in map(Path, kept(state))} | {
        "tournament.db",
        "restored",
        "house",
    }


def test_a_backup_and_what_comes_of_it_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = backed_up(tmp_path)
    restore_backup(file, tmp_path / "again")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "again").rglob("*.*")}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert modes == {0o600}
    assert stat.S_IMODE((tmp_path / "again").stat().st_mode) == 0o700


def test_a_backup_is_a_plain_tar_in_an_order_that_does_not_change(tmp_path: Path) -> None:
    file = backed_up(tmp_path)
    with tarfile.open(file) as tar:
        names = tar.getnames()
        listing = json.loads(tar.extractfile("manifest.json").read())  # type: ignore[union-attr]
        content = {name: tar.extractfile(name).read() for name in names}  # type: ignore[union-attr]
    listed = ["manifest.json", "tournament.db", *sorted(kept(tmp_path / "evening"))]
    assert names == [*listed, "manifest.sha256"]
    assert [each["path"] for each in listing["files"]] == listed[1:]
    assert all(
        hashlib.sha256(content[each["path"]]).hexdigest() == each["sha256"]
        for each in listing["files"]
    )


def test_it_is_of_one_moment_and_no_writer_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PAGES_A_STEP", 4)
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.0)  # who would have to wait fails at once
    writer = Database(tmp_path / "tournament.db")
    for number in range(50):
        writer.insert(["topic", "kind", bytes([number]) * 4096])
    steps = 0

    def write() -> None:
        nonlocal steps
        steps += 1
        assert steps < 100, "it begins anew whenever something is stored"
        writer.insert(["topic", "kind", b"while it is copied"])

    copy_database(tmp_path / "tournament.db", tmp_path / "copy.db", write)
    writer.close()
    assert steps > 10
    assert [event.id for event in read_events(tmp_path / "copy.db")] == [*range(1, 51)]


def test_a_folder_that_is_there_is_not_restored_to(tmp_path: Path) -> None:
    file = backed_up(tmp_path)
    before = kept(tmp_path / "evening")
    with pytest.raises(WrongUse, match="is there already"):
        restore_backup(file, tmp_path / "evening")
    assert kept(tmp_path / "evening") == before
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(WrongUse, match="is there already"):
        restore_backup(file, tmp_path / "link")


def test_any_byte_that_is_another_is_found_and_nothing_is_restored(tmp_path: Path) -> None:
    file = backed_up(tmp_path)
    data = file.read_bytes()
    places = [*range(0, 4096, 61), *range(4096, len(data), len(data) // 60), len(data) - 1]
    for at in places:
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(VerdictAgainst, match="is no whole backup"):
            restore_backup(file, tmp_path / "again")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "evening"]


def test_a_backup_that_is_cut_short_or_longer_is_not_restored(tmp_path: Path) -> None:
    file = backed_up(tmp_path)
    data = file.read_bytes()
    for changed in (b"", data[:100], data[: len(data) // 2], data[:-1], data[:-2048], data + b"."):
        file.write_bytes(changed)
        with pytest.raises(VerdictAgainst, match="is no whole backup"):
            restore_backup(file, tmp_path / "again")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "evening"]


def made_up(*files: tuple[str, bytes]) -> bytes:
    """A backup with hashes that are right, of whatever files."""
    listings = tuple(
        BackedUp(path, len(data), hashlib.sha256(data).hexdigest()) for path, data in files
    )
    manifest = Manifest("now", "test", 1, (), listings)
    out = io.BytesIO()
    write_backup(out, manifest, [io.BytesIO(data) for _, data in files])
    return out.getvalue()


BAD_PATHS = (
    "../evil",
    "/tmp/evil",
    "house/../../evil",
    "./evil",
    "house//evil",
    "..",
    "a\nb",
    "a" * 101,
    "1/2/3/4/5/6/7",
    "",
)


@pytest.mark.parametrize("path", BAD_PATHS)
def test_no_file_of_a_backup_leads_out_of_its_folder(path: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "b.tar").write_bytes(made_up((path, b"evil")))
    with pytest.raises(VerdictAgainst, match="is no whole backup"):
        restore_backup(tmp_path / "b.tar", tmp_path / "in" / "again")
    assert {path.name for path in tmp_path.rglob("*")} == {"in", "b.tar"}


def test_a_member_that_is_no_plain_file_or_larger_than_listed_is_refused(tmp_path: Path) -> None:
    whole = made_up(("tournament.db", b"x" * 600))
    at = whole.index(b"tournament.db\0")
    for change in (_as_link, _ten_gigabytes):
        info = tarfile.TarInfo.frombuf(whole[at : at + 512], "utf-8", "strict")
        change(info)
        header = info.tobuf(tarfile.GNU_FORMAT)
        (tmp_path / "b.tar").write_bytes(whole[:at] + header + whole[at + 512 :])
        with pytest.raises(VerdictAgainst, match="is no whole backup"):
            restore_backup(tmp_path / "b.tar", tmp_path / "again")
    assert not (tmp_path / "again").exists()


def _as_link(info: tarfile.TarInfo) -> None:
    info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"


def _ten_gigabytes(info: tarfile.TarInfo) -> None:
    info.size = 10 << 30


def test_one_that_fails_to_be_written_leaves_the_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = backed_up(tmp_path)
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backup, "write_backup", full)
    with pytest.raises(OutsideFailure, match="No space left on device"):
        take_backup(tmp_path / "evening", file)
    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "evening"]


def test_one_that_the_disk_did_not_keep_does_not_replace_the_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = backed_up(tmp_path)
    before = file.read_bytes()

    def forgetful(out: IO[bytes], *rest: Any) -> None:
        write_backup(out, *rest)
        out.seek(5000)
        out.write(b"forgotten")

    monkeypatch.setattr(backup, "write_backup", forgetful)
    with pytest.raises(OutsideFailure, match="the disk did not keep"):
        take_backup(tmp_path / "evening", file)
    assert file.read_bytes() == before


def test_no_backup_is_written_into_the_folder_that_it_is_of(tmp_path: Path) -> None:
    state = state_at(tmp_path)
    with pytest.raises(WrongUse, match="inside of"):
        take_backup(state, state / "house" / "b.tar")
    with pytest.raises(WrongUse, match="no tournament's state folder"):
        take_backup(tmp_path, tmp_path / "b.tar")


def test_a_damaged_store_makes_no_backup(tmp_path: Path) -> None:
    events = list(stored().events())
    broken = [*events[:3], events[3]._replace(body=events[3].body[:-1] + b"x"), *events[4:]]
    state = state_at(tmp_path, broken)
    with pytest.raises(OutsideFailure, match=r"tournament\.db is damaged"):
        take_backup(state, tmp_path / "b.tar")
    assert not (tmp_path / "b.tar").exists()
