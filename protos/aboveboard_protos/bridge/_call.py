"""A stream that a grpc call carries: what the server's and the client's have in common.

Two tasks of the host loop serve it for as long as the call lives: one reads, and one,
from the first message on, sends. ``send`` only wakes the latter, so everything that trio
tasks answer in one tick goes out together after it, which is where the speed comes from.
"""

import asyncio
import time
from abc import abstractmethod
from typing import Any

import trio

from ._buffered import BufferedStream, Limits
from ._host import Host
from ._quiet_grpc import grpc
from .errors import Broken

CALL_IS_OVER = (
    grpc.aio.BaseError,
    grpc.aio.AioRpcError,
    asyncio.InvalidStateError,
    asyncio.CancelledError,
)
"""What grpc raises at an operation on a call that has ended, by whatever cause."""

GONE = "the peer has gone"


class CallStream(BufferedStream):
    """A `BufferedStream` over any object with grpc's ``read`` and ``write``."""

    def __init__(self, host: Host, limits: Limits, peer: str, call: Any) -> None:
        super().__init__(limits, peer, time.perf_counter)
        self._host = host
        # Let go when the call is over: grpc's objects must not outlive the host loop in the
        # traceback of somebody's exception.
        self._call: Any | None = call
        self._sending = False
        self._more: asyncio.Future[None] | None = None  # what a sender without work waits for
        self._room: asyncio.Future[None] | None = None

    def _start_sending(self) -> None:
        if self._more is not None:
            more, self._more = self._more, None
            more.set_result(None)
        elif not self._sending:
            self._sending = True
            self._host.spawn(self._send_all())

    async def _send_all(self) -> None:
        """Give grpc what is in the outbox until that is closed or the call is over.

        One task for all messages: one for each costs as much as a part of the writing.
        """
        call: Any = self._call
        outbox = self._outbox
        try:
            while self._call is not None:
                await outbox.drain(call.write)
                if outbox.failed:
                    return
                if outbox.closed:
                    await self._finish()
                    return
                self._more = self._host.loop.create_future()
                await self._more
        except CALL_IS_OVER:
            outbox.fail(lambda: Broken(GONE))  # what ended the call, the reader will tell
        finally:
            self._more = None

    def _let_go(self) -> None:
        """The call is over: nothing of grpc's is held here any longer, and nobody waits."""
        self._call = None
        if self._more is not None:
            self._start_sending()
        self._resume()  # a reader that waited for room meets the end of the call

    async def _read_all(self) -> None:
        """Take messages from grpc until it has no more; returns at the peer's clean end.

        While the inbox is full nothing is read, so that the peer meets grpc's flow control.
        """
        call: Any = self._call
        inbox = self._inbox
        while (message := await call.read()) is not grpc.aio.EOF:
            self._deliver(message)
            if inbox.full:
                self._room = self._host.loop.create_future()
                await self._room

    def _resume(self) -> None:
        if self._room is not None and not self._room.done():
            self._room.set_result(None)

    @abstractmethod
    async def _finish(self) -> None:
        """Say to the peer that all has been sent."""


def end_of_channel() -> Exception:
    return trio.EndOfChannel("the stream has ended")
