"""The manners of a stream, the same in memory and over gRPC."""

from collections.abc import Callable

import pytest
import trio
import trio.testing

from aboveboard_protos.bridge import Broken, Overflow, Stream

RunPair = Callable[..., None]


async def until_it_raises(stream: Stream) -> tuple[list[bytes], Exception]:
    """All messages up to the end, and how it ended."""
    messages = []
    try:
        while True:
            messages.append(await stream.receive())
    except (trio.EndOfChannel, Broken) as error:
        return messages, error


SIZE = 200_000
"""Bytes of a message that does not fit into the transport's window."""

FULL = {"inbound_messages": 4, "outbound_messages": 4}
"""Limits under which a reader who does not read has 4 messages, and as many wait here."""


def numbered(count: int) -> list[bytes]:
    return [number.to_bytes(SIZE, "big") for number in range(count)]


async def fill(stream: Stream) -> None:
    """Send eight numbered messages, read by nobody, which is all that `FULL` lets go."""
    for message in numbered(8):
        while True:
            try:
                stream.send(message)
            except Overflow:  # those before are still on their way to the other side
                await trio.testing.wait_all_tasks_blocked()
            else:
                break


def test_messages_arrive_both_ways_in_the_order_of_sending(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        for number in range(200):
            opened.send(b"up %d" % number)
            accepted.send(b"down %d" % number)
        assert [await accepted.receive() for _ in range(200)] == [b"up %d" % n for n in range(200)]
        assert [await opened.receive() for _ in range(200)] == [b"down %d" % n for n in range(200)]

    run_pair(test)


def test_an_empty_message_is_a_message(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        opened.send(b"")
        opened.send(b"after")
        assert [await accepted.receive(), await accepted.receive()] == [b"", b"after"]

    run_pair(test)


def test_whoever_accepted_and_closes_ends_the_stream_after_all_it_sent(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        accepted.send(b"one")
        accepted.send(b"two")
        await accepted.aclose()
        messages, error = await until_it_raises(opened)
        assert messages == [b"one", b"two"]
        assert isinstance(error, trio.EndOfChannel)
        with pytest.raises(Broken, match="ended"):
            opened.send(b"too late")
        with pytest.raises(trio.EndOfChannel):
            await accepted.receive()

    run_pair(test)


def test_whoever_opened_and_closes_can_still_receive(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        opened.send(b"question")
        await opened.aclose()
        messages, error = await until_it_raises(accepted)
        assert messages == [b"question"]
        assert isinstance(error, trio.EndOfChannel)
        accepted.send(b"answer")
        await accepted.aclose()
        messages, error = await until_it_raises(opened)
        assert messages == [b"answer"]
        assert isinstance(error, trio.EndOfChannel)

    run_pair(test)


def test_closing_twice_is_closing_once(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        for stream in (opened, accepted):
            await stream.aclose()
            await stream.aclose()
            stream.abort()
            await stream.aclose()

    run_pair(test)


def test_a_closed_end_sends_nothing_more(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        for stream in (opened, accepted):
            await stream.aclose()
            with pytest.raises(Broken, match="closed"):
                stream.send(b"more")

    run_pair(test)


def test_an_abort_by_the_accepting_side_breaks_the_stream_and_says_why(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        accepted.abort("you talk too much")
        messages, error = await until_it_raises(opened)
        assert messages == []
        assert isinstance(error, Broken)
        assert str(error) == "you talk too much"
        with pytest.raises(Broken, match="you talk too much"):
            opened.send(b"but")

    run_pair(test)


def test_an_abort_by_the_opening_side_breaks_the_stream(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        opened.abort("no more")
        _, error = await until_it_raises(accepted)
        assert isinstance(error, Broken)
        with pytest.raises(Broken):
            accepted.send(b"hello?")

    run_pair(test)


def test_an_abort_breaks_both_directions_here_even_for_a_task_that_waits(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        for stream in (opened, accepted):
            async with trio.open_nursery() as nursery:

                async def wait(stream: Stream = stream) -> None:
                    _, error = await until_it_raises(stream)
                    assert isinstance(error, Broken)

                nursery.start_soon(wait)
                await trio.testing.wait_all_tasks_blocked()
                stream.abort("enough")
            with pytest.raises(Broken):
                stream.send(b"more")
            with pytest.raises(Broken):
                stream.receive_nowait()

    run_pair(test)


def test_what_came_before_a_break_can_still_be_read(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        opened.send(b"last words")
        opened.send(b"!")
        assert await accepted.receive() == b"last words"
        await trio.testing.wait_all_tasks_blocked()
        opened.abort()
        messages, error = await until_it_raises(accepted)
        assert messages in ([b"!"], [])  # it may have been on its way still
        assert isinstance(error, Broken)

    run_pair(test)


def test_too_many_waiting_messages_are_an_overflow(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        def flood() -> None:
            for _ in range(1000):
                opened.send(b"more")

        with pytest.raises(Overflow, match="8 messages wait"):
            flood()
        assert await accepted.receive() == b"more"  # and nothing is broken by it

    run_pair(test, outbound_messages=8)


def test_too_many_waiting_bytes_are_an_overflow(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        def flood() -> None:
            for _ in range(1000):
                opened.send(bytes(3000))

        with pytest.raises(Overflow, match="9000 bytes wait"):
            flood()
        assert await accepted.receive() == bytes(3000)

    run_pair(test, outbound_bytes=10_000)


def test_a_message_longer_than_allowed_is_refused_where_it_is_sent(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        for stream in (opened, accepted):
            with pytest.raises(ValueError, match="1001 bytes is longer than 1000"):
                stream.send(bytes(1001))
        opened.send(bytes(1000))
        assert await accepted.receive() == bytes(1000)

    run_pair(test, max_message=1000)


def test_a_peer_that_does_not_read_holds_the_sender_back(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        await fill(opened)
        for _ in range(100):
            with pytest.raises(Overflow):
                opened.send(b"no room for this")
            await trio.testing.wait_all_tasks_blocked()
        assert [await accepted.receive() for _ in range(8)] == numbered(8)
        await opened.flush()

    run_pair(test, **FULL)


def test_flush_waits_until_the_transport_has_everything(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        flushed = False

        async def flush() -> None:
            nonlocal flushed
            await opened.flush()
            flushed = True

        await opened.flush()  # nothing to wait for
        await fill(opened)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(flush)
            nursery.start_soon(flush)
            await trio.testing.wait_all_tasks_blocked()
            assert not flushed
            assert [await accepted.receive() for _ in range(8)] == numbered(8)
        assert flushed

    run_pair(test, **FULL)


def test_flush_is_broken_if_something_will_never_leave(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        await fill(opened)
        async with trio.open_nursery() as nursery:

            async def flush() -> None:
                with pytest.raises(Broken):
                    await opened.flush()

            nursery.start_soon(flush)
            await trio.testing.wait_all_tasks_blocked()
            accepted.abort()
            await accepted.aclose()

    run_pair(test, **FULL)


def test_flush_is_content_if_all_left_before_the_peer_ended(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        opened.send(b"thanks")
        assert await accepted.receive() == b"thanks"
        await accepted.aclose()
        with pytest.raises(trio.EndOfChannel):
            await opened.receive()
        await opened.flush()

    run_pair(test)


@pytest.mark.parametrize("by", ["opened", "accepted"])
def test_an_abort_needs_no_reader_on_the_other_side(run_pair: RunPair, by: str) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        sender, reader = (opened, accepted) if by == "opened" else (accepted, opened)
        await fill(sender)
        sender.abort("you do not read")
        messages, error = await until_it_raises(reader)
        assert messages == numbered(len(messages))
        assert isinstance(error, Broken)
        if by == "accepted":
            assert str(error) == "you do not read"

    run_pair(test, **FULL)


def test_closing_in_vain_aborts_when_it_is_cancelled(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        await fill(opened)
        with trio.CancelScope() as scope:
            scope.cancel()
            await opened.aclose()
        assert scope.cancelled_caught
        _, error = await until_it_raises(accepted)
        assert isinstance(error, Broken)

    run_pair(test, **FULL)


def test_a_cancelled_flush_loses_nothing_and_changes_no_order(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        await fill(opened)
        with trio.CancelScope() as scope:
            scope.cancel()
            await opened.flush()
        assert scope.cancelled_caught
        assert [await accepted.receive() for _ in range(8)] == numbered(8)
        opened.send(b"next")
        assert await accepted.receive() == b"next"

    run_pair(test, **FULL)


def test_a_cancelled_receive_loses_nothing(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        with trio.CancelScope() as scope:
            scope.cancel()
            await accepted.receive()
        assert scope.cancelled_caught
        opened.send(b"kept")
        assert await accepted.receive() == b"kept"

    run_pair(test)


def test_receive_nowait_takes_only_what_is_there(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        with pytest.raises(trio.WouldBlock):
            accepted.receive_nowait()
        opened.send(b"one")
        opened.send(b"two")
        assert await accepted.receive() == b"one"
        while True:
            try:
                assert accepted.receive_nowait() == b"two"
            except trio.WouldBlock:
                await trio.testing.wait_all_tasks_blocked()
            else:
                break
        await opened.aclose()
        with pytest.raises(trio.EndOfChannel):
            await accepted.receive()
        with pytest.raises(trio.EndOfChannel):
            accepted.receive_nowait()

    run_pair(test)


def test_only_one_task_at_a_time_may_wait_for_a_message(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(accepted.receive)
            await trio.testing.wait_all_tasks_blocked()
            with pytest.raises(trio.BusyResourceError):
                await accepted.receive()
            opened.send(b"for the first")

    run_pair(test)


def test_every_meeting_with_the_end_raises_an_exception_of_its_own(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        accepted.abort("over")
        _, first = await until_it_raises(opened)
        _, second = await until_it_raises(opened)
        assert first is not second

    run_pair(test)


def test_each_side_says_where_the_other_is(run_pair: RunPair) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        assert opened.peer
        assert accepted.peer
        assert opened.peer != accepted.peer

    run_pair(test)


@pytest.mark.parametrize(
    "name", ["max_message", "inbound_messages", "outbound_messages", "outbound_bytes"]
)
def test_a_limit_below_one_is_refused(run_pair: RunPair, name: str) -> None:
    async def test(opened: Stream, accepted: Stream) -> None:
        raise AssertionError("there is no pair with such a limit")

    with pytest.raises(ValueError, match=f"{name} must be at least 1"):
        run_pair(test, **{name: 0})
