"""Streams in memory in place of the bridge."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import trio

from aboveboard_protos.bridge import Handler, Stream, memory_pair


class Network:
    """Stands in for the bridge: whoever dials gets a stream in memory, once a server listens.

    Handlers are contained as the bridge contains them; what they let out is in ``errors``.
    """

    def __init__(self) -> None:
        self.errors: list[Exception] = []
        self.listening = trio.Event()
        self._handlers: Mapping[str, Handler] = {}

    @asynccontextmanager
    async def serve(
        self,
        _address: str,
        handlers: Mapping[str, Handler],
        *,
        on_error: Callable[[Exception], None] = lambda _: None,
        **_limits: object,
    ) -> AsyncIterator[int]:
        self._handlers = handlers
        self._on_error = on_error
        async with trio.open_nursery() as self._nursery:
            self.listening.set()
            try:
                yield 50051
                await trio.sleep(0.5)
            finally:
                self._nursery.cancel_scope.cancel()

    async def dial(self, method: str) -> Stream:
        await self.listening.wait()
        mine, theirs = memory_pair()
        self.accept(method, theirs)
        return mine

    def accept(self, method: str, stream: Stream) -> None:
        """Have a stream handled as if it had come over the network."""
        if self._nursery.cancel_scope.cancel_called:
            stream.abort("the server is stopping")
            return
        self._nursery.start_soon(self._handle, self._handlers[method], stream)

    async def _handle(self, handler: Handler, stream: Stream) -> None:
        try:
            await handler(stream)
            await stream.aclose()
        except Exception as error:  # noqa: BLE001  # as the bridge does
            stream.abort("internal error")
            self.errors.append(error)
            self._on_error(error)
        finally:
            stream.abort("the server is stopping")
