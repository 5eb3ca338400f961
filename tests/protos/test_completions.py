"""What grpc has completed is fetched all at once."""

import asyncio
import functools
import gc
import importlib
import socket
from collections.abc import Callable
from typing import Any

import pytest
import trio

from aboveboard_protos import bridge
from aboveboard_protos.bridge._completions import Drained, fetch_at_once

Run = Callable[..., Any]


class PollerCompletionQueue:
    """Reads as grpc's own does: a byte a call."""

    def __init__(self, reader: socket.socket) -> None:
        self._reader = reader
        self.calls = 0

    def handle(self, loop: asyncio.AbstractEventLoop) -> None:
        assert self._reader.recv(1)
        self.calls += 1
        loop.call_soon(loop.stop)


class Others(PollerCompletionQueue):
    """Somebody else who reads from a socket."""


def calls(kind: type[PollerCompletionQueue], loop: asyncio.AbstractEventLoop) -> int:
    """How often a handler is called for three bytes that are there together."""
    reader, writer = socket.socketpair()
    with reader, writer:
        reader.setblocking(False)
        queue = kind(reader)
        loop.add_reader(reader, functools.partial(queue.handle, loop))
        writer.sendall(b"111")
        loop.run_forever()
        loop.call_soon(loop.call_soon, loop.stop)  # another look at what is ready
        loop.run_forever()
        loop.remove_reader(reader)
        return queue.calls


@pytest.mark.parametrize("library", ["uvloop", "asyncio"])
def test_many_completions_cost_grpcs_handler_one_call(library: str) -> None:
    loop = importlib.import_module(library).new_event_loop()
    try:
        fetch_at_once(loop)
        assert calls(PollerCompletionQueue, loop) == 1
        assert calls(Others, loop) > 1
    finally:
        loop.close()


class Stale(PollerCompletionQueue):
    """Has two completions of a loop that is closed before those of this one."""

    def __init__(self, reader: socket.socket) -> None:
        super().__init__(reader)
        self.stale = 2

    def handle(self, loop: asyncio.AbstractEventLoop) -> None:
        assert self._reader.recv(1)
        if self.stale:
            self.stale -= 1
            raise RuntimeError("Event loop is closed")
        self.calls += 1
        loop.call_soon(loop.stop)


Stale.__name__ = PollerCompletionQueue.__name__


@pytest.mark.parametrize("library", ["uvloop", "asyncio"])
def test_completions_of_a_loop_that_is_closed_hide_none_of_this_one(library: str) -> None:
    loop = importlib.import_module(library).new_event_loop()
    try:
        fetch_at_once(loop)
        assert calls(Stale, loop) == 1
    finally:
        loop.close()


def test_the_installed_grpc_is_built_as_that_expects(run_bridge: Run) -> None:
    async def handler(stream: bridge.Stream) -> None:
        raise AssertionError("nobody calls")

    async def main() -> None:
        async with bridge.serve("127.0.0.1:0", {"/demo/None": handler}):
            assert any(type(found) is Drained for found in gc.get_objects())
            await trio.lowlevel.checkpoint()

    run_bridge(main)
