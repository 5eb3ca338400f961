"""The dialling side: a channel to one address, and streams on it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from ._address import Address
from ._buffered import DEFAULT_MAX_MESSAGE, Limits
from ._call import CALL_IS_OVER, GONE, CallStream, end_of_channel
from ._host import Host, current_host
from ._options import client_options
from ._quiet_grpc import grpc
from ._tls import PROBE_SECONDS, Trusted, look, speaks_tls
from .errors import Broken, Unavailable
from .stream import Stream


class _ClientStream(CallStream):
    """One call. It is over when grpc has its status, which follows the last message."""

    def __init__(
        self, host: Host, limits: Limits, peer: str, call: "grpc.aio.StreamStreamCall[bytes, bytes]"
    ) -> None:
        super().__init__(host, limits, peer, call)
        self.over = trio.Event()
        host.spawn(self._read_to_the_end())

    async def _read_to_the_end(self) -> None:
        try:
            await self._read_all()
        except grpc.aio.AioRpcError as error:
            self._break(_describe(error))
        except CALL_IS_OVER:
            self._break(GONE)
        else:
            self._inbox.end(end_of_channel)
            self._outbox.fail(lambda: Broken("the peer has ended the stream"))
        finally:
            self._let_go()
            self.over.set()

    async def _finish(self) -> None:
        if self._call is not None:
            await self._call.done_writing()

    def _drop(self, text: str) -> None:
        if self._call is not None:
            self._call.cancel()

    async def leave(self) -> None:
        """Let a stream that was closed here end as the peer wishes; drop any other."""
        self._inbox.end(lambda: Broken("the channel was closed"))
        self._inbox.discard()
        if self._outbox.closed:
            await self.over.wait()
        else:
            self.abort()


class Channel:
    """A way to open streams at one address; see `connect`."""

    def __init__(self, host: Host, address: Address, limits: Limits, keepalive: float) -> None:
        self._host = host
        self._where = address
        self._address = address.target
        self._limits = limits
        self._options = client_options(limits, keepalive)
        self._streams: set[_ClientStream] = set()
        self._closed = False
        self._looking = trio.Lock()
        self._channel: grpc.aio.Channel | None = None  # until the first stream is opened

    async def open(self, method: str, timeout: float = 10.0) -> Stream:  # noqa: ASYNC109  # it has a meaning of its own
        """Open a stream to a method, such as ``/aboveboard.v1.Referee/Play``.

        Raises ``Unavailable`` if there is no connection within ``timeout`` seconds, and at
        once if it is refused; ``Untrusted`` if who answers does not prove to be the one that
        the address means, and is told nothing then. A method that the server does not have
        shows as ``Broken`` at the first ``receive``.
        """
        if self._closed:
            raise RuntimeError("the channel is closed")
        async with self._looking:
            if self._channel is None:
                await self._make_channel(timeout)
        dialled = await self._dial(method, timeout)
        if isinstance(dialled, Unavailable):
            # From here, where nothing of grpc's is: an exception that somebody keeps would
            # keep it beyond the host loop's end.
            raise dialled
        return dialled

    async def _dial(self, method: str, seconds: float) -> Stream | Unavailable:
        """A stream, or why there is none."""
        assert self._channel is not None
        dial: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = self._channel.stream_stream(method)
        call = dial()
        problem: str | None = None
        try:
            with trio.move_on_after(seconds) as patience:
                await self._host.wait(call.wait_for_connection())
        except grpc.aio.AioRpcError as error:
            # Any other status is the end of a call that somebody has answered already.
            if error.code() is grpc.StatusCode.UNAVAILABLE:
                problem = _describe(error)
        except trio.Cancelled:
            call.cancel()
            raise
        if problem is not None:
            return await self._why_unavailable(problem)
        if patience.cancelled_caught:
            call.cancel()
            return Unavailable(f"nobody answered at {self._address} within {seconds:g} seconds")
        self._streams = {stream for stream in self._streams if not stream.over.is_set()}
        stream = _ClientStream(self._host, self._limits, self._address, call)
        self._streams.add(stream)
        return stream

    async def _make_channel(self, seconds: float) -> None:
        if not self._where.tls:
            self._channel = grpc.aio.insecure_channel(self._address, options=self._options)
            return
        trusted: Trusted = await look(self._where, seconds)
        if self._closed:
            raise RuntimeError("the channel is closed")
        name = [("grpc.ssl_target_name_override", trusted.name)] if trusted.name else []
        self._channel = grpc.aio.secure_channel(
            self._address, trusted.credentials(), options=[*self._options, *name]
        )

    async def _why_unavailable(self, problem: str) -> Unavailable:
        """What keeps a connection from being made, in a line; grpc's own say little of TLS."""
        if self._where.tls:
            try:
                await look(self._where, PROBE_SECONDS)
            except Unavailable as found:
                return found
        elif await speaks_tls(self._where):
            return Unavailable(
                f"{self._address} speaks TLS: dial the address that begins with tls://, as its "
                "organiser has it"
            )
        return Unavailable(f"nobody answers at {self._address}: {problem}")

    async def _close(self, grace: float) -> None:
        """Leave every stream, then hang up."""
        self._closed = True
        if self._channel is None:
            return
        channel, self._channel = self._channel, None
        try:
            with trio.move_on_after(grace):
                async with trio.open_nursery() as nursery:
                    for stream in self._streams:
                        nursery.start_soon(stream.leave)
        finally:
            for stream in self._streams:
                stream.abort()
            with trio.CancelScope(shield=True):
                await self._host.wait(channel.close(None))


@asynccontextmanager
async def connect(
    address: str,
    *,
    max_message: int = DEFAULT_MAX_MESSAGE,
    inbound_messages: int = 64,
    outbound_messages: int = 256,
    outbound_bytes: int = 4 << 20,
    keepalive: float = 10.0,
    grace: float = 1.0,
) -> AsyncIterator[Channel]:
    """A channel to an `Address`, for as long as the block lasts.

    Nothing is dialled before the first `Channel.open`, and a connection that was lost is
    dialled again at the next one. Limits are each stream's, see `serve`. A peer that does
    not answer a ping, sent after ``keepalive`` quiet seconds, for as long again is gone.

    At the end of the block streams that were closed get ``grace`` seconds, in all, to be
    ended by the peer as well; those that were not are aborted at once.

    Raises ``ValueError`` where it is no address.
    """
    limits = Limits(max_message, inbound_messages, outbound_messages, outbound_bytes)
    channel = Channel(current_host(), Address.parse(address), limits, keepalive)
    try:
        yield channel
    finally:
        await channel._close(grace)


def _describe(error: grpc.aio.AioRpcError) -> str:
    """The peer's or grpc's own words, in one line."""
    if error.code() is grpc.StatusCode.UNIMPLEMENTED:
        return "something else is served there"
    words = " ".join((error.details() or "").split())
    return words or f"the call ended with {error.code().name}"
