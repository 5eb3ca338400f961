"""What grpc has completed, fetched all at once instead of one by one.

For each operation that is complete, grpc's poller thread writes a byte into a socket. Its
handler on the loop reads one byte, and then takes all that is complete; so of many bytes that
are there together each costs a turn of the loop, and all but the first find nothing. Under
load that is nine turns in ten. Here the handler's socket gives it all bytes at its first call.
Nothing is missed by that: an operation is complete before its byte is written.

What is complete can be of an earlier loop in this process, which is closed by now. Then the
handler takes it, raises, and would need another byte to take the rest. It is called again.
"""

import asyncio
import functools
import logging
import socket
from collections.abc import Callable

log = logging.getLogger(__name__)

_ENOUGH = 4096
_STALE = 10_000
"""Most completions of closed loops that are passed over at once."""


class Drained(socket.socket):
    """A socket of single bytes, each of which says the same."""

    __slots__ = ()  # so that a socket that is there already can become one

    def recv(self, _size: int, flags: int = 0) -> bytes:
        try:
            return super().recv(_ENOUGH, flags)
        except BlockingIOError:
            return b"1"  # for a handler that is called again


def fetch_at_once(loop: asyncio.AbstractEventLoop) -> None:
    """Have grpc's handler fetch so on ``loop``; to be called before grpc sees the loop.

    Where grpc is not built as expected, everything stays as it is.
    """
    add_reader = loop.add_reader

    def add(fd: object, callback: Callable[..., object], *args: object) -> None:
        if isinstance(fd, socket.socket) and _is_pollers(callback):
            fd.__class__ = Drained
            callback = functools.partial(_to_the_end, callback)
        add_reader(fd, callback, *args)  # type: ignore[arg-type]  # as it came

    loop.add_reader = add  # type: ignore[method-assign]  # a loop has no other hook


def _to_the_end(handler: Callable[..., object], *args: object) -> None:
    """Call grpc's handler until it has taken all that is complete."""
    for _ in range(_STALE):
        try:
            handler(*args)
            return
        except RuntimeError as error:  # asyncio's and uvloop's word for a loop that is closed
            log.debug("a completion of an earlier loop was passed over: %s", error)


def _is_pollers(callback: object) -> bool:
    handler = callback.func if isinstance(callback, functools.partial) else None
    return type(getattr(handler, "__self__", None)).__name__ == "PollerCompletionQueue"
