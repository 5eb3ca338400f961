"""The archive: the same bytes at each writing, whole or not there at all."""

import os
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.log.checkpoint import log_origin, open_checkpoint, parse_checkpoint
from aboveboard_referee.log.note import parse_note
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.match.transcript import split
from aboveboard_referee.verify.archive import (
    CHECKPOINT,
    CHECKPOINTS,
    LEAVES,
    STANDINGS,
    standings_csv,
)
from aboveboard_referee.verify.tournament import verify_archive
from aboveboard_referee.verify.trust import Trust
from aboveboard_server.store.archive import check_clear, finish, write_files
from aboveboard_server.store.book import Book
from tests.fakes.disks import Disk
from tests.fakes.entrants import LOG, ORGANISER, Entrant
from tests.fakes.hosting import STORED
from tests.fakes.robots import REFEREE
from tests.fakes.serving import config, read_archive, serve
from tests.fakes.snapshots import Snapshots


@cache
def played() -> tuple[Snapshots, dict[str, bytes]]:
    """A finished tournament: its store, and the archive that its server wrote."""
    with TemporaryDirectory() as folder:
        event = config(Path(folder), entrants=3, rounds=3)
        served = serve(event, *[Entrant(number) for number in range(3)])
        return served.store, read_archive(served.archive)


def write(folder: Path) -> list[pb.ArchiveFile]:
    store, _ = played()
    ledger = Book().apply_all(store.events()).ledger
    table = standings_csv(ledger.manifest, ledger.field.names, ledger.rows())
    return write_files(store, table, folder)


def leaves() -> tuple[bytes, ...]:
    return split(played()[1][LEAVES])


def test_an_archive_verifies_under_the_organisers_key() -> None:
    report = verify_archive(played()[1], Trust(organiser=ORGANISER.public))
    assert report.findings == []
    assert (report.counts.rounds, report.counts.matches) == (3, 3)


def test_it_holds_plain_files_and_nothing_else() -> None:
    assert sorted(played()[1]) == [
        "log/checkpoint",
        "log/checkpoints.records",
        "log/leaves.records",
        "matches/r1-b1.1.records",
        "matches/r2-b1.1.records",
        "matches/r3-b1.1.records",
        "standings.csv",
    ]


def test_no_secret_of_the_server_is_in_it() -> None:
    data = b"".join(played()[1].values())
    for private in (ORGANISER.seed, REFEREE.seed, LOG.seed, STORED):
        assert private not in data


def test_written_twice_it_has_the_same_bytes(tmp_path: Path) -> None:
    listed = [write(tmp_path / name) for name in ("one", "two")]
    assert listed[0] == listed[1]
    for name in ("one", "two"):
        files = {path: data for path, data in played()[1].items() if not path.startswith("log/")}
        assert read_archive(tmp_path / name) == files


def test_a_server_that_is_started_again_writes_the_same_archive(tmp_path: Path) -> None:
    store, archive = played()
    event = config(tmp_path, entrants=3, rounds=3)
    first = serve(event, store=store.until(store.last_id))
    assert first.failure is None
    second = serve(event, store=store.until(store.last_id))
    assert second.failure is None
    assert read_archive(second.archive) == archive
    kept = ["archive", "referee.secret", "server.log"]
    assert sorted(file.name for file in event.state.iterdir()) == kept


def test_what_is_left_of_an_earlier_writing_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "archive.partial"
    (folder / "matches").mkdir(parents=True)
    (folder / "matches" / "r1-b1.1.records").write_bytes(b"half a transcript")
    (folder / "matches" / "r99-b1.1.records").write_bytes(b"?")
    write(folder)
    assert "matches/r99-b1.1.records" not in read_archive(folder)
    assert len(read_archive(folder)) == 4


def test_an_archive_of_an_earlier_run_is_replaced_whole(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()
    (archive / STANDINGS).write_bytes(b"?")
    write(tmp_path / "partial")
    finish(played()[0], tmp_path / "partial", archive)
    assert read_archive(archive) == played()[1]
    assert not (tmp_path / "partial").exists()


def put(files: dict[str, bytes], folder: Path) -> None:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


@pytest.mark.parametrize("key_is_missing", [False, True])
def test_an_archive_whose_store_is_gone_is_not_replaced_by_a_new_tournament(
    tmp_path: Path, key_is_missing: bool
) -> None:
    event = config(tmp_path, entrants=3, rounds=3)
    put(played()[1], event.state / "archive")
    if key_is_missing:
        (event.state / "referee.secret").unlink()
    served = serve(event, Entrant(0), Entrant(1), Entrant(2))
    assert isinstance(served.failure, WrongUse)
    assert str(served.failure) == (
        f"{event.state} holds the archive of an earlier tournament but not its tournament.db;"
        " restore it, or choose another state folder"
    )
    assert not list(served.store.events())
    assert read_archive(event.state) == {
        **{f"archive/{path}": data for path, data in played()[1].items()},
        **({} if key_is_missing else {"referee.secret": STORED, "server.log": b""}),
    }


@pytest.mark.parametrize("ended", [False, True])
def test_another_tournaments_archive_is_not_replaced(tmp_path: Path, ended: bool) -> None:
    event = config(tmp_path, entrants=3, rounds=3)
    other = bytearray(played()[1][LEAVES])
    other[100] ^= 1
    put({LEAVES: bytes(other)}, event.state / "archive")
    store, _ = played()
    served = serve(event, store=store.until(store.last_id if ended else 1))
    assert isinstance(served.failure, WrongUse)
    assert "is the archive of another tournament and would be lost" in str(served.failure)
    assert read_archive(event.state / "archive") == {LEAVES: bytes(other)}
    write(tmp_path / "partial")
    with pytest.raises(WrongUse, match="another tournament"):
        finish(store, tmp_path / "partial", event.state / "archive")
    assert read_archive(event.state / "archive") == {LEAVES: bytes(other)}


def test_an_archive_is_no_state_folder(tmp_path: Path) -> None:
    event = config(tmp_path, entrants=3, rounds=3)
    put(played()[1], event.state)
    before = read_archive(event.state)
    served = serve(event)
    assert isinstance(served.failure, WrongUse)
    assert "is an archive itself" in str(served.failure)
    assert read_archive(event.state) == before


@pytest.mark.parametrize("folder", ["archive", "archive.partial"])
@pytest.mark.parametrize("path", ["notes.txt", "matches/notes.txt", "photos/one.jpg"])
def test_what_is_no_part_of_an_archive_is_never_deleted(
    tmp_path: Path, folder: str, path: str
) -> None:
    event = config(tmp_path, entrants=2, rounds=1)
    foreign = event.state / folder / path
    foreign.parent.mkdir(parents=True)
    foreign.write_bytes(b"precious")
    served = serve(event, Entrant(0), Entrant(1))
    assert isinstance(served.failure, WrongUse)
    assert "would be lost" in str(served.failure)
    assert foreign.read_bytes() == b"precious"
    assert not list(served.store.events())


def test_every_file_is_listed_once_with_its_size_and_hash(tmp_path: Path) -> None:
    listed = write(tmp_path / "archive")
    assert [file.path for file in listed] == sorted(read_archive(tmp_path / "archive"))
    for file in listed:
        assert file.size == len(played()[1][file.path])
    close = pb.TournamentClose.FromString(parse_signed(leaves()[-1]).body)
    assert list(close.files) == listed


def test_the_leaves_are_all_that_were_logged_and_the_last_checkpoint_is_of_them_all() -> None:
    store, archive = played()
    assert list(leaves()) == [event.body for event in store.events("log")]
    ledger = Book().apply_all(store.events()).ledger
    shown = open_checkpoint(archive[CHECKPOINT], log_origin(ledger.tournament), LOG.public)
    assert (shown.size, shown.root) == (len(leaves()), Tree(map(leaf_hash, leaves())).root())


def test_every_checkpoint_that_was_shown_is_kept_and_each_covers_more() -> None:
    _, archive = played()
    notes = split(archive[CHECKPOINTS])
    sizes = [parse_checkpoint(parse_note(note).text).size for note in notes]
    assert sizes == sorted(set(sizes))
    assert notes[-1] == archive[CHECKPOINT]


# --- A disk that fails -------------------------------------------------------------------------


def test_a_folder_that_cannot_be_made_is_a_failure_from_outside(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutsideFailure, match="Not a directory"):
        write(tmp_path / "file" / "archive.partial")


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_an_archive_that_cannot_be_finished_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    write(tmp_path / "partial")

    def fails(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, call, fails)
    with pytest.raises(OutsideFailure, match="No space left on device"):
        finish(played()[0], tmp_path / "partial", tmp_path / "archive")
    assert not (tmp_path / "archive").exists()


def test_a_full_disk_while_files_are_written_is_a_failure_from_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> int:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "write_bytes", fails)
    with pytest.raises(OutsideFailure, match="No space left on device"):
        write(tmp_path / "archive.partial")


def test_after_a_failure_the_next_start_writes_the_archive(tmp_path: Path) -> None:
    store, archive = played()
    event = config(tmp_path, entrants=3, rounds=3)
    in_the_way = event.state / "archive.partial"
    in_the_way.write_bytes(b"a file where the folder should be")
    failed = serve(event, store=store.until(store.last_id))
    assert isinstance(failed.failure, WrongUse)
    in_the_way.unlink()
    served = serve(event, store=store.until(store.last_id))
    assert served.failure is None
    assert read_archive(served.archive) == archive
    shutil.rmtree(served.archive)


def test_an_archive_is_on_disk_before_its_folder_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)
    served = serve(config(tmp_path, entrants=2, rounds=1), Entrant(0), Entrant(1))
    files = [path for path in served.archive.rglob("*") if path.is_file()]
    assert len(files) == 5
    assert all(disk.has(file) for file in files)
    assert disk.order(served.archive.parent, *files)[-1] == served.archive.parent


@pytest.mark.parametrize("name", ["standings.csv", "log"])
def test_a_link_in_an_archives_place_is_somebodys_and_is_not_deleted(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(WrongUse, match="is no part of an archive and would be lost"):
        check_clear(tmp_path / "archive")
