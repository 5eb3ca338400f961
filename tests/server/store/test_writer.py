"""Group commit: who shares one, who waits, and what a cancelled or failed caller leaves."""

import queue
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import outcome
import pytest
import trio
import trio.testing

from aboveboard_server.store import writer as writer_module
from aboveboard_server.store.database import Row, StoreError
from aboveboard_server.store.writer import Writer


class Disk:
    """Commits when it is told to; whoever asks learns what each commit held."""

    def __init__(self) -> None:
        self.commits: list[list[bytes]] = []
        self._last_id = 0
        self._turns: queue.SimpleQueue[Exception | None] = queue.SimpleQueue()

    def commit(self, values: list[str | bytes]) -> int:
        failure = self._turns.get()
        if failure is not None:
            raise failure
        self.commits.append([value for value in values if isinstance(value, bytes)])
        self._last_id += len(values) // 3
        return self._last_id

    def go_on(self, times: int = 1) -> None:
        for _ in range(times):
            self._turns.put(None)

    def fail(self, failure: Exception) -> None:
        self._turns.put(failure)


@asynccontextmanager
async def _writer(disk: Disk) -> AsyncIterator[Writer]:
    """A writer that is closed at the end, by when the disk must have all its turns."""
    writer = Writer(disk.commit, 0)
    try:
        yield writer
    finally:
        await writer.close()


def _rows(*bodies: bytes) -> list[Row]:
    return [("topic", "kind", body) for body in bodies]


def test_what_comes_in_one_turn_of_the_loop_shares_one_commit() -> None:
    async def main() -> None:
        disk = Disk()
        disk.go_on()
        async with _writer(disk) as writer, trio.open_nursery() as nursery:
            for number in range(64):
                nursery.start_soon(writer.append, _rows(bytes([number])))
        assert [len(commit) for commit in disk.commits] == [64]

    trio.run(main)


def test_what_comes_while_a_commit_runs_shares_the_next() -> None:
    async def main() -> None:
        disk = Disk()
        async with _writer(disk) as writer, trio.open_nursery() as nursery:
            for bodies in ([b"a"], [b"b", b"c"], [b"d"]):
                nursery.start_soon(writer.append, _rows(*bodies))
                await trio.testing.wait_all_tasks_blocked()
            disk.go_on(2)
        assert disk.commits == [[b"a"], [b"b", b"c", b"d"]]

    trio.run(main)


def test_each_caller_is_given_the_id_of_its_own_last_row() -> None:
    async def main() -> None:
        disk = Disk()
        ids: dict[bytes, int] = {}

        async def append(body: bytes, rows: int) -> None:
            ids[body] = await writer.append(_rows(*[body] * rows))

        async with _writer(disk) as writer, trio.open_nursery() as nursery:
            for body, rows in ((b"a", 2), (b"b", 1), (b"c", 3)):
                nursery.start_soon(append, body, rows)
                await trio.testing.wait_all_tasks_blocked()
            assert writer.last_id == 0
            disk.go_on(2)
        assert ids == {b"a": 2, b"b": 3, b"c": 6}
        assert writer.last_id == 6

    trio.run(main)


def test_nobody_returns_before_its_commit() -> None:
    async def main() -> None:
        disk, returned = Disk(), trio.Event()

        async def append() -> None:
            await writer.append(_rows(b"a"))
            returned.set()

        async with _writer(disk) as writer, trio.open_nursery() as nursery:
            nursery.start_soon(append)
            await trio.testing.wait_all_tasks_blocked()
            assert not returned.is_set()
            disk.go_on()
        assert returned.is_set()

    trio.run(main)


def test_who_does_not_wait_is_called_once_its_rows_are_on_disk() -> None:
    async def main() -> None:
        disk = Disk()
        told: list[tuple[str, int]] = []

        def tell(name: str) -> Callable[[outcome.Maybe[int]], None]:
            return lambda result: told.append((name, result.unwrap()))

        async with _writer(disk) as writer:
            writer.begin(_rows(b"a", b"b"), tell("first"))
            writer.begin(_rows(b"c"), tell("second"))
            await trio.testing.wait_all_tasks_blocked()
            writer.begin(_rows(b"d"), tell("third"))
            assert told == []
            disk.go_on(2)
        assert [b"".join(commit) for commit in disk.commits] == [b"abc", b"d"]
        assert told == [("first", 2), ("second", 3), ("third", 4)]

    trio.run(main)


def test_who_does_not_wait_is_called_with_a_failure_and_refused_after_it() -> None:
    async def main() -> None:
        disk = Disk()
        told: list[outcome.Maybe[int]] = []
        disk.fail(sqlite3.OperationalError("disk I/O error"))
        async with _writer(disk) as writer:
            writer.begin(_rows(b"a"), told.append)
            with pytest.raises(StoreError, match="disk I/O error"):
                await writer.append(_rows(b"b"))
            with pytest.raises(StoreError, match="disk I/O error"):
                writer.begin(_rows(b"c"), told.append)
        (result,) = told
        with pytest.raises(StoreError, match="disk I/O error"):
            result.unwrap()
        assert disk.commits == []

    trio.run(main)


@pytest.mark.parametrize("on_its_way", [True, False])
def test_the_rows_of_a_cancelled_caller_are_written_whole(on_its_way: bool) -> None:
    async def main() -> None:
        disk = Disk()
        async with _writer(disk) as writer, trio.open_nursery() as nursery:
            if not on_its_way:
                nursery.start_soon(writer.append, _rows(b"before"))
                await trio.testing.wait_all_tasks_blocked()
            async with trio.open_nursery() as cancelled:
                cancelled.start_soon(writer.append, _rows(b"a", b"b"))
                await trio.testing.wait_all_tasks_blocked()
                cancelled.cancel_scope.cancel()
            assert cancelled.cancel_scope.cancelled_caught
            nursery.start_soon(writer.append, _rows(b"after"))
            await trio.testing.wait_all_tasks_blocked()
            disk.go_on(2)
        written = [body for commit in disk.commits for body in commit]
        assert written == [b"before"] * (not on_its_way) + [b"a", b"b", b"after"]

    trio.run(main)


def test_a_caller_cancelled_beforehand_writes_nothing() -> None:
    async def main() -> None:
        disk = Disk()
        async with _writer(disk) as writer:
            with trio.CancelScope() as scope:
                scope.cancel()
                await writer.append(_rows(b"a"))
            assert scope.cancelled_caught
        assert disk.commits == []

    trio.run(main)


def test_callers_wait_for_room_and_a_cancelled_one_has_written_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writer_module, "ROWS_WAITING", 2)

    async def main() -> None:
        disk = Disk()
        async with _writer(disk) as writer, trio.open_nursery() as nursery:
            for body in (b"a", b"b", b"c"):
                nursery.start_soon(writer.append, _rows(body))
                await trio.testing.wait_all_tasks_blocked()
            async with trio.open_nursery() as cancelled:
                cancelled.start_soon(writer.append, _rows(b"never"))
                await trio.testing.wait_all_tasks_blocked()
                cancelled.cancel_scope.cancel()
            nursery.start_soon(writer.append, _rows(b"d", b"e", b"f"))
            await trio.testing.wait_all_tasks_blocked()
            disk.go_on(3)
        assert disk.commits == [[b"a"], [b"b", b"c"], [b"d", b"e", b"f"]]

    trio.run(main)


def test_a_failure_is_told_to_all_who_wait_and_to_all_who_come_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writer_module, "ROWS_WAITING", 1)

    async def main() -> None:
        disk = Disk()
        told: list[StoreError] = []

        async def refused(body: bytes) -> None:
            with pytest.raises(StoreError, match=r"^disk I/O error$") as caught:
                await writer.append(_rows(body))
            told.append(caught.value)

        async with _writer(disk) as writer:
            async with trio.open_nursery() as nursery:
                # One whose commit fails, one that waits for the next, one that waits for room.
                for body in (b"a", b"b", b"c"):
                    nursery.start_soon(refused, body)
                    await trio.testing.wait_all_tasks_blocked()
                disk.fail(sqlite3.OperationalError("disk I/O error"))
            await refused(b"d")
        assert disk.commits == []
        assert len(set(map(id, told))) == 4

    trio.run(main)


def test_closing_commits_what_waits_even_in_a_cancelled_scope() -> None:
    async def main() -> None:
        disk = Disk()
        disk.go_on(2)
        with trio.CancelScope() as scope:
            async with _writer(disk) as writer, trio.open_nursery() as nursery:
                for body in (b"a", b"b"):
                    nursery.start_soon(writer.append, _rows(body))
                    await trio.testing.wait_all_tasks_blocked(0)
                scope.cancel()
        assert [body for commit in disk.commits for body in commit] == [b"a", b"b"]
        with pytest.raises(StoreError, match="closed"):
            await writer.append(_rows(b"c"))

    trio.run(main)


def test_closing_after_a_failure_writes_nothing_more() -> None:
    async def main() -> None:
        disk = Disk()
        disk.fail(sqlite3.OperationalError("database or disk is full"))
        async with _writer(disk) as writer:
            with pytest.raises(StoreError, match="full"):
                await writer.append(_rows(b"a"))
        assert disk.commits == []

    trio.run(main)


def test_what_is_handed_over_behind_a_commit_that_fails_is_not_written() -> None:
    async def main() -> None:
        disk = Disk()
        refused: list[str] = []

        async def append(body: bytes) -> None:
            with pytest.raises(StoreError, match="full") as caught:
                await writer.append(_rows(body))
            refused.append(str(caught.value))

        writer = Writer(disk.commit, 0)
        async with trio.open_nursery() as nursery:
            for body in (b"a", b"b"):
                nursery.start_soon(append, body)
                await trio.testing.wait_all_tasks_blocked()
            nursery.start_soon(writer.close)
            await trio.testing.wait_all_tasks_blocked()
            disk.fail(sqlite3.OperationalError("database or disk is full"))
            disk.go_on()
        assert len(refused) == 2
        assert disk.commits == []

    trio.run(main)


class Watched(list[Row]):
    """Rows that note, whenever they are counted, whether an interrupt would be held back."""

    def __init__(self, rows: list[Row]) -> None:
        super().__init__(rows)
        self.protected: list[bool] = []

    def __len__(self) -> int:
        self.protected.append(trio.lowlevel.currently_ki_protected())
        return super().__len__()


def test_an_interrupt_comes_before_rows_are_taken_or_after_they_are() -> None:
    async def main() -> None:
        disk = Disk()
        disk.go_on(2)
        async with _writer(disk) as writer:
            waits, goes_on = Watched(_rows(b"a")), Watched(_rows(b"b"))
            assert not trio.lowlevel.currently_ki_protected()
            await writer.append(waits)
            writer.begin(goes_on, lambda _: None)
        assert waits.protected
        assert goes_on.protected
        assert all([*waits.protected, *goes_on.protected])

    trio.run(main)
