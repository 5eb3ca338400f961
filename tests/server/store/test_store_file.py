"""What a store's file promises: it is whole, one server's, its owner's alone, and never changed."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from aboveboard_server.store import database
from aboveboard_server.store.store import (
    StoreBusy,
    StoreError,
    StoreVersion,
    open_store,
)


def test_a_large_append_is_one_transaction(tmp_path: Path) -> None:
    rows = [("a", "b", b"%d" % number) for number in range(3 * database.ROWS_A_STATEMENT + 1)]

    async def main() -> None:
        async with open_store(tmp_path / "store.db") as store:
            assert await store.append(rows) == len(rows)
            assert [stored[1:] for stored in store.events()] == rows

    trio.run(main)


def test_a_large_append_that_fails_midway_leaves_nothing(tmp_path: Path) -> None:
    bad = [("a", "b", b"")] * database.ROWS_A_STATEMENT + [("a", "b", None)]

    async def main() -> None:
        async with open_store(tmp_path / "store.db") as store:
            await store.append([("a", "b", b"kept")])
            with pytest.raises(StoreError, match="NOT NULL"):
                await store.append(bad)  # type: ignore[arg-type]  # the failure wanted here
            with pytest.raises(StoreError, match="NOT NULL"):
                await store.append([("a", "b", b"refused")])
            assert [stored.body for stored in store.events()] == [b"kept"]
        async with open_store(tmp_path / "store.db") as store:
            assert await store.append([("a", "b", b"again")]) == 2

    trio.run(main)


def test_a_second_server_is_kept_out_until_the_first_has_ended(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_store(tmp_path / "store.db") as store:
            await store.append([("a", "b", b"c")])
            with pytest.raises(StoreBusy, match="in use by another server"):
                await open_store(tmp_path / "." / "store.db").__aenter__()
            await store.append([("a", "b", b"d")])
        async with open_store(tmp_path / "store.db") as store:
            assert store.last_id == 2

    trio.run(main)


def test_events_can_be_neither_changed_nor_deleted(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def main() -> None:
        async with open_store(path) as store:
            await store.append([("a", "b", b"c")])

    trio.run(main)
    with closing(sqlite3.connect(path)) as connection:
        for statement in ("UPDATE event SET kind = 'x'", "DELETE FROM event"):
            with pytest.raises(sqlite3.IntegrityError, match="never"):
                connection.execute(statement)


def test_a_new_store_is_its_owners_alone(tmp_path: Path) -> None:
    opened = database.Database(tmp_path / "store.db")
    opened.insert(["a", "b", b"c"])
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    opened.close()
    files = ("store.db", "store.db-wal", "store.db-shm", "store.db-lock")
    assert modes == dict.fromkeys(files, 0o600)


def test_every_commit_reaches_the_disk(tmp_path: Path) -> None:
    opened = database.Database(tmp_path / "store.db")
    pragmas = [
        opened._connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "fullfsync")
    ]
    opened.close()
    assert pragmas == ["wal", 2, 1]


def test_another_program_that_locks_the_file_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    opened = database.Database(tmp_path / "store.db")
    (milliseconds,) = opened._connection.execute("PRAGMA busy_timeout").fetchone()
    opened.close()
    assert milliseconds == 2_000


def test_what_a_failed_append_began_does_not_take_the_next_one_along(tmp_path: Path) -> None:
    opened = database.Database(tmp_path / "store.db")
    good: list[str | bytes] = ["a", "b", b"good"]
    with pytest.raises(StoreError, match="NOT NULL"):
        opened.insert([*good * database.ROWS_A_STATEMENT, "a", "b", None])  # type: ignore[list-item]  # the failure wanted here
    assert opened.insert(good) == 1
    assert [stored.body for stored in database.read_events(tmp_path / "store.db")] == [b"good"]
    opened.close()


def test_a_server_that_is_kept_out_holds_no_file(tmp_path: Path) -> None:
    opened = database.Database(tmp_path / "store.db")
    held = len(os.listdir("/dev/fd"))
    for _ in range(3):
        with pytest.raises(StoreBusy):
            database.Database(tmp_path / "store.db")
    assert len(os.listdir("/dev/fd")) == held
    opened.close()


def _other_version(path: Path) -> None:
    trio.run(_make, path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


async def _make(path: Path) -> None:
    async with open_store(path):
        pass


def _other_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipe(name TEXT)")


def _no_database(path: Path) -> None:
    path.write_bytes(b"[tournament]\n" * 100)


@pytest.mark.parametrize(
    ("prepare", "error", "line"),
    [
        (_other_version, StoreVersion, "has schema version 99, this release knows 2"),
        (_other_program, StoreVersion, "is a database of another program"),
        (_no_database, StoreError, "file is not a database"),
    ],
)
def test_a_file_that_is_not_ours_is_refused_and_left_alone(
    tmp_path: Path, prepare: Callable[[Path], None], error: type[Exception], line: str
) -> None:
    path = tmp_path / "store.db"
    prepare(path)
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(error, match=line) as caught:
            trio.run(_make, path)
        assert "\n" not in str(caught.value)
        assert str(path) in str(caught.value)
    assert path.read_bytes() == before


def test_a_place_where_no_file_can_be_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "store.db"
    with pytest.raises(StoreError, match=f"^cannot open {missing}: No such file or directory$"):
        trio.run(_make, missing)
    with pytest.raises(StoreError, match="Is a directory"):
        trio.run(_make, tmp_path)


def test_an_error_within_the_block_comes_out_as_itself_and_nothing_is_lost(tmp_path: Path) -> None:
    async def append_and_fail() -> None:
        async with open_store(tmp_path / "store.db") as store:
            await store.append([("a", "b", b"c")])
            raise OSError("its own")

    async def main() -> None:
        with pytest.raises(OSError, match="its own"):
            await append_and_fail()
        async with open_store(tmp_path / "store.db") as store:
            assert store.last_id == 1

    trio.run(main)


def test_a_file_whose_words_are_no_words_any_more_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    database.Database(path).close()
    path.write_bytes(path.read_bytes().replace(b"TRIGGER event_is", b"\xff" * 16))
    with pytest.raises(StoreError, match=r"^cannot open \S+store\.db: it is damaged$"):
        database.Database(path)


def test_a_place_without_a_write_ahead_log_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def without(name: str, **options: Any) -> sqlite3.Connection:
        return connect(f"{name}&vfs=unix-dotfile", **options)

    monkeypatch.setattr(sqlite3, "connect", without)
    with pytest.raises(StoreError, match="lies where SQLite cannot keep a write-ahead log"):
        database.Database(tmp_path / "store.db")


def test_a_server_that_is_cancelled_lets_go_of_its_file(tmp_path: Path) -> None:
    async def main() -> None:
        with trio.CancelScope() as scope:
            async with open_store(tmp_path / "store.db") as store:
                await store.append([("a", "b", b"c")])
                scope.cancel()
                await trio.lowlevel.checkpoint()
        async with open_store(tmp_path / "store.db") as store:
            assert store.last_id == 1

    trio.run(main)
