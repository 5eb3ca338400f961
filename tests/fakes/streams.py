"""Two joined ends of a stream in memory, with the manners of the bridge's."""

from collections import deque
from typing import Self

import trio

from aboveboard_protos.bridge import Broken


class MemoryStream:
    """One end. What is sent after the other end has gone raises ``Broken``."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self._other = self
        self._inbox: deque[bytes] = deque()
        self._end: Exception | None = None
        self._lot = trio.lowlevel.ParkingLot()

    @classmethod
    def pair(cls) -> "tuple[Self, Self]":
        left, right = cls(), cls()
        left._other, right._other = right, left
        return left, right

    @property
    def peer(self) -> str:
        return "memory"

    @property
    def ended(self) -> bool:
        return self._end is not None

    async def receive(self) -> bytes:
        await trio.lowlevel.checkpoint()
        while not self._inbox:
            if self._end is not None:
                raise self._end
            await self._lot.park()
        return self._inbox.popleft()

    def receive_nowait(self) -> bytes:
        if self._inbox:
            return self._inbox.popleft()
        raise self._end or trio.WouldBlock

    def send(self, message: bytes) -> None:
        if self._end is not None:
            raise Broken("the stream has ended")
        self.sent.append(message)
        self._other._inbox.append(message)
        self._other._lot.unpark_all()

    async def flush(self) -> None:
        await trio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        """End the stream in order; the other end reads what is still there."""
        await trio.lowlevel.checkpoint()
        self._finish(trio.EndOfChannel())

    def abort(self, text: str = "") -> None:
        self._finish(Broken(text or "aborted"))

    def _finish(self, error: Exception) -> None:
        for end in (self, self._other):
            if end._end is None:
                end._end = error
                end._lot.unpark_all()
