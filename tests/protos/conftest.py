"""Both kinds of streams behind one call, and every loop that the bridge can run on."""

import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import trio
import trio.testing

from aboveboard_protos import bridge
from aboveboard_protos.bridge import Stream, _ticks

METHOD = "/aboveboard.test.Test/Test"
PATIENCE = 30.0
"""Real seconds that anything over loopback may take before a test fails."""

PairTest = Callable[[Stream, Stream], Awaitable[None]]
RunPair = Callable[..., None]


def over_memory(test: PairTest, **limits: Any) -> None:
    async def main() -> None:
        opened, accepted = bridge.memory_pair(**limits)
        await test(opened, accepted)

    trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


def over_grpc(test: PairTest, **limits: Any) -> None:
    async def main() -> None:
        accepted: list[Stream] = []
        arrived, done = trio.Event(), trio.Event()

        async def handler(stream: Stream) -> None:
            accepted.append(stream)
            arrived.set()
            await done.wait()

        with trio.fail_after(PATIENCE):
            async with (
                bridge.serve("127.0.0.1:0", {METHOD: handler}, grace=0, **limits) as port,
                bridge.connect(f"127.0.0.1:{port}", grace=0, **limits) as channel,
            ):
                opened = await channel.open(METHOD)
                await arrived.wait()
                try:
                    await test(opened, accepted[0])
                finally:
                    done.set()

    bridge.run(main)


@pytest.fixture(params=[over_memory, over_grpc], ids=["memory", "grpc"])
def run_pair(request: pytest.FixtureRequest) -> RunPair:
    """``run_pair(test, **limits)`` runs ``test(opened, accepted)`` on a fresh pair."""
    run: RunPair = request.param
    return run


@pytest.fixture
def run_bridge() -> Callable[..., Any]:
    """``run_bridge(main)`` runs a trio function on the bridge, with a generous deadline."""

    def run(main: Callable[[], Awaitable[Any]], **options: Any) -> Any:
        async def bounded() -> Any:
            with trio.fail_after(PATIENCE):
                return await main()

        return bridge.run(bounded, **options)

    return run


@pytest.fixture(params=["uvloop", "asyncio", "another trio"])
def loop(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Tests with this run on each loop, and with a trio that cannot be looked into.

    Without uvloop asyncio's own loop is taken, and with another trio its plain guest mode.
    """

    def look_inside(tick: object) -> None:
        raise AttributeError("built otherwise")

    if request.param == "asyncio":
        monkeypatch.setitem(sys.modules, "uvloop", None)
        return "asyncio"
    if request.param == "another trio":
        monkeypatch.setattr(_ticks, "look_inside", look_inside)
    return "uvloop"
