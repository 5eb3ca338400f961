"""The server takes so many streams and no more: from one address, unproved, at once, a second."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing

from aboveboard_protos.bridge import Broken, CallRefused, Stream, memory_pair
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.host.frames import PLAY
from aboveboard_server.config.door_tables import Limits
from aboveboard_server.door.buckets import Buckets, address_of_peer
from aboveboard_server.door.door import Door, rates_of
from aboveboard_server.lobby import CONTROL
from aboveboard_server.log.log_desk import ASK
from tests.fakes.hosting import run

FRAMES = {CONTROL: wire.ControlDown, PLAY: wire.MatchDown, ASK: wire.LogSaid}


class Building:
    """A door, whose handlers take what comes until the stream ends."""

    def __init__(self, nursery: trio.Nursery, **limits: int) -> None:
        self.door = Door(Limits(**limits), trio.current_time)
        self.inside: list[Stream] = []
        self._nursery = nursery
        self._handlers = self.door.guard(dict.fromkeys(FRAMES, self._handle))

    async def _handle(self, stream: Stream) -> None:
        self.inside.append(stream)
        try:
            await stream.receive()
        except Broken:
            self.inside.remove(stream)

    async def dial(self, address: str = "ipv4:192.0.2.1:1000", method: str = CONTROL) -> Any:
        """The refusal that was heard, or the stream."""
        mine, theirs = memory_pair()
        theirs._peer = address  # type: ignore[attr-defined]  # as the transport says it
        self._nursery.start_soon(self._handlers[method], theirs)
        await trio.testing.wait_all_tasks_blocked()
        try:
            return FRAMES[method].FromString(mine.receive_nowait()).refusal
        except trio.WouldBlock:
            return mine

    async def dials(self, count: int, *where: str) -> None:
        for _ in range(count):
            assert not isinstance(await self.dial(*where), wire.Refusal)


def in_building(test: Callable[[Building], Any], **limits: int) -> None:
    async def main() -> None:
        async with trio.open_nursery() as nursery:
            await test(Building(nursery, **limits))
            nursery.cancel_scope.cancel()

    run(main)


def is_busy(said: Any, why: str) -> bool:
    return (
        isinstance(said, wire.Refusal)
        and said.code == wire.REFUSAL_CODE_BUSY
        and said.retry_us >= 1_000_000
        and why in said.text
    )


@pytest.mark.parametrize("method", FRAMES)
def test_unproved_streams_of_one_address_are_few_and_others_are_let_in(method: str) -> None:
    async def test(building: Building) -> None:
        await building.dials(3, "ipv4:192.0.2.1:1", method)
        said = await building.dial("ipv4:192.0.2.1:2", method)
        assert is_busy(said, "do not say who they are")
        assert len(building.inside) == 3
        await building.dials(3, "ipv4:192.0.2.2:1", method)

    in_building(test, waiting_per_address=3)


def test_whoever_has_proved_its_key_makes_room_for_the_next() -> None:
    async def test(building: Building) -> None:
        for _ in range(50):
            await building.dials(1)
            building.door.proved(building.inside[-1])
        assert len(building.inside) == 50

    in_building(test, waiting_per_address=1)


def test_whoever_goes_makes_room_for_the_next() -> None:
    async def test(building: Building) -> None:
        for _ in range(50):
            stream = await building.dial()
            stream.abort()
            await trio.testing.wait_all_tasks_blocked()
        assert building.inside == []
        assert building.door._streams.total() == 0
        assert not building.door._waiting_from
        assert not building.door._streams

    in_building(test, waiting_per_address=1, streams_per_address=1)


def test_all_that_wait_are_bounded_together_and_each_method_for_itself() -> None:
    async def test(building: Building) -> None:
        await building.dials(4, "ipv4:192.0.2.1:1")
        assert is_busy(await building.dial("ipv4:192.0.2.1:1"), "at once")
        await building.dials(1, "ipv4:192.0.2.9:1", PLAY)
        await building.dials(1, "ipv4:192.0.2.9:1", ASK)

    in_building(test, waiting=4)


def test_addresses_that_fill_all_places_keep_nobody_else_out() -> None:
    async def test(building: Building) -> None:
        await building.dials(1, "ipv4:192.0.2.7:1")
        await building.dials(2, "ipv4:192.0.2.1:1")
        await building.dials(3, "ipv4:192.0.2.2:1")
        bot, *strangers = building.inside
        await building.dials(1, "ipv4:192.0.2.8:1")
        await building.dials(1, "ipv4:192.0.2.9:1")
        # Whose address had most was let go first, the longest of equals, and no bot.
        assert building.inside[:3] == [bot, strangers[1], strangers[3]]
        assert is_busy(await building.dial("ipv4:192.0.2.2:1"), "at once")
        assert len(building.inside) == building.door._waiting_at[CONTROL] == 6

    in_building(test, waiting=6)


def test_who_was_let_go_for_another_is_told_when_to_come_again_and_no_error_is_made_of_it() -> None:
    async def main() -> None:
        door = Door(Limits(waiting=1), trio.current_time)

        async def wait(stream: Stream) -> None:
            await stream.receive()

        guarded = door.guard({CONTROL: wait})[CONTROL]
        async with trio.open_nursery() as nursery:
            first, second = memory_pair(), memory_pair()
            for number, (_, theirs) in enumerate([first, second]):
                theirs._peer = f"ipv4:192.0.2.{number}:1"  # type: ignore[attr-defined]  # as above
                nursery.start_soon(guarded, theirs)
                await trio.testing.wait_all_tasks_blocked()
            with pytest.raises(Broken, match="try again in 2 s"):
                await first[0].receive()
            nursery.cancel_scope.cancel()

    run(main)


def test_streams_of_one_address_are_bounded_though_all_are_proved() -> None:
    async def test(building: Building) -> None:
        for _ in range(5):
            await building.dials(1)
            building.door.proved(building.inside[-1])
        assert is_busy(await building.dial(), "too many streams come from there")

    in_building(test, streams_per_address=5)


def test_an_address_that_is_refused_is_told_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)

    async def test(building: Building) -> None:
        for _ in range(20):
            await building.dial()
        await trio.sleep(61)
        for _ in range(20):
            await building.dial()

    in_building(test, waiting_per_address=1)
    told = [record.getMessage() for record in caplog.records]
    assert len([line for line in told if line.startswith("streams from 192.0.2.1 ")]) == 2


def test_new_streams_of_one_address_come_at_a_rate() -> None:
    async def test(building: Building) -> None:
        for _ in range(20):
            (await building.dial()).abort()
        said = await building.dial()
        assert is_busy(said, "too many streams are opened from there")
        await trio.sleep(said.retry_us / 1e6)
        (await building.dial()).abort()

    in_building(test, new_streams_per_second=10)


def test_sixty_bots_of_capacity_64_behind_one_address_meet_no_limit() -> None:
    async def test(building: Building) -> None:
        for _ in range(60):
            await building.dials(1)
            building.door.proved(building.inside[-1])
        for number in range(60 * 32):
            if number % 900 == 0:
                await trio.sleep(1)
            await building.dials(1, "ipv4:192.0.2.1:1", PLAY)
            building.door.proved(building.inside[-1])

    in_building(test)


def test_a_refused_stream_is_ended_though_its_bot_does_not_read() -> None:
    async def main() -> None:
        door = Door(Limits(streams_per_address=1), trio.current_time)

        async def stay(_: Stream) -> None:
            await trio.sleep_forever()

        async with trio.open_nursery() as nursery:
            handle = door.guard({CONTROL: stay})[CONTROL]
            nursery.start_soon(handle, memory_pair()[1])
            await trio.testing.wait_all_tasks_blocked()
            mine, theirs = memory_pair(inbound_messages=1)
            theirs.send(b"fills it")
            began = trio.current_time()
            await handle(theirs)
            assert trio.current_time() - began <= 1
            assert await mine.receive() == b"fills it"
            nursery.cancel_scope.cancel()

    run(main)


def test_who_asks_for_health_without_end_is_refused_as_grpc_has_it() -> None:
    async def main() -> None:
        door = Door(Limits(waiting_per_address=1), trio.current_time)

        async def watch(_: Stream) -> None:
            await trio.sleep_forever()

        async with trio.open_nursery() as nursery:
            handle = door.guard({"/grpc.health.v1.Health/Watch": watch})[
                "/grpc.health.v1.Health/Watch"
            ]
            nursery.start_soon(handle, memory_pair()[1])
            await trio.testing.wait_all_tasks_blocked()
            with pytest.raises(CallRefused) as caught:
                await handle(memory_pair()[1])
            assert caught.value.code == "RESOURCE_EXHAUSTED"
            nursery.cancel_scope.cancel()

    run(main)


def test_a_bots_words_outside_of_matches_are_held_to_a_tenth_of_the_rate() -> None:
    rates = rates_of(Limits(frames_per_second=2000), FRAMES)
    assert {method: rate.frames for method, rate in rates.items()} == {
        PLAY: 2000,
        CONTROL: 200,
        ASK: 200,
    }


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.1:5000", "192.0.2.1"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:5000", "2001:db8:1:2::"),
        ("ipv6:[2001:db8:1:2:ffff::1]:1", "2001:db8:1:2::"),
        ("ipv6:%5B::ffff:192.0.2.1%5D:5000", "192.0.2.1"),
        ("unix:", "unix:"),
        ("ipv4:nonsense", "ipv4:nonsense"),
        ("memory:opened", "memory:opened"),
    ],
)
def test_an_address_is_that_of_a_household(peer: str, address: str) -> None:
    assert address_of_peer(peer) == address


def test_buckets_forget_whoever_has_waited_long_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aboveboard_server.door.buckets.MOST_BUCKETS", 10)
    now = 0.0
    buckets = Buckets(1, 2, lambda: now)
    for number in range(1000):
        now += 0.5
        assert buckets.take(str(number))
        assert len(buckets._left) <= 10
    assert buckets.wait("999") == 0
    assert buckets.take("999")
    assert not buckets.take("999")
    assert buckets.wait("999") > 0
