"""The one interface through which everything above the bridge talks to a peer."""

from collections.abc import Awaitable, Callable
from typing import NoReturn, Protocol


class Stream(Protocol):
    """One bidirectional stream of messages, each a sequence of bytes, in order both ways.

    For use from trio tasks of one thread. Nothing here checks what the messages say.
    """

    async def receive(self) -> bytes:
        """The next message; waits for one.

        Returns at once, without a checkpoint, while unread messages are there; these are
        bounded, so a loop around it cannot run on for ever.

        Raises ``trio.EndOfChannel`` after the last message of a stream that ended in good
        order, ``Broken`` after the last message of one that did not, and
        ``trio.BusyResourceError`` where another task waits here already.
        """
        ...

    async def hand_to(self, take: Callable[[bytes], None]) -> NoReturn:
        """Give each message to ``take`` when it comes; raises at the end as `receive` does.

        For whoever only puts messages somewhere else: no task is woken for it. ``take`` is
        called in the transport's turn; it must be short and is not held back, so it has to
        bound what it keeps, and may abort the stream for that. An error that it lets out
        is raised here. Cancelled, this leaves what comes from then on to `receive`.
        """
        ...

    def receive_nowait(self) -> bytes:
        """The next message if it is there, else ``trio.WouldBlock`` or what `receive` raises."""
        ...

    def send(self, message: bytes) -> None:
        """Put a message on its way, without waiting. The peer gets messages in this order.

        Raises ``Overflow`` if the outbound buffer has no room for it, ``Broken`` if the
        stream has ended or this end was closed, and ``ValueError`` if the message is
        longer than any that this side may send.
        """
        ...

    async def flush(self) -> None:
        """Wait until all that was sent is with the transport. This is no receipt by the peer.

        Raises ``Broken`` if some of it never will be.
        """
        ...

    async def aclose(self) -> None:
        """End this side in good order after all that was sent; the peer then sees the end.

        Closing a stream that is closed or broken does nothing. Waits as long as `flush`
        does; cancelled in that, it aborts. On the side that accepted the stream this ends
        it as a whole; on the side that opened it the peer's messages can still be received.
        """
        ...

    def abort(self, text: str = "") -> None:
        """Drop the stream at once, with what has not left yet or was not read yet.

        The peer sees ``Broken``, with ``text`` if it was the one to open the stream. Both
        directions raise ``Broken`` here, also in a task that waits. Does nothing on a
        stream that has ended.
        """
        ...

    @property
    def dead(self) -> bool:
        """Whether nothing that is sent from now on can reach the peer."""
        ...

    @property
    def peer(self) -> str:
        """Where the other side is, for people to read."""
        ...


Handler = Callable[[Stream], Awaitable[None]]
