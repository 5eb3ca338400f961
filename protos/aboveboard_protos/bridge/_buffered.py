"""What every stream has in common, whatever carries it: two buffers and an order of ending."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, NoReturn

import trio

from ._buffers import Inbox, Outbox
from ._rate import Meter, Rate
from .errors import Broken

DEFAULT_MAX_MESSAGE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one stream may hold. ``max_*`` and ``*_bytes`` are bytes, the others messages.

    ``inbound_messages`` and ``inbound_bytes`` are what may lie unread before the peer is
    held back; one more message and the transport's own window of some 64 KiB come on top.
    A peer that sends faster than ``rate`` is cut off.
    """

    max_message: int = DEFAULT_MAX_MESSAGE
    inbound_messages: int = 64
    outbound_messages: int = 256
    outbound_bytes: int = 4 << 20
    inbound_bytes: int = 1 << 20
    rate: Rate | None = None

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if name != "rate" and getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1")


class BufferedStream(ABC):
    """A `Stream` over an `Inbox` and an `Outbox`; a transport fills in four calls."""

    def __init__(self, limits: Limits, peer: str, clock: Callable[[], float]) -> None:
        self._inbox = Inbox(limits.inbound_messages, limits.inbound_bytes, self._resume)
        self._meter = None if limits.rate is None else Meter(limits.rate, clock)
        self._outbox = Outbox(limits.outbound_messages, limits.outbound_bytes, limits.max_message)
        self._peer = peer

    @property
    def peer(self) -> str:
        return self._peer

    @property
    def dead(self) -> bool:
        return self._outbox.failed or self._outbox.closed

    def receive(self) -> Coroutine[Any, Any, bytes]:
        return self._inbox.receive()

    def hand_to(self, take: Callable[[bytes], None]) -> Coroutine[Any, Any, NoReturn]:
        return self._inbox.hand_to(take)

    def receive_nowait(self) -> bytes:
        return self._inbox.receive_nowait()

    def send(self, message: bytes) -> None:
        self._outbox.put(message)
        self._start_sending()

    async def flush(self) -> None:
        await self._outbox.flush()

    async def aclose(self) -> None:
        if self.dead:
            await trio.lowlevel.checkpoint()
            return
        self._outbox.close()
        self._start_sending()
        try:
            await self._outbox.flush()
        except Broken:
            return  # there is nobody left to close it for
        except trio.Cancelled:
            self.abort("closing it took too long")
            raise

    def abort(self, text: str = "") -> None:
        if self._outbox.failed:
            return
        self._break(text or "this end of the stream was aborted")
        self._drop(text)
        self._inbox.discard()

    def _deliver(self, message: bytes) -> None:
        """The peer's next message has come: it is put into the inbox if it keeps to its rate."""
        if self._meter is None or self._meter.take(len(message)):
            self._inbox.put(message)
        else:
            self.abort(f"it sends more than {self._meter}")

    def _break(self, text: str) -> None:
        """End both directions as broken; what came in before can still be read."""
        self._inbox.end(lambda: Broken(text))
        self._outbox.fail(lambda: Broken(text))

    @abstractmethod
    def _resume(self) -> None:
        """The inbox has room again after it was full."""

    @abstractmethod
    def _start_sending(self) -> None:
        """The outbox has something to send, or was closed and is owed its end."""

    @abstractmethod
    def _drop(self, text: str) -> None:
        """Tell the peer that the stream is dropped, at once."""
