"""The listening side: every call of a method is a handler's stream, in a trio task."""

import asyncio
import contextvars
import errno
import logging
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import trio

from ._buffered import DEFAULT_MAX_MESSAGE, Limits
from ._call import CALL_IS_OVER, GONE, CallStream, end_of_channel
from ._host import Host, current_host
from ._options import server_options
from ._quiet_grpc import grpc
from ._rate import Rate
from ._tls import ServerCertificate
from .errors import Broken, CallRefused, PortInUse
from .stream import Handler

_STOPPING = "the server is stopping"

logger = logging.getLogger("aboveboard.bridge")

_LAST_WORDS = 1.0
"""Seconds that the final status of calls gets to reach peers when a server stops."""

_CANCEL_LAG = 0.05
"""Seconds by which grpc may report a call's cancel later than the end of its messages.

It reports both as separate events, within microseconds of each other, and the end of
messages looks as if the peer had closed its half in good order.
"""


class _ServerStream(CallStream):
    """One call. It lives until there is a verdict, or until the peer goes."""

    def __init__(self, host: Host, limits: Limits, context: Any) -> None:
        super().__init__(host, limits, context.peer(), context)
        self._verdict: asyncio.Future[tuple[grpc.StatusCode, str] | None]
        self._verdict = host.loop.create_future()
        self.peer_went = False

    async def live(self) -> None:
        """The call as grpc sees it: what this ends with is what the peer gets."""
        context: Any = self._call
        self._host.spawn(self._read_to_the_end())
        try:
            verdict = await self._verdict
            if verdict is not None:
                await context.abort(*verdict)
        except asyncio.CancelledError:
            self.peer_went = True
            self._break(GONE)
            raise
        finally:
            self._let_go()

    async def _read_to_the_end(self) -> None:
        try:
            await self._read_all()
            await asyncio.sleep(_CANCEL_LAG)
        except CALL_IS_OVER:
            self._inbox.end(lambda: Broken(GONE))
        else:
            self._inbox.end(end_of_channel)

    async def _finish(self) -> None:
        self._inbox.end(end_of_channel)
        self._decide(None)

    def _drop(self, text: str) -> None:
        self._decide((grpc.StatusCode.ABORTED, text or "the peer dropped the stream"))

    def refuse(self, code: grpc.StatusCode, text: str) -> None:
        """Drop the stream with a status that a handler cannot give."""
        self._decide((code, text))
        self.abort(text)

    def _decide(self, verdict: tuple[grpc.StatusCode, str] | None) -> None:
        if not self._verdict.done():
            self._verdict.set_result(verdict)


class _Service(grpc.GenericRpcHandler):
    """Turns calls into handlers' tasks in a nursery, each contained for itself."""

    def __init__(
        self,
        host: Host,
        handlers: Mapping[str, Handler],
        limits: Limits,
        rates: Mapping[str, Rate],
        nursery: trio.Nursery,
        on_error: Callable[[Exception], None],
    ) -> None:
        self._host = host
        self._handlers = dict(handlers)
        self._limits = {method: replace(limits, rate=rates.get(method)) for method in handlers}
        self._nursery = nursery
        self._on_error = on_error
        self._context = contextvars.copy_context()
        self._running = 0
        self._idle = trio.Event()
        self.stopping = False

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        """grpc asks here for the handler of each call."""
        handler = self._handlers.get(details.method)
        if handler is None:
            return None
        limits = self._limits[details.method]

        async def call(_: object, context: Any) -> None:
            await self._accept(handler, limits, context)

        return grpc.stream_stream_rpc_method_handler(call)

    async def idle(self) -> None:
        """Wait until no handler runs."""
        while self._running:
            self._idle = trio.Event()
            await self._idle.wait()

    async def _accept(self, handler: Handler, limits: Limits, context: Any) -> None:
        # First of all, because grpc sends the headers once more with a status that comes
        # while the first message is on its way, and then fails at that.
        await context.send_initial_metadata(())
        stream = _ServerStream(self._host, limits, context)
        if self.stopping:
            stream.refuse(grpc.StatusCode.UNAVAILABLE, _STOPPING)
        else:
            self._running += 1
            self._context.run(self._nursery.start_soon, self._handle, handler, stream)
        await stream.live()

    async def _handle(self, handler: Handler, stream: _ServerStream) -> None:
        try:
            await handler(stream)
            await stream.aclose()
        except CallRefused as refused:
            stream.refuse(grpc.StatusCode[refused.code], str(refused))
        except Exception as error:  # noqa: BLE001  # reported, whatever it is
            self._contain(error, stream)
        except BaseException as error:
            # Cancelled, as a rule; in a group there may be errors of the handler's beside it.
            stream.refuse(grpc.StatusCode.UNAVAILABLE, _STOPPING)
            if not isinstance(error, BaseExceptionGroup):
                raise
            errors, others = error.split(Exception)
            if errors is not None:
                self._contain(errors, stream)
            if others is not None:
                raise others from None
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    def _contain(self, error: Exception, stream: _ServerStream) -> None:
        """End one stream for an error of its handler, and have the error reported."""
        stream.refuse(grpc.StatusCode.INTERNAL, "internal error")
        if stream.peer_went and _is_only_broken(error):
            logger.debug("%s: %s", stream.peer, error)
        else:
            self._on_error(error)


@asynccontextmanager
async def serve(
    address: str,
    handlers: Mapping[str, Handler],
    *,
    max_message: int = DEFAULT_MAX_MESSAGE,
    inbound_messages: int = 64,
    outbound_messages: int = 256,
    outbound_bytes: int = 4 << 20,
    inbound_bytes: int = 1 << 20,
    rates: Mapping[str, Rate] | None = None,
    certificate: ServerCertificate | None = None,
    keepalive: float = 10.0,
    grace: float = 1.0,
    on_error: Callable[[Exception], None] | None = None,
) -> AsyncIterator[int]:
    """Listen on ``host:port`` while the block lasts, which gets the port; 0 chooses one.

    ``handlers`` go by full method, such as ``/aboveboard.v1.Referee/Play``. Each call runs
    its handler as a task of its own; when it returns, its stream is closed as by
    `Stream.aclose`. A peer that goes shows as ``Broken`` at the handler's next operation
    on the stream, or at once if it waits in one; nothing else of it is cancelled.

    An error that a handler lets out aborts its stream alone, as an internal error without
    details, and goes to ``on_error``; by default to the log ``aboveboard.bridge``. One
    that ``on_error`` raises ends the block. ``Broken`` let out after the peer went is the
    ordinary end of a handler and no error, and ``CallRefused`` is the status that it says.

    With a ``certificate`` only TLS is spoken.

    Limits hold for each stream: bytes of a message either way, messages and bytes that may
    lie unread before the peer is held back, and messages and bytes that may wait for a peer
    before ``send`` raises ``Overflow``. A peer that sends faster than its method's rate, if
    there is one in ``rates``, is cut off: its stream is aborted, which it is told. A peer
    that does not answer a ping, sent after ``keepalive`` quiet seconds, for as long again is
    gone.

    When the block ends, new calls are refused and handlers get ``grace`` seconds to finish;
    then they are cancelled and their streams dropped. If the block ends by an exception,
    they get none.

    Raises ``PortInUse`` if somebody listens there, ``OSError`` if it cannot be listened
    on for another reason, and ``ValueError`` if it is no address with a port.
    """
    limits = Limits(max_message, inbound_messages, outbound_messages, outbound_bytes, inbound_bytes)
    host = current_host()
    server = grpc.aio.server(options=server_options(limits, keepalive))
    port = _bind(server, address, certificate)
    failure: BaseException | None = None
    try:
        async with trio.open_nursery() as nursery:
            service = _Service(host, handlers, limits, rates or {}, nursery, on_error or _log)
            server.add_generic_rpc_handlers((service,))
            await host.wait(server.start())
            try:
                yield port
            except trio.Cancelled:
                service.stopping = True
                raise
            except BaseException as error:  # noqa: BLE001  # raised below, not wrapped in a group
                failure = error
            service.stopping = True
            if failure is None:
                with trio.move_on_after(grace):
                    await service.idle()
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await host.wait(server.stop(_LAST_WORDS))
    if failure is not None:
        raise failure


def _log(error: Exception) -> None:
    logger.error("a handler failed; its stream was aborted", exc_info=error)


def _is_only_broken(error: Exception) -> bool:
    if isinstance(error, ExceptionGroup):
        return error.split(Broken)[1] is None
    return isinstance(error, Broken)


def _bind(server: grpc.aio.Server, address: str, certificate: ServerCertificate | None) -> int:
    host, _, port = address.rpartition(":")
    if not (host and port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise ValueError(f"{address!r} is not HOST:PORT")
    try:
        if certificate is not None:
            return server.add_secure_port(address, certificate.credentials())
        return server.add_insecure_port(address)
    except RuntimeError:  # whose text does not say why
        raise _why_not_bound(host.strip("[]"), int(port)) from None


def _why_not_bound(host: str, port: int) -> Exception:
    """Ask the system itself for the reason."""
    in_use = PortInUse(f"{host}:{port} is in use")
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[
            0
        ]
        with socket.socket(family, kind, protocol) as trial:
            trial.bind(where)
    except OSError as error:
        return in_use if error.errno == errno.EADDRINUSE else error
    return in_use
