"""What the control stream and the match streams have in common."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import trio

from aboveboard_client.session.reconnect import Lost
from aboveboard_protos.bridge import Broken, Overflow, Stream

PING_SECONDS = 20
SILENT_PINGS = 3
"""After so many pings without any sign of life the connection counts as lost."""


class OpenStream(Protocol):
    """Opens a stream for as long as a block lasts, each time a new one.

    Entering may raise ``Unavailable`` or ``Broken``.
    """

    def __call__(self) -> AbstractAsyncContextManager[Stream]: ...


async def receive(stream: Stream, ping: Callable[[int], None], who: str, what: str) -> bytes:
    """The next message from ``who``, whom ``what`` still has to do with; raises ``Lost``.

    ``ping`` sends the ping of a number; it is called in silence.
    """
    for number in range(1, SILENT_PINGS + 1):
        with trio.move_on_after(PING_SECONDS):
            try:
                return await stream.receive()
            except trio.EndOfChannel:
                raise Lost(f"{who} ended the connection before the {what} was over") from None
            except Broken as error:
                raise Lost(f"the connection to {who} is lost: {error}") from error
        ping(number)
    raise Lost(f"{who} was silent for {PING_SECONDS * SILENT_PINGS} s")


def send(stream: Stream, data: bytes, who: str) -> None:
    """Put a message on its way. Whoever receives finds out where that failed."""
    try:
        stream.send(data)
    except Overflow:
        stream.abort(f"{who} does not read what it is sent")
    except Broken:
        return
