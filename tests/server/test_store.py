"""What was acknowledged is there afterwards, and nothing is ever half there."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from pathlib import Path

import pytest
import trio
import trio.testing

from aboveboard_server.store import database
from aboveboard_server.store.store import (
    EventStore,
    StoreBusy,
    Stored,
    StoreError,
    StoreVersion,
    open_store,
)
from tests.fakes.store import MemoryStore

ROOT = Path(__file__).parents[2]

Opened = Callable[[], AbstractAsyncContextManager[EventStore]]


@pytest.fixture(params=["on disk", "in memory"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Opened:
    """Opens one store; again and again the same."""
    memory = MemoryStore()

    @asynccontextmanager
    async def in_memory() -> AsyncIterator[EventStore]:
        yield memory

    def on_disk() -> AbstractAsyncContextManager[EventStore]:
        return open_store(tmp_path / "store.db")

    return on_disk if request.param == "on disk" else in_memory


# --- What every store promises --------------------------------------------------------------


def test_events_are_read_as_they_were_appended(opened: Opened) -> None:
    async def main() -> None:
        async with opened() as store:
            assert (store.last_id, list(store.events())) == (0, [])
            assert await store.append([("match/1", "open", b"\0a"), ("match/1", "move", b"")]) == 2
            assert await store.append([]) == 2
            assert await store.append([("entry/ä", "entry", b"x")]) == store.last_id == 3
            assert list(store.events()) == [
                Stored(1, "match/1", "open", b"\0a"),
                Stored(2, "match/1", "move", b""),
                Stored(3, "entry/ä", "entry", b"x"),
            ]

    trio.run(main)


def test_a_store_goes_on_where_it_was_left(opened: Opened) -> None:
    async def main() -> None:
        for expected in (1, 2, 3):
            async with opened() as store:
                assert await store.append([("a", "b", bytes([expected]))]) == expected
        async with opened() as store:
            assert [stored.body for stored in store.events()] == [b"\1", b"\2", b"\3"]

    trio.run(main)


def test_a_topic_prefix_is_taken_literally(opened: Opened) -> None:
    topics = ["match/1", "match/12", "Match/1", "m%", "m_", "m*", "é1", "e"]

    async def main() -> None:
        async with opened() as store:
            await store.append([(topic, "", b"") for topic in topics])
            for prefix in ["", "match/1", "m%", "m_", "m*", "é", "match/1/"]:
                found = [stored.topic for stored in store.events(prefix)]
                assert found == [topic for topic in topics if topic.startswith(prefix)]

    trio.run(main)


def test_what_many_tasks_append_is_all_there_in_each_one_s_order(opened: Opened) -> None:
    async def appends(store: EventStore, task: int) -> None:
        for number in range(20):
            last = await store.append([(f"{task}", "a", b"%d" % number), (f"{task}", "b", b"")])
            assert last <= store.last_id

    async def main() -> None:
        async with opened() as store:
            async with trio.open_nursery() as nursery:
                for task in range(16):
                    nursery.start_soon(appends, store, task)
            stored = list(store.events())
            assert [event.id for event in stored] == list(range(1, 641))
            for first, second in zip(stored[::2], stored[1::2], strict=True):
                assert (first.topic, first.kind, second.kind) == (second.topic, "a", "b")
            for task in range(16):
                mine = [event for event in stored if event.topic == f"{task}" and event.body]
                assert [event.body for event in mine] == [b"%d" % n for n in range(20)]

    trio.run(main)


def test_a_reading_is_of_one_moment_while_appends_go_on(opened: Opened) -> None:
    async def main() -> None:
        async with opened() as store:
            await store.append([("a", "", b"")] * 3)
            reading = store.events()
            assert next(reading).id == 1
            await store.append([("a", "", b"")])
            assert [stored.id for stored in reading] == [2, 3]

    trio.run(main)


def test_a_memory_store_takes_no_time_of_a_mock_clock_and_can_break() -> None:
    async def main() -> None:
        store = MemoryStore()
        start = trio.current_time()
        for _ in range(100):
            await store.append([("a", "b", b"c")])
        assert trio.current_time() == start
        store.breaks_with = "the disk is full"
        with pytest.raises(StoreError, match="full"):
            await store.append([("a", "b", b"c")])
        assert store.last_id == 100

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


# --- What a file promises -------------------------------------------------------------------


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
    stored = _read(path)
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
        for name in ("journal_mode", "synchronous")
    ]
    opened.close()
    assert pragmas == ["wal", 2]


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


# --- What a process leaves behind -----------------------------------------------------------

_KILLED = """
import os, sys
from pathlib import Path
import trio
from aboveboard_server.store.store import open_store

async def appends(store, task):
    for number in range(5_000):
        body = b"%d" % number
        last = await store.append([(task, "first", body), (task, "second", body)])
        os.write(1, f"{last}\\n".encode())

async def main():
    async with open_store(Path(sys.argv[1])) as store, trio.open_nursery() as nursery:
        for task in "abcdefgh":
            nursery.start_soon(appends, store, task)

trio.run(main)
"""

_FULL = """
import resource, sys
from pathlib import Path
import trio
from aboveboard_server.store.store import StoreError, open_store

async def main():
    async with open_store(Path(sys.argv[1])) as store:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        for attempt in range(1_000):
            try:
                await store.append([("a", "first", bytes(500)), ("a", "second", bytes(500))])
            except StoreError as error:
                print(error, flush=True)
                break
        try:
            await store.append([("a", "third", b"")])
        except StoreError as error:
            print(error, flush=True)
        print(store.last_id, flush=True)

trio.run(main)
"""


def _read(path: Path) -> list[Stored]:
    async def main() -> list[Stored]:
        async with open_store(path) as store:
            return list(store.events())

    return trio.run(main)


@pytest.mark.parametrize("acknowledged", [1, 100, 400])
def test_what_a_killed_process_had_acknowledged_is_there(tmp_path: Path, acknowledged: int) -> None:
    path = tmp_path / "store.db"
    with subprocess.Popen(
        [sys.executable, "-c", _KILLED, str(path)], cwd=ROOT, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline() for _ in range(acknowledged)]
        os.kill(child.pid, signal.SIGKILL)
        lines += child.stdout.readlines()
    assert child.returncode == -signal.SIGKILL
    stored = _read(path)
    assert max(map(int, lines)) <= len(stored)
    assert [event.id for event in stored] == list(range(1, len(stored) + 1))
    for first, second in zip(stored[::2], stored[1::2], strict=True):
        assert (first.topic, first.body) == (second.topic, second.body)
        assert (first.kind, second.kind) == ("first", "second")


def test_a_full_disk_is_told_in_one_line_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    done = subprocess.run(
        [sys.executable, "-c", _FULL, str(path)], cwd=ROOT, capture_output=True, text=True
    )
    told, again, last_id = done.stdout.splitlines()
    assert told == again
    assert told.startswith(f"cannot write {path}: ")
    stored = _read(path)
    assert 0 < int(last_id) <= len(stored) <= int(last_id) + 2
    assert [event.kind for event in stored] == ["first", "second"] * (len(stored) // 2)
