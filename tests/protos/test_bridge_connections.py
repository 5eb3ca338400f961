"""What goes wrong between processes shows quickly, on both sides, and as what it is."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import trio
import trio.testing

from aboveboard_protos import bridge
from aboveboard_protos.bridge import Broken, PortInUse, Stream, Unavailable

Run = Callable[..., Any]

CLIENT = """
import sys, trio
from aboveboard_protos import bridge

async def main():
    async with bridge.connect(sys.argv[1]) as channel:
        stream = await channel.open("/t/Hold")
        stream.send(b"here")
        await trio.sleep_forever()

bridge.run(main)
"""

SERVER = """
import trio
from aboveboard_protos import bridge

async def hold(stream):
    stream.send(b"here")
    await trio.sleep_forever()

async def main():
    async with bridge.serve("127.0.0.1:0", {"/t/Hold": hold}) as port:
        print(port, flush=True)
        await trio.sleep_forever()

bridge.run(main)
"""


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a Python process that is killed after the test, if it lives so long."""
    started: list[subprocess.Popen[str]] = []

    def start_process(code: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", code, *arguments]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start_process
    for process in started:
        process.kill()
        process.communicate()


async def wait_for_ever(stream: Stream) -> None:
    await trio.sleep_forever()


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


def test_a_port_in_use_is_refused_by_name(run_bridge: Run) -> None:
    async def main() -> None:
        async with bridge.serve("127.0.0.1:0", {}) as port:
            with pytest.raises(PortInUse, match=f"127.0.0.1:{port} is in use"):
                async with bridge.serve(f"127.0.0.1:{port}", {}):
                    pass

    run_bridge(main)


def test_a_port_that_was_given_up_can_be_taken_at_once(run_bridge: Run) -> None:
    async def main() -> None:
        port = 0
        for _ in range(3):
            async with (
                bridge.serve(f"127.0.0.1:{port}", {"/t/Wait": wait_for_ever}, grace=0) as port,
                bridge.connect(f"127.0.0.1:{port}") as channel,
            ):
                await channel.open("/t/Wait")

    run_bridge(main)


def test_an_address_of_somebody_else_cannot_be_listened_on(run_bridge: Run) -> None:
    async def main() -> None:
        with pytest.raises(OSError, match="assign"):
            async with bridge.serve("192.0.2.1:0", {}):  # reserved for documentation
                pass

    run_bridge(main)


@pytest.mark.parametrize(
    "address", ["", "localhost", ":50", "localhost:", "localhost:65536", "h:x"]
)
def test_an_address_without_host_and_port_is_refused(run_bridge: Run, address: str) -> None:
    async def main() -> None:
        with pytest.raises(ValueError, match="is not HOST:PORT"):
            async with bridge.serve(address, {}):
                pass

    run_bridge(main)


def test_a_refused_connection_is_unavailable_at_once_and_can_be_tried_again(
    run_bridge: Run,
) -> None:
    async def main() -> None:
        port = free_port()
        async with bridge.connect(f"127.0.0.1:{port}") as channel:
            for _ in range(2):
                with pytest.raises(Unavailable, match=rf"127.0.0.1:{port}.*[Cc]onnection refused"):
                    await channel.open("/t/Wait", timeout=1000)
            async with bridge.serve(f"127.0.0.1:{port}", {"/t/Wait": wait_for_ever}, grace=0):
                while True:  # grpc waits a little before it dials again
                    try:
                        await channel.open("/t/Wait")
                    except Unavailable:
                        continue
                    break

    run_bridge(main)


def test_an_address_that_accepts_and_says_nothing_is_unavailable_after_the_timeout(
    run_bridge: Run,
) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"127.0.0.1:{silent.getsockname()[1]}"
            async with bridge.connect(address) as channel:
                with pytest.raises(Unavailable, match=r"within 0\.2 seconds"):
                    await channel.open("/t/Wait", timeout=0.2)

    run_bridge(main)


def test_opening_can_be_cancelled(run_bridge: Run) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = f"127.0.0.1:{silent.getsockname()[1]}"
            async with bridge.connect(address) as channel:
                with trio.move_on_after(0.1) as scope:
                    await channel.open("/t/Wait")
                assert scope.cancelled_caught

    run_bridge(main)


def test_a_channel_hangs_up_when_its_block_is_cancelled(run_bridge: Run) -> None:
    arrived, noticed = trio.Event(), trio.Event()

    async def handler(stream: Stream) -> None:
        arrived.set()
        with pytest.raises(Broken):
            await stream.receive()
        noticed.set()

    async def main() -> None:
        async with bridge.serve("127.0.0.1:0", {"/t/H": handler}) as port:
            with trio.CancelScope() as scope:
                async with bridge.connect(f"127.0.0.1:{port}", grace=1000) as channel:
                    opened = await channel.open("/t/H")
                    await arrived.wait()
                    scope.cancel()
                    await trio.sleep_forever()
            await noticed.wait()
            with pytest.raises(Broken):
                opened.send(b"more")

    run_bridge(main)


def test_a_channel_that_was_closed_opens_nothing(run_bridge: Run) -> None:
    async def main() -> None:
        async with bridge.connect("127.0.0.1:1") as channel:
            pass
        with pytest.raises(RuntimeError, match="closed"):
            await channel.open("/t/Wait")

    run_bridge(main)


def test_a_mebibyte_passes_and_a_byte_more_is_refused(run_bridge: Run) -> None:
    limit = 1 << 20
    received: list[int] = []
    outcome: list[Exception] = []
    ended = trio.Event()

    async def measure(stream: Stream) -> None:
        try:
            while True:
                received.append(len(await stream.receive()))
        except (Broken, trio.EndOfChannel) as error:
            outcome.append(error)
            ended.set()

    async def main() -> None:
        async with (
            bridge.serve("127.0.0.1:0", {"/t/Measure": measure}) as port,
            bridge.connect(f"127.0.0.1:{port}", max_message=2 * limit) as channel,
        ):
            stream = await channel.open("/t/Measure")
            stream.send(bytes(limit))
            await stream.flush()
            stream.send(bytes(limit + 1))
            with pytest.raises(Broken, match="larger than max"):
                await stream.receive()
            await ended.wait()

    run_bridge(main)
    assert received == [limit]
    assert [type(error) for error in outcome] == [Broken]


def test_a_client_that_goes_cancels_nothing_but_shows_at_the_next_operation(
    run_bridge: Run,
) -> None:
    outcomes: list[str] = []
    arrived, left, finished = trio.Event(), trio.Event(), trio.Event()

    async def handler(stream: Stream) -> None:
        arrived.set()
        await left.wait()
        while True:  # its going is on its way to us
            await trio.testing.wait_all_tasks_blocked()
            try:
                stream.send(b"are you there?")
            except Broken:
                outcomes.append("send")
                break
            except bridge.Overflow:
                continue
        with pytest.raises(Broken):
            await stream.receive()
        outcomes.append("receive")
        finished.set()

    async def main() -> None:
        async with bridge.serve("127.0.0.1:0", {"/t/H": handler}) as port:
            async with bridge.connect(f"127.0.0.1:{port}") as channel:
                await channel.open("/t/H")
                await arrived.wait()
            left.set()
            await finished.wait()

    run_bridge(main)
    assert outcomes == ["send", "receive"]


def test_a_handler_that_lets_broken_out_after_its_peer_went_has_not_failed(
    run_bridge: Run,
) -> None:
    errors: list[Exception] = []
    arrived = trio.Event()

    async def handler(stream: Stream) -> None:
        arrived.set()
        await stream.receive()

    async def main() -> None:
        async with (
            bridge.serve("127.0.0.1:0", {"/t/H": handler}, on_error=errors.append) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            await channel.open("/t/H")
            await arrived.wait()

    run_bridge(main)
    assert errors == []


def test_broken_that_a_handler_lets_out_while_its_peer_is_there_is_reported(
    run_bridge: Run,
) -> None:
    errors: list[Exception] = []

    async def handler(stream: Stream) -> None:
        raise Broken("another stream, say")

    async def main() -> None:
        async with (
            bridge.serve("127.0.0.1:0", {"/t/H": handler}, on_error=errors.append) as port,
            bridge.connect(f"127.0.0.1:{port}") as channel,
        ):
            stream = await channel.open("/t/H")
            with pytest.raises(Broken):
                await stream.receive()

    run_bridge(main)
    assert [str(error) for error in errors] == ["another stream, say"]


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped and silent"]
)
def test_a_client_process_that_vanishes_is_noticed(
    run_bridge: Run, start: Callable[..., subprocess.Popen[str]], number: signal.Signals
) -> None:
    arrived, noticed = trio.Event(), trio.Event()

    async def hold(stream: Stream) -> None:
        assert await stream.receive() == b"here"
        arrived.set()
        with pytest.raises(Broken):
            await stream.receive()
        noticed.set()

    async def main() -> None:
        async with bridge.serve("127.0.0.1:0", {"/t/Hold": hold}, keepalive=0.5) as port:
            client = start(CLIENT, f"127.0.0.1:{port}")
            await arrived.wait()
            os.kill(client.pid, number)
            await noticed.wait()

    run_bridge(main)


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped and silent"]
)
def test_a_server_process_that_vanishes_is_noticed(
    run_bridge: Run, start: Callable[..., subprocess.Popen[str]], number: signal.Signals
) -> None:
    async def main() -> None:
        server = start(SERVER)
        assert server.stdout is not None
        port = int(await trio.to_thread.run_sync(server.stdout.readline))
        async with bridge.connect(f"127.0.0.1:{port}", keepalive=0.5) as channel:
            stream = await channel.open("/t/Hold")
            assert await stream.receive() == b"here"
            os.kill(server.pid, number)
            with pytest.raises(Broken):
                await stream.receive()
            with pytest.raises(Broken):
                stream.send(b"hello?")

    run_bridge(main)


def test_a_terminated_server_process_tells_its_clients_and_says_what_stopped_it(
    run_bridge: Run, start: Callable[..., subprocess.Popen[str]]
) -> None:
    catching = SERVER.replace("bridge.run(main)", "") + (
        "try:\n    bridge.run(main)\nexcept bridge.Interrupted as error:\n    print(error)\n"
    )

    async def main() -> None:
        server = start(catching)
        assert server.stdout is not None
        port = int(await trio.to_thread.run_sync(server.stdout.readline))
        async with bridge.connect(f"127.0.0.1:{port}") as channel:
            stream = await channel.open("/t/Hold")
            assert await stream.receive() == b"here"
            os.kill(server.pid, signal.SIGTERM)
            with pytest.raises(Broken, match="the server is stopping"):
                await stream.receive()
        assert await trio.to_thread.run_sync(server.stdout.read) == "stopped by SIGTERM\n"
        assert await trio.to_thread.run_sync(server.wait) == 0

    run_bridge(main)
