"""How a bot's streams are opened: at its server over one channel, elsewhere over new ones."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from aboveboard_protos import bridge
from aboveboard_referee.host.frames import PLAY


@asynccontextmanager
async def opened(channel: bridge.Channel, method: str) -> AsyncIterator[bridge.Stream]:
    """A stream to a method of a server's, for as long as the block lasts."""
    stream = await channel.open(method)
    try:
        yield stream
    finally:
        # Of no effect where the other side has ended the stream in order.
        stream.abort()


class MatchOpener:
    """Opens match streams: at the server itself over its channel, elsewhere over a new one."""

    def __init__(self, channel: bridge.Channel) -> None:
        self._channel = channel

    def __call__(self, address: str) -> AbstractAsyncContextManager[bridge.Stream]:
        return self._open(address)

    @asynccontextmanager
    async def _open(self, address: str) -> AsyncIterator[bridge.Stream]:
        if address:
            async with referee_channel(address) as channel, opened(channel, PLAY) as stream:
                yield stream
        else:
            async with opened(self._channel, PLAY) as stream:
                yield stream


def referee_channel(address: str) -> AbstractAsyncContextManager[bridge.Channel]:
    """A channel to a referee, of whom only the manifest tells."""
    try:
        named = bridge.Address.parse(address)
    except ValueError as error:
        raise bridge.Unavailable(str(error)) from None
    if named.ca is not None:
        raise bridge.Unavailable(f"{address[:200]!r} names a file, which is for this side to do")
    return bridge.connect(address)
