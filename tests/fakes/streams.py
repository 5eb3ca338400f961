"""A stream in memory whose opening end remembers what was sent by it."""

from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from aboveboard_protos.bridge import Stream, memory_pair


class Remembering:
    """A stream like the one that it wraps; ``sent`` holds every message, oldest first."""

    def __init__(self, stream: Stream) -> None:
        self.sent: list[bytes] = []
        self._stream = stream

    def receive(self) -> Coroutine[Any, Any, bytes]:
        return self._stream.receive()

    def hand_to(self, take: Callable[[bytes], None]) -> Coroutine[Any, Any, NoReturn]:
        return self._stream.hand_to(take)

    def receive_nowait(self) -> bytes:
        return self._stream.receive_nowait()

    def send(self, message: bytes) -> None:
        self._stream.send(message)
        self.sent.append(message)

    async def flush(self) -> None:
        await self._stream.flush()

    async def aclose(self) -> None:
        await self._stream.aclose()

    def abort(self, text: str = "") -> None:
        self._stream.abort(text)

    @property
    def dead(self) -> bool:
        return self._stream.dead

    @property
    def peer(self) -> str:
        return self._stream.peer


def remembering_pair() -> tuple[Remembering, Stream]:
    """Two joined ends: the bot's, and that of whoever it talks to."""
    opened, accepted = memory_pair()
    return Remembering(opened), accepted
