"""What every store promises, on disk or in memory: all is there as it was appended."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing

from aboveboard_server.store.store import (
    EventStore,
    Stored,
    StoreError,
    open_store,
)
from tests.fakes.store import MemoryStore

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
