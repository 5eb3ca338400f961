"""The two halves of a stream on trio's side: what has come in, and what is to go out.

Both are bounded. They know trio and no transport, so the same code serves gRPC and the
in-memory pair. The transport's calls (``put``, ``end``, ``sent``, ``fail``) may come from
the host loop's callbacks as well as from trio tasks: all run in one thread.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import NoReturn

import outcome
import trio

from .errors import Broken, Overflow

Ending = Callable[[], Exception]
"""Makes the exception that ends a direction: a fresh one for everybody who meets it."""


class Inbox:
    """Messages that the peer sent and nobody has read.

    The waiting task is parked by itself instead of on a memory channel, which would cost
    a checkpoint for every message: all that arrives in one turn of the host loop wakes
    trio once.
    """

    def __init__(self, limit: int, max_bytes: int, on_room: Callable[[], None]) -> None:
        self._messages: deque[bytes] = deque()
        self._size = 0
        self._limit = limit
        self._max_bytes = max_bytes
        self._on_room = on_room
        self._held_back = False
        self._ending: Ending | None = None
        self._receiver: trio.lowlevel.Task | None = None
        self._take_it: Callable[[bytes], None] | None = None

    @property
    def full(self) -> bool:
        """Whether the transport should hold back. ``on_room`` is called when it may go on."""
        self._held_back = len(self._messages) >= self._limit or self._size >= self._max_bytes
        return self._held_back

    @property
    def ended(self) -> bool:
        return self._ending is not None

    def put(self, message: bytes) -> None:
        if self._ending is not None:
            return
        if self._take_it is None:
            self._messages.append(message)
            self._size += len(message)
            self._wake()
            return
        try:
            self._take_it(message)
        except Exception as error:  # noqa: BLE001  # raised where its function was given
            self._take_it = None
            self._wake(error)

    def end(self, ending: Ending) -> None:
        """Nothing follows. Of several endings the first counts."""
        if self._ending is None:
            self._ending = ending
            self._wake()

    def discard(self) -> None:
        """Forget what is unread, and let the transport go on towards the stream's end."""
        self._messages.clear()
        self._size = 0
        if self._held_back:
            self._held_back = False
            self._on_room()

    async def receive(self) -> bytes:
        while not self._messages:
            await self._wait()
        return self._take()

    async def hand_to(self, take: Callable[[bytes], None]) -> NoReturn:
        while self._messages:
            take(self._take())
        if self._receiver is None:  # else `_wait` refuses this task, and the other goes on
            self._take_it = take
        while True:
            await self._wait()

    def receive_nowait(self) -> bytes:
        if self._messages:
            return self._take()
        raise trio.WouldBlock if self._ending is None else self._ending()

    async def _wait(self) -> None:
        """Wait for a message or the end, which is raised."""
        if self._ending is not None:
            await trio.lowlevel.checkpoint()
            raise self._ending()
        if self._receiver is not None:
            raise trio.BusyResourceError("another task is waiting for a message already")
        self._receiver = trio.lowlevel.current_task()
        await trio.lowlevel.wait_task_rescheduled(self._abandon)

    def _take(self) -> bytes:
        message = self._messages.popleft()
        self._size -= len(message)
        # At half the limit, so that a busy stream is not stopped and started at every message.
        if (
            self._held_back
            and len(self._messages) <= self._limit // 2
            and self._size <= self._max_bytes // 2
        ):
            self._held_back = False
            self._on_room()
        return message

    def _wake(self, error: Exception | None = None) -> None:
        if self._receiver is not None:
            receiver, self._receiver = self._receiver, None
            result = outcome.Value(None) if error is None else outcome.Error(error)
            trio.lowlevel.reschedule(receiver, result)

    def _abandon(self, _: object) -> trio.lowlevel.Abort:
        self._receiver = self._take_it = None
        return trio.lowlevel.Abort.SUCCEEDED


class Outbox:
    """Messages that were sent here and that the transport does not have yet.

    A message counts until the transport is done with it. Limits are in messages and bytes.
    """

    def __init__(self, max_messages: int, max_bytes: int, max_message: int) -> None:
        self._messages: deque[bytes] = deque()
        self._size = 0
        self._max_messages = max_messages
        self._max_bytes = max_bytes
        self._max_message = max_message
        self._closed = False
        self._failure: Ending | None = None
        self._dropped = False
        self._emptied: trio.Event | None = None

    def __len__(self) -> int:
        return len(self._messages)

    @property
    def closed(self) -> bool:
        return self._closed

    @property
    def failed(self) -> bool:
        return self._failure is not None

    def put(self, message: bytes) -> None:
        if self._failure is not None:
            raise self._failure()
        if self._closed:
            raise Broken("this end of the stream is closed")
        if len(message) > self._max_message:
            raise ValueError(
                f"a message of {len(message)} bytes is longer than {self._max_message}"
            )
        if len(self._messages) >= self._max_messages:
            raise Overflow(f"{len(self._messages)} messages wait for the peer already")
        if self._size + len(message) > self._max_bytes:
            raise Overflow(f"{self._size} bytes wait for the peer already")
        self._messages.append(message)
        self._size += len(message)

    async def drain(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Give the transport one message after the other, until none is left."""
        messages = self._messages
        while messages:
            await write(messages[0])
            self.sent()

    def first(self) -> bytes:
        """The message whose turn it is; it stays until `sent`."""
        return self._messages[0]

    def sent(self) -> None:
        """The transport has taken the first message."""
        if self._messages:  # not if the stream failed meanwhile
            self._size -= len(self._messages.popleft())
            if self._emptied is not None and not self._messages:
                self._release()

    def close(self) -> None:
        """Take no further message; those that wait still leave."""
        self._closed = True

    def fail(self, ending: Ending) -> None:
        """What waits will never leave. Of several endings the first counts."""
        if self._failure is None:
            self._failure = ending
            self._dropped = bool(self._messages)
        self._messages.clear()
        self._size = 0
        self._release()

    async def flush(self) -> None:
        await trio.lowlevel.checkpoint_if_cancelled()
        while self._messages:
            if self._emptied is None:
                self._emptied = trio.Event()
            await self._emptied.wait()
        if self._dropped and self._failure is not None:
            raise self._failure()

    def _release(self) -> None:
        if self._emptied is not None:
            self._emptied.set()
            self._emptied = None
