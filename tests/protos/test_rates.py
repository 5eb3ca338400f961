"""A peer that sends faster than it may is cut off; one that keeps to its rate never notices."""

from collections.abc import Callable
from typing import Any

import pytest
import trio

from aboveboard_protos import bridge
from aboveboard_protos.bridge import Broken, Rate, Stream
from aboveboard_protos.bridge._rate import Meter

Run = Callable[..., Any]
METHOD = "/t/Take"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(("frames", "size"), [(0, 1), (1, 0), (-1, 1)])
def test_a_rate_lets_something_through(frames: int, size: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Rate(frames=frames, bytes=size)


def test_a_stream_may_send_its_rate_for_ever_and_twice_as_much_at_once() -> None:
    clock = Clock()
    meter = Meter(Rate(frames=10, bytes=1000), clock)
    assert all(meter.take(1) for _ in range(20))
    for _ in range(100):
        clock.now += 1
        assert all(meter.take(100) for _ in range(10))
    assert [meter.take(1) for _ in range(11)].count(False) > 0


def test_bytes_count_as_well_as_frames() -> None:
    meter = Meter(Rate(frames=1000, bytes=1000), Clock())
    assert meter.take(2000)
    assert not meter.take(1)


def test_a_pause_is_worth_two_bursts_at_the_most() -> None:
    clock = Clock()
    meter = Meter(Rate(frames=10, bytes=1000), clock)
    clock.now = 1e6
    assert [meter.take(1) for _ in range(100)].count(True) <= 41


async def flood(stream: Stream) -> None:
    while True:
        stream.send(b"x")
        await stream.flush()


def test_who_floods_is_cut_off_while_others_go_on(run_bridge: Run) -> None:
    ends: list[str] = []
    took: list[bytes] = []

    async def take(stream: Stream) -> None:
        try:
            await stream.hand_to(took.append)
        except Broken as broken:
            ends.append(str(broken))

    async def echo(stream: Stream) -> None:
        stream.send(await stream.receive())

    async def main() -> None:
        handlers = {METHOD: take, "/t/Echo": echo}
        async with (
            bridge.serve("127.0.0.1:0", handlers, rates={METHOD: Rate(50, 10**6)}) as port,
            bridge.connect(f"127.0.0.1:{port}") as flooding,
            bridge.connect(f"127.0.0.1:{port}") as honest,
        ):
            stream = await flooding.open(METHOD)
            # Why, it is told as well, if its line is not cut before it has read that.
            with pytest.raises(Broken):
                await flood(stream)
            other = await honest.open("/t/Echo")
            other.send(b"hello")
            assert await other.receive() == b"hello"

    run_bridge(main)
    assert ends == ["it sends more than 50 frames or 1000000 bytes a second"]
    assert 100 <= len(took) < 200, "twice the rate at once, and what came in meanwhile"


def test_streams_in_memory_are_held_to_the_same() -> None:
    async def main() -> None:
        opened, accepted = bridge.memory_pair(rate=Rate(5, 1000))
        for _ in range(11):
            opened.send(b"x")
        with pytest.raises(Broken, match="more than 5 frames"):
            await opened.receive()
        with pytest.raises(Broken, match="more than 5 frames"):
            await accepted.receive()

    trio.run(main)


def test_unread_bytes_hold_the_peer_back_as_unread_messages_do() -> None:
    async def main() -> None:
        opened, accepted = bridge.memory_pair(inbound_bytes=1000, outbound_bytes=2000)
        for _ in range(4):
            opened.send(bytes(900))
        with pytest.raises(bridge.Overflow):
            opened.send(bytes(900))
        for _ in range(4):
            assert await accepted.receive() == bytes(900)

    trio.run(main)
