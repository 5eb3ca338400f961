"""grpc's own tools find out whether a server is well, and what it can be asked for."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest

from aboveboard_protos import bridge
from aboveboard_protos.bridge import Broken, memory_pair
from aboveboard_protos.v1 import bodies_pb2, service_pb2

Run = Callable[..., Any]
LOBBY = "aboveboard.v1.Lobby"
ROOT = Path(__file__).parents[2]

Ask = Callable[[str], Any]
"""Gets the answer to a question."""


@asynccontextmanager
async def asking(health: bridge.Health, reflection: bridge.Reflection) -> AsyncIterator[Ask]:
    """A server of both, and a client that is asked a line at a time."""
    handlers = {**health.handlers, **reflection.handlers}
    async with bridge.serve("127.0.0.1:0", handlers, grace=0) as port:
        process = await trio.lowlevel.open_process(
            [sys.executable, "-m", "tests.protos.asking_grpc", f"127.0.0.1:{port}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        told = b""

        async def ask(question: str) -> Any:
            nonlocal told
            assert process.stdin is not None
            assert process.stdout is not None
            await process.stdin.send_all(question.encode() + b"\n")
            while b"\n" not in told:
                told += await process.stdout.receive_some()
            line, told = told.split(b"\n", 1)
            return json.loads(line)

        try:
            yield ask
            await process.stdin.aclose()
            await process.wait()
        finally:
            process.kill()


def made() -> tuple[bridge.Health, bridge.Reflection]:
    reflection = bridge.Reflection([LOBBY], [service_pb2.DESCRIPTOR, bodies_pb2.DESCRIPTOR])
    return bridge.Health([LOBBY]), reflection


def test_health_is_checked_and_watched_by_grpcs_own_client(run_bridge: Run) -> None:
    async def main() -> None:
        health, reflection = made()
        async with asking(health, reflection) as ask:
            assert await ask("check") == "NOT_SERVING"
            health.set(True)
            assert await ask("check") == "SERVING"
            assert await ask(f"check {LOBBY}") == "SERVING"
            assert await ask("check nobody.Knows") == "NOT_FOUND"
            assert await ask(f"watch {LOBBY}") == "SERVING"
            health.set(False)
            assert await ask("next") == "NOT_SERVING"
            health.set(True)
            assert await ask("next") == "SERVING"
            assert await ask("cancel") == "cancelled"
            assert await ask("watch nobody.Knows") == "SERVICE_UNKNOWN"

    run_bridge(main)


def test_reflection_lists_services_and_gives_the_files_of_their_messages(run_bridge: Run) -> None:
    async def main() -> None:
        async with asking(*made()) as ask:
            for version in ("v1", "v1alpha"):
                listed = await ask(f"{version} list_services *")
                assert listed == [
                    LOBBY,
                    "grpc.health.v1.Health",
                    "grpc.reflection.v1.ServerReflection",
                    "grpc.reflection.v1alpha.ServerReflection",
                ]
                for symbol in (*listed, "aboveboard.v1.Join", f"{LOBBY}.Control"):
                    files = await ask(f"{version} file_containing_symbol {symbol}")
                    assert isinstance(files, list), symbol
                assert files == [service_pb2.DESCRIPTOR.name]
                body = await ask(f"{version} file_containing_symbol aboveboard.v1.MatchOpen")
                assert body == [bodies_pb2.DESCRIPTOR.name]
                name = bodies_pb2.DESCRIPTOR.name
                assert await ask(f"{version} file_by_filename {name}") == [name]
                assert await ask(f"{version} file_by_filename /etc/passwd") == 5
                assert await ask(f"{version} file_containing_symbol no.Such") == 5
                assert await ask(f"{version} all_extension_numbers_of_type {LOBBY}") == 5

    run_bridge(main)


def test_a_watcher_that_goes_is_forgotten() -> None:
    async def main() -> None:
        health, _ = made()
        mine, theirs = memory_pair()
        mine.send(b"")
        with trio.fail_after(20):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(health.handlers["/grpc.health.v1.Health/Watch"], theirs)
                await mine.receive()
                mine.abort()

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


@pytest.mark.parametrize("method", ["/grpc.health.v1.Health/Check", "reflection"])
def test_nobody_stays_without_a_question(method: str) -> None:
    async def main() -> None:
        health, reflection = made()
        handlers = {**health.handlers, "reflection": next(iter(reflection.handlers.values()))}
        _mine, theirs = memory_pair()
        with pytest.raises(bridge.CallRefused):
            await handlers[method](theirs)

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


def test_nobody_stays_without_reading_the_answers() -> None:
    async def main() -> None:
        _, reflection = made()
        (handler, *_) = reflection.handlers.values()
        mine, theirs = memory_pair(inbound_messages=1)
        for _ in range(3):
            mine.send(ServerReflectionRequest(list_services="*").SerializeToString())
        with trio.fail_after(600), pytest.raises(bridge.CallRefused):
            await handler(theirs)

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


def test_what_is_no_question_ends_the_call() -> None:
    async def main() -> None:
        health, reflection = made()
        for handler in (*health.handlers.values(), *reflection.handlers.values()):
            mine, theirs = memory_pair()
            mine.send(b"\xff\xff\xff")
            with pytest.raises(bridge.CallRefused):
                await handler(theirs)
            theirs.abort()
            with pytest.raises(Broken):
                await mine.receive()

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
