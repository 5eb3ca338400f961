"""A trio run that is a guest of asyncio ends as any other trio run does."""

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
import trio
import trio.testing

from aboveboard_protos import bridge
from aboveboard_protos.bridge import _ticks

Run = Callable[..., Any]


def pollers() -> list[threading.Thread]:
    """grpc's threads for asyncio, one for each loop that some grpc object still hangs on."""
    return [thread for thread in threading.enumerate() if "_poll_wrapper" in thread.name]


def test_the_result_of_the_main_task_is_returned(run_bridge: Run, loop: str) -> None:
    async def main() -> str:
        await trio.lowlevel.checkpoint()
        return type(asyncio.get_running_loop()).__module__.partition(".")[0]

    assert run_bridge(main) == loop


def test_an_exception_comes_out_after_every_finally_block(run_bridge: Run, loop: str) -> None:
    log: list[str] = []

    async def child() -> None:
        try:
            await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(log.append, "child")

    async def main() -> None:
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(child)
                await trio.testing.wait_all_tasks_blocked()
                raise ValueError("main")
        finally:
            log.append("main")

    with pytest.raises(ExceptionGroup) as caught:
        run_bridge(main)
    assert [type(error) for error in caught.value.exceptions] == [ValueError]
    assert log == ["child", "main"]


def test_threads_sockets_and_deadlines_of_trio_work_as_ever(run_bridge: Run, loop: str) -> None:
    async def echo(stream: trio.SocketStream) -> None:
        async for data in stream:
            await stream.send_all(data)

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
            nursery.start_soon(trio.serve_listeners, echo, listeners)
            port = listeners[0].socket.getsockname()[1]
            async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
                for number in range(50):
                    data = await trio.to_thread.run_sync(lambda n: b"%d" % n, number)
                    await stream.send_all(data)
                    assert await stream.receive_some() == data
            for seconds in (0.0001, 0.001, 0.005, 0.05):
                before = trio.current_time()
                with trio.move_on_after(seconds) as scope:
                    await trio.sleep_forever()
                assert scope.cancelled_caught
                assert trio.current_time() - before >= seconds
            nursery.cancel_scope.cancel()

    run_bridge(main)


def test_any_thread_can_have_a_function_called_in_the_run_until_that_has_ended(
    run_bridge: Run, loop: str
) -> None:
    async def main() -> Callable[..., object]:
        soon = bridge.soon()
        called = trio.Event()
        calls: list[tuple[str, threading.Thread]] = []

        def call(name: str) -> None:
            calls.append((name, threading.current_thread()))
            called.set()

        soon(call, "from within")
        assert not calls
        await called.wait()
        called = trio.Event()
        thread = threading.Thread(target=soon, args=(call, "from a thread"))
        thread.start()
        await called.wait()
        thread.join()
        here = threading.current_thread()
        assert calls == [("from within", here), ("from a thread", here)]
        return soon

    soon = run_bridge(main)
    with pytest.raises(trio.RunFinishedError):
        soon(print)


def test_the_installed_trio_is_built_as_the_fast_way_expects(
    run_bridge: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[tuple[int, object]] = []

    def look_inside(tick: Any) -> tuple[int, object]:
        looks.append(real(tick))
        return looks[-1]

    real = _ticks.look_inside
    monkeypatch.setattr(_ticks, "look_inside", look_inside)
    run_bridge(trio.testing.wait_all_tasks_blocked)
    assert looks


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, ValueError])
def test_an_exception_of_the_main_task_comes_out_as_it_is(
    run_bridge: Run, kind: type[BaseException]
) -> None:
    async def main() -> None:
        raise kind("mine")

    with pytest.raises(kind, match="mine"):
        run_bridge(main)


def test_a_host_loop_that_is_stopped_does_not_take_the_guest_along(
    run_bridge: Run, loop: str
) -> None:
    log: list[str] = []

    async def main() -> None:
        try:
            asyncio.get_running_loop().stop()
            await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(log.append, "cleaned up")

    with pytest.raises(RuntimeError, match="stopped the host loop"):
        run_bridge(main)
    assert log == ["cleaned up"]


def test_what_breaks_out_of_the_host_loop_comes_out_of_the_main_task(
    run_bridge: Run, loop: str
) -> None:
    log: list[str] = []

    def leave() -> None:
        raise SystemExit("a callback's")

    async def main() -> None:
        try:
            asyncio.get_running_loop().call_soon(leave)
            await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(log.append, "cleaned up")

    with pytest.raises(SystemExit, match="a callback's"):
        run_bridge(main)
    assert log == ["cleaned up"]


def test_a_run_inside_a_run_is_refused(run_bridge: Run) -> None:
    async def main() -> None:
        with pytest.raises(RuntimeError):
            run_bridge(main)

    run_bridge(main)


def test_it_runs_in_another_thread_and_leaves_signals_alone_there(run_bridge: Run) -> None:
    results: list[object] = []

    async def main() -> object:
        await trio.lowlevel.checkpoint()
        return signal.getsignal(signal.SIGINT)

    thread = threading.Thread(target=lambda: results.append(run_bridge(main)))
    thread.start()
    thread.join()
    assert results == [signal.default_int_handler]


def test_run_after_run_works_even_if_the_errors_of_earlier_ones_are_kept(
    run_bridge: Run, loop: str
) -> None:
    kept: list[BaseException] = []

    async def echo(stream: bridge.Stream) -> None:
        stream.send(await stream.receive())
        await stream.receive()

    async def main() -> None:
        async with (
            bridge.serve("127.0.0.1:0", {"/t/Echo": echo}) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            stream = await channel.open("/t/Echo")
            stream.send(b"hello")
            assert await stream.receive() == b"hello"
            assert len(pollers()) == 1
            raise ValueError("with the stream in its traceback")

    for _ in range(5):
        with pytest.raises(ValueError, match="traceback") as caught:
            run_bridge(main)
        kept.append(caught.value)
        for thread in pollers():
            thread.join(60)  # one that was told to end may take its time on a busy machine
        assert pollers() == [], "a grpc object of this run hangs on its dead loop"
    assert len(kept) == 5


def test_the_error_of_a_dial_that_failed_keeps_nothing_of_grpcs(run_bridge: Run, loop: str) -> None:
    async def main() -> None:
        async with bridge.connect("127.0.0.1:1") as channel:
            await channel.open("/t/Echo")

    with pytest.raises(bridge.Unavailable) as caught:
        run_bridge(main)
    for thread in pollers():
        thread.join(20)
    assert pollers() == []
    assert caught.value.__traceback__ is not None, "which would keep what its frames hold"


def test_the_error_of_an_address_in_use_keeps_nothing_of_grpcs(run_bridge: Run, loop: str) -> None:
    async def main() -> None:
        async with bridge.serve(address, {}):
            pass

    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(bridge.PortInUse) as caught:
            run_bridge(main)
    for thread in pollers():
        thread.join(20)
    assert pollers() == []
    assert caught.value.__traceback__ is not None, "which would keep what its frames hold"


@pytest.mark.parametrize(
    "use",
    [
        lambda: bridge.serve("127.0.0.1:0", {}),
        lambda: bridge.connect("127.0.0.1:1"),
    ],
    ids=["serve", "connect"],
)
def test_grpc_under_plain_trio_is_refused_with_the_remedy(use: Callable[[], Any]) -> None:
    async def main() -> None:
        with pytest.raises(RuntimeError, match=r"bridge\.run"):
            async with use():
                pass

    trio.run(main)
    gc.collect()


@pytest.mark.parametrize("chosen", [None, "", "-event_engine_client"])
def test_what_grpc_is_asked_to_try_is_left_to_users_and_to_programs_started_from_here(
    chosen: str | None,
) -> None:
    name = "GRPC_EXPERIMENTS"
    environment = {key: value for key, value in os.environ.items() if key != name}
    if chosen is not None:
        environment[name] = chosen
    code = f"from aboveboard_protos import bridge; import os; print(os.environ.get({name!r}))"
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert (ran.stdout, ran.stderr) == (f"{chosen}\n", "")


def test_the_messages_are_importable_without_the_bridge_and_what_it_needs() -> None:
    code = (
        "import sys, aboveboard_protos.v1.service_pb2\n"
        "print(sorted({'asyncio', 'grpc', 'trio', 'uvloop'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_rubbish_is_looked_for_less_often_while_it_runs_and_as_before_afterwards(
    run_bridge: Run,
) -> None:
    before = gc.get_threshold()

    async def main() -> tuple[int, int, int]:
        return gc.get_threshold()

    try:
        for young, meanwhile in ((700, 20_000), (50_000, 50_000), (0, 0)):
            gc.set_threshold(young, 7, 9)
            assert run_bridge(main) == (meanwhile, 7, 9)
            assert gc.get_threshold() == (young, 7, 9)
    finally:
        gc.set_threshold(*before)
