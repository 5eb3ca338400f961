"""A store that is locked or full says so in one line, with what can be done, and loses nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import trio
import trio.testing

from aboveboard_server.store import database
from aboveboard_server.store.store import (
    EventStore,
    StoreError,
    open_store,
)
from tests.fakes.store import stored_in


def test_a_database_locked_by_another_program_fails_the_append_with_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    path = tmp_path / "store.db"

    async def refused(store: EventStore, told: list[str]) -> None:
        with pytest.raises(StoreError) as caught:
            await store.append([("a", "b", b"c")])
        told.append(str(caught.value))

    async def main() -> None:
        told: list[str] = []
        async with open_store(path) as store:
            with closing(sqlite3.connect(path)) as other:
                other.execute("BEGIN IMMEDIATE")
                async with trio.open_nursery() as nursery:
                    for _ in range(5):
                        nursery.start_soon(refused, store, told)
            await refused(store, told)
            line = (
                f"cannot write {path}: database is locked; end the program that holds it, and"
                " serve again: all that was taken is stored"
            )
            assert told == [line] * 6
            assert list(store.events()) == []

    trio.run(main)


def test_a_database_locked_when_it_is_opened_fails_with_one_line_and_opens_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    path = tmp_path / "store.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(
            StoreError, match=r"^cannot open \S+: database is locked; end the program"
        ):
            database.Database(path)
    database.Database(path).close()


def test_a_full_database_fails_the_append_with_one_line_and_takes_it_once_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.db"
    connect = database._connect

    def small(path: Path, mode: str) -> sqlite3.Connection:
        connection = connect(path, mode)
        connection.execute("PRAGMA max_page_count = 20")
        return connection

    async def fill_up(store: EventStore) -> None:
        for _ in range(100):
            await store.append([("a", "first", bytes(3000)), ("a", "second", bytes(3000))])

    async def fill() -> int:
        async with open_store(path) as store:
            with pytest.raises(StoreError, match="database or disk is full; make room"):
                await fill_up(store)
            with pytest.raises(StoreError, match="database or disk is full"):
                await store.append([("a", "third", b"")])
            return store.last_id

    with monkeypatch.context() as patch:
        patch.setattr(database, "_connect", small)
        last = trio.run(fill)
    stored = stored_in(path)
    assert len(stored) == last > 0
    assert [event.kind for event in stored] == ["first", "second"] * (last // 2)

    async def go_on() -> int:
        async with open_store(path) as store:
            return await store.append([("a", "third", b"")])

    assert trio.run(go_on) == last + 1


@pytest.mark.parametrize(
    ("code", "what"),
    [
        (
            sqlite3.SQLITE_READONLY_DIRECTORY,
            "; let this user write to the file and its folder",
        ),
        (sqlite3.SQLITE_CANTOPEN_ISDIR, "; let this user write to the file and its folder"),
        (sqlite3.SQLITE_IOERR_WRITE, "; make room, or see what is wrong with the disk"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "; end the program that holds it"),
        (sqlite3.SQLITE_CONSTRAINT_TRIGGER, ""),
    ],
)
def test_each_failure_that_can_be_mended_says_how(code: int, what: str, tmp_path: Path) -> None:
    error = sqlite3.OperationalError("no")
    error.sqlite_errorcode = code
    with pytest.raises(StoreError) as caught, database._explained("write", tmp_path):
        raise error
    rest = f"{what}, and serve again: all that was taken is stored" if what else ""
    assert str(caught.value) == f"cannot write {tmp_path}: no{rest}"
