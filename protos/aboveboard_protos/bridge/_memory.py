"""Two joined ends of a stream in memory, for tests and for peers in one process."""

from dataclasses import replace

import trio

from ._buffered import DEFAULT_MAX_MESSAGE, BufferedStream, Limits
from ._rate import Rate
from .errors import Broken
from .stream import Stream


class _MemoryStream(BufferedStream):
    """Messages move into the other end's inbox as far as it has room, at once."""

    _other: "_MemoryStream"

    def __init__(self, limits: Limits, peer: str, *, accepted: bool) -> None:
        super().__init__(limits, peer, trio.current_time)
        self._accepted = accepted

    def _start_sending(self) -> None:
        other = self._other
        while self._outbox and not other._inbox.full:
            message = self._outbox.first()
            self._outbox.sent()
            other._deliver(message)
        if self._outbox.closed and not self._outbox:
            self._finish()

    def _resume(self) -> None:
        self._other._start_sending()

    def _finish(self) -> None:
        """As in gRPC: whoever opened the stream closes half of it, the other side all."""
        self._other._inbox.end(_end_of_channel)
        if self._accepted:
            self._inbox.end(_end_of_channel)
            self._other._outbox.fail(lambda: Broken("the peer has ended the stream"))

    def _drop(self, text: str) -> None:
        told = text if self._accepted else ""
        self._other._break(told or "the peer dropped the stream")


def _end_of_channel() -> Exception:
    return trio.EndOfChannel("the stream has ended")


def memory_pair(
    *,
    max_message: int = DEFAULT_MAX_MESSAGE,
    inbound_messages: int = 64,
    outbound_messages: int = 256,
    outbound_bytes: int = 4 << 20,
    inbound_bytes: int = 1 << 20,
    rate: Rate | None = None,
) -> tuple[Stream, Stream]:
    """Two joined streams: the end that opened it, and the end that accepted it.

    They behave as those over gRPC do, without any transport between: they work under
    plain trio and its mock clock. Limits are each end's own, see `serve`; ``rate`` is for what
    the accepting end is sent.
    """
    limits = Limits(max_message, inbound_messages, outbound_messages, outbound_bytes, inbound_bytes)
    opened = _MemoryStream(limits, "memory:accepted", accepted=False)
    accepted = _MemoryStream(replace(limits, rate=rate), "memory:opened", accepted=True)
    opened._other, accepted._other = accepted, opened
    return opened, accepted
