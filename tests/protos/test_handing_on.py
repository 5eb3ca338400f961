"""Messages that are handed on as they come, without a task in between."""

from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing

from aboveboard_protos.bridge import Broken, Stream

PairTest = Callable[[Stream, Stream], Awaitable[None]]
RunPair = Callable[..., None]


def test_every_message_is_handed_on_in_order_and_then_the_end_is_raised(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        taken: list[bytes] = []
        opened.send(b"before")
        await opened.flush()
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def _() -> None:
                with pytest.raises(trio.EndOfChannel):
                    await accepted.hand_to(taken.append)

            await trio.testing.wait_all_tasks_blocked()
            for number in range(100):
                opened.send(b"%d" % number)
            await opened.aclose()
        assert taken == [b"before", *(b"%d" % number for number in range(100))]

    run_pair(test)


def test_a_stream_can_be_aborted_by_what_a_message_is_handed_to(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        taken: list[bytes] = []

        def take(message: bytes) -> None:
            taken.append(message)
            if len(taken) == 3:
                accepted.abort("three are enough")

        for _ in range(10):
            opened.send(b"more")
        with pytest.raises(Broken, match="three are enough"):
            await accepted.hand_to(take)
        assert len(taken) == 3
        with pytest.raises(Broken):
            await opened.receive()

    run_pair(test)


def test_an_error_of_what_a_message_is_handed_to_comes_out_where_it_was_given(
    run_pair: RunPair,
) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        def take(message: bytes) -> None:
            raise KeyError(message)

        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def _() -> None:
                with pytest.raises(KeyError, match="bad"):
                    await accepted.hand_to(take)

            await trio.testing.wait_all_tasks_blocked()
            opened.send(b"bad")
        opened.send(b"kept")
        assert await accepted.receive() == b"kept"

    run_pair(test)


def test_after_a_cancelled_handing_on_messages_are_received_again(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        taken: list[bytes] = []
        with trio.CancelScope() as scope:
            scope.cancel()
            await accepted.hand_to(taken.append)
        opened.send(b"kept")
        assert await accepted.receive() == b"kept"
        assert not taken

    run_pair(test)


def test_messages_cannot_be_handed_on_while_a_task_waits_for_them(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        received: list[bytes] = []

        async def receive() -> None:
            received.append(await accepted.receive())

        async with trio.open_nursery() as nursery:
            nursery.start_soon(receive)
            await trio.testing.wait_all_tasks_blocked()
            with pytest.raises(trio.BusyResourceError):
                await accepted.hand_to(received.append)
            opened.send(b"for the first")
        assert received == [b"for the first"]

    run_pair(test)
