"""Handlers of a server are contained, and both they and the block around them end in order."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing

from aboveboard_protos import bridge
from aboveboard_protos.bridge import Broken, Stream

Run = Callable[..., Any]


async def echo(stream: Stream) -> None:
    try:
        while True:
            stream.send(await stream.receive())
    except trio.EndOfChannel:
        return


async def ask(channel: bridge.Channel, method: str, message: bytes) -> bytes:
    stream = await channel.open(method)
    stream.send(message)
    answer = await stream.receive()
    await stream.aclose()
    return answer


def test_each_method_has_its_handler_and_an_unknown_one_breaks_the_stream(run_bridge: Run) -> None:
    async def shout(stream: Stream) -> None:
        stream.send((await stream.receive()).upper())

    async def main() -> None:
        handlers = {"/t/Echo": echo, "/t/Shout": shout}
        async with (
            bridge.serve("127.0.0.1:0", handlers) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            assert await ask(channel, "/t/Echo", b"hello") == b"hello"
            assert await ask(channel, "/t/Shout", b"hello") == b"HELLO"
            stream = await channel.open("/t/Other")
            with pytest.raises(Broken, match="something else is served there"):
                await stream.receive()

    run_bridge(main)


def test_a_handler_can_end_its_call_with_a_status_of_grpc(run_bridge: Run) -> None:
    async def refuse(stream: Stream) -> None:
        await stream.receive()
        raise bridge.CallRefused("NOT_FOUND", "no such thing")

    async def main() -> None:
        async with (
            bridge.serve("127.0.0.1:0", {"/t/Refuse": refuse}) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            stream = await channel.open("/t/Refuse")
            stream.send(b"x")
            with pytest.raises(Broken, match="no such thing"):
                await stream.receive()

    run_bridge(main)


def test_a_failing_handler_aborts_its_stream_alone_and_is_reported(run_bridge: Run) -> None:
    errors: list[Exception] = []

    async def fail(stream: Stream) -> None:
        await stream.receive()
        raise ValueError("a secret")

    async def main() -> None:
        async with (
            bridge.serve(
                "127.0.0.1:0", {"/t/Echo": echo, "/t/Fail": fail}, on_error=errors.append
            ) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            bystander = await channel.open("/t/Echo")
            stream = await channel.open("/t/Fail")
            stream.send(b"now")
            with pytest.raises(Broken) as caught:
                await stream.receive()
            assert str(caught.value) == "internal error"
            bystander.send(b"still there?")
            assert await bystander.receive() == b"still there?"

    run_bridge(main)
    assert [str(error) for error in errors] == ["a secret"]


def test_a_failing_handler_is_logged_where_nobody_asked_for_it(
    run_bridge: Run, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(stream: Stream) -> None:
        raise ValueError("for the log")

    async def main() -> None:
        async with (
            bridge.serve("127.0.0.1:0", {"/t/Fail": fail}) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            stream = await channel.open("/t/Fail")
            with pytest.raises(Broken):
                await stream.receive()

    with caplog.at_level(logging.ERROR, logger="aboveboard.bridge"):
        run_bridge(main)
    assert [str((record.exc_info or (0, 0))[1]) for record in caplog.records] == ["for the log"]


def test_an_error_in_a_nursery_of_a_handler_is_reported_as_its_group(run_bridge: Run) -> None:
    errors: list[Exception] = []

    async def fail(stream: Stream) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.sleep_forever)
            raise ValueError("inside")

    async def main() -> None:
        async with (
            bridge.serve("127.0.0.1:0", {"/t/Fail": fail}, on_error=errors.append) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            stream = await channel.open("/t/Fail")
            with pytest.raises(Broken):
                await stream.receive()

    run_bridge(main)
    assert len(errors) == 1
    assert isinstance(errors[0], ExceptionGroup)


def test_an_error_during_the_cleanup_of_a_cancelled_handler_is_reported(run_bridge: Run) -> None:
    errors: list[Exception] = []
    waiting = trio.Event()

    async def fail(stream: Stream) -> None:
        async def clean_badly() -> None:
            try:
                await trio.sleep_forever()
            finally:
                raise ValueError("while cleaning up")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(clean_badly)
            nursery.start_soon(trio.sleep_forever)
            waiting.set()

    async def main() -> None:
        async with (
            bridge.serve("127.0.0.1:0", {"/t/F": fail}, grace=0, on_error=errors.append) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            await channel.open("/t/F")
            await waiting.wait()
            await trio.testing.wait_all_tasks_blocked()

    run_bridge(main)
    assert len(errors) == 1


def test_what_the_reporter_raises_ends_the_block(run_bridge: Run) -> None:
    async def fail(stream: Stream) -> None:
        raise ValueError("reported")

    def report(error: Exception) -> None:
        raise RuntimeError("no failure is acceptable here") from error

    async def main() -> None:
        async with (
            bridge.serve("127.0.0.1:0", {"/t/Fail": fail}, on_error=report) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            await channel.open("/t/Fail")
            await trio.sleep_forever()

    with pytest.raises(ExceptionGroup) as caught:
        run_bridge(main)
    assert caught.value.subgroup(RuntimeError) is not None


def test_an_exception_in_the_block_comes_out_as_it_is(run_bridge: Run) -> None:
    class Mine(Exception):
        pass

    async def main() -> None:
        async with bridge.serve("127.0.0.1:0", {"/t/Echo": echo}):
            raise Mine

    with pytest.raises(Mine):
        run_bridge(main)


def test_a_cancel_around_the_block_ends_it_and_its_handlers(run_bridge: Run) -> None:
    log: list[str] = []
    waiting = trio.Event()

    async def handler(stream: Stream) -> None:
        try:
            waiting.set()
            await trio.sleep_forever()
        finally:
            log.append("handler cleaned up")

    async def main() -> None:
        with trio.CancelScope() as scope:
            async with (
                bridge.serve("127.0.0.1:0", {"/t/Wait": handler}) as port,
                bridge.connect(f"127.0.0.1:{port}") as channel,
            ):
                await channel.open("/t/Wait")
                await waiting.wait()
                scope.cancel()
                await trio.sleep_forever()
        assert scope.cancelled_caught

    run_bridge(main)
    assert log == ["handler cleaned up"]


def test_streams_that_are_open_when_the_server_stops_are_broken(run_bridge: Run) -> None:
    async def main() -> None:
        with trio.CancelScope() as serving:
            async with trio.open_nursery() as nursery:
                port = await nursery.start(serve_until_cancelled)
                async with bridge.connect(f"127.0.0.1:{port}") as channel:
                    streams = [await channel.open("/t/Wait") for _ in range(3)]
                    for stream in streams:
                        assert await stream.receive() == b"began"
                    streams[0].send(b"unread")
                    serving.cancel()
                    with trio.CancelScope(shield=True):
                        for stream in streams:
                            with pytest.raises(Broken, match="stopping"):
                                await stream.receive()

    async def wait_for_ever(stream: Stream) -> None:
        stream.send(b"began")
        await trio.sleep_forever()

    async def serve_until_cancelled(task_status: trio.TaskStatus[int]) -> None:
        async with bridge.serve("127.0.0.1:0", {"/t/Wait": wait_for_ever}) as port:
            task_status.started(port)
            await trio.sleep_forever()

    run_bridge(main)


def test_handlers_may_finish_within_the_grace_and_new_calls_are_refused(run_bridge: Run) -> None:
    released, stopping = trio.Event(), trio.Event()

    async def slow(stream: Stream) -> None:
        stream.send(b"began")
        await released.wait()
        stream.send(b"finished")

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            port = await nursery.start(serve_with_grace)
            async with bridge.connect(f"127.0.0.1:{port}") as channel:
                stream = await channel.open("/t/Slow")
                assert await stream.receive() == b"began"
                stopping.set()
                await trio.testing.wait_all_tasks_blocked()
                with pytest.raises((bridge.Unavailable, Broken), match="stopping"):
                    await (await channel.open("/t/Slow")).receive()
                released.set()
                assert await stream.receive() == b"finished"
                with pytest.raises(trio.EndOfChannel):
                    await stream.receive()

    async def serve_with_grace(task_status: trio.TaskStatus[int]) -> None:
        async with bridge.serve("127.0.0.1:0", {"/t/Slow": slow}, grace=30) as port:
            task_status.started(port)
            await stopping.wait()

    run_bridge(main)


def test_what_a_handler_sent_arrives_before_the_end_when_it_returns(run_bridge: Run) -> None:
    async def pour(stream: Stream) -> None:
        for number in range(100):
            stream.send(b"%d" % number)

    async def main() -> None:
        async with (
            bridge.serve("127.0.0.1:0", {"/t/Pour": pour}) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            stream = await channel.open("/t/Pour")
            assert [await stream.receive() for _ in range(100)] == [b"%d" % n for n in range(100)]
            with pytest.raises(trio.EndOfChannel):
                await stream.receive()

    run_bridge(main)


def test_what_a_client_sent_arrives_though_it_closes_and_leaves_at_once(run_bridge: Run) -> None:
    got: list[bytes] = []
    ended = trio.Event()

    async def collect(stream: Stream) -> None:
        try:
            while True:
                got.append(await stream.receive())
        except trio.EndOfChannel:
            ended.set()

    async def main() -> None:
        async with bridge.serve("127.0.0.1:0", {"/t/Collect": collect}) as port:
            async with bridge.connect(f"127.0.0.1:{port}", grace=20) as channel:
                stream = await channel.open("/t/Collect")
                for number in range(200):
                    stream.send(b"%d" % number)
                await stream.aclose()
            await ended.wait()

    run_bridge(main)
    assert got == [b"%d" % n for n in range(200)]


def test_two_hundred_streams_at_once_each_get_their_own_answers(run_bridge: Run) -> None:
    async def main() -> None:
        async def one(number: int) -> None:
            stream = await channel.open("/t/Echo")
            for turn in range(5):
                message = b"%d of %d" % (turn, number)
                stream.send(message)
                assert await stream.receive() == message
            await stream.aclose()
            with pytest.raises(trio.EndOfChannel):
                await stream.receive()

        async with (
            bridge.serve("127.0.0.1:0", {"/t/Echo": echo}) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
            trio.open_nursery() as nursery,
        ):
            for number in range(200):
                nursery.start_soon(one, number)

    run_bridge(main)
