"""A witness on the network: over gRPC, over plain HTTP, or both."""

import errno
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from http import HTTPStatus

import trio

from aboveboard_client.errors import AboveboardError, WrongUse
from aboveboard_client.witness.exchange import ADD_CHECKPOINT, MESSAGE_LIMIT, Answer, Said
from aboveboard_protos import bridge
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import Refused, decode

CONNECTIONS = 128
"""Requests over gRPC that are served at once, and connections over HTTP."""

ASK_SECONDS = 10.0
"""In which a stream must ask, and have taken its answer."""


async def serve_witness(
    answer: Answer,
    *,
    listen: str | None,
    http: str | None,
    now_s: Callable[[], int],
    listening: Callable[[str], None],
) -> None:
    """Serve until cancelled: gRPC at ``listen`` and HTTP at ``http``, each ``host:port``.

    ``listening`` hears of every address, a line for a person. Raises ``WrongUse`` for an
    address that cannot be listened on, and what ``answer`` raises: then nothing is served
    any more.
    """
    try:
        async with AsyncExitStack() as stack:
            if listen is not None:
                port = await _listen_grpc(stack, listen, answer)
                listening(f"grpc://{listen.rpartition(':')[0]}:{port}")
            nursery = await stack.enter_async_context(trio.open_nursery())
            if http is not None:
                for port in await _listen_http(nursery, http, answer, now_s):
                    listening(f"http://{http.rpartition(':')[0]}:{port}")
            await trio.sleep_forever()
    except ExceptionGroup as group:
        # Of several requests that failed with the disk, one tells all there is to tell.
        if (error := _failure(group)) is None:
            raise
        raise error from group


def _failure(error: Exception) -> AboveboardError | None:
    """The first of our own errors in a group."""
    if isinstance(error, ExceptionGroup):
        return next(filter(None, map(_failure, error.exceptions)), None)
    return error if isinstance(error, AboveboardError) else None


# --- gRPC ------------------------------------------------------------------------------------


async def _listen_grpc(stack: AsyncExitStack, address: str, answer: Answer) -> int:
    room = trio.Semaphore(CONNECTIONS)
    handlers = {ADD_CHECKPOINT: partial(serve_stream, answer=answer, room=room)}
    try:
        return await stack.enter_async_context(
            bridge.serve(
                address,
                handlers,
                max_message=MESSAGE_LIMIT,
                inbound_messages=1,
                outbound_messages=1,
                on_error=_end_it,
            )
        )
    except bridge.PortInUse as error:
        raise _in_use(address) from error
    except OSError as error:
        raise _not_listened_on(address, error) from error


async def serve_stream(stream: bridge.Stream, answer: Answer, room: trio.Semaphore) -> None:
    """Serve one stream: a question, an answer, the end."""
    try:
        room.acquire_nowait()
    except trio.WouldBlock:
        _say(stream, Said(HTTPStatus.SERVICE_UNAVAILABLE))
        return
    try:
        with trio.move_on_after(ASK_SECONDS) as patience:
            message = await stream.receive()
        if patience.cancelled_caught:
            _say(stream, Said(HTTPStatus.REQUEST_TIMEOUT))
            return
        try:
            ask = decode(wire.WitnessAsk, message)
        except Refused:
            _say(stream, Said(HTTPStatus.BAD_REQUEST))
            return
        _say(stream, await answer(ask.body))
        with trio.move_on_after(ASK_SECONDS):
            await stream.flush()
    except (trio.EndOfChannel, bridge.Broken):
        pass  # whoever asked has gone
    finally:
        room.release()


def _say(stream: bridge.Stream, said: Said) -> None:
    frame = wire.WitnessSaid(status=said.status, body=said.body)
    stream.send(frame.SerializeToString())


def _end_it(error: Exception) -> None:
    raise error


# --- HTTP ------------------------------------------------------------------------------------


async def _listen_http(
    nursery: trio.Nursery, address: str, answer: Answer, now_s: Callable[[], int]
) -> list[int]:
    # Loaded for whoever wants it alone, see `check_http`.
    from aboveboard_client.witness.http_server import refuse_http, serve_http

    room = trio.Semaphore(CONNECTIONS)

    async def handle(stream: trio.SocketStream) -> None:
        try:
            room.acquire_nowait()
        except trio.WouldBlock:
            await refuse_http(stream, now_s)
            return
        try:
            await serve_http(stream, answer, now_s)
        finally:
            room.release()

    host, _, port = address.rpartition(":")
    try:
        listeners = await trio.open_tcp_listeners(int(port), host=host.strip("[]"))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise _in_use(address) from error
        raise _not_listened_on(address, error) from error
    await nursery.start(partial(trio.serve_listeners, handle, listeners))
    return [listener.socket.getsockname()[1] for listener in listeners]


def _in_use(address: str) -> WrongUse:
    return WrongUse(f"{address} is in use; choose another address")


def _not_listened_on(address: str, error: OSError) -> WrongUse:
    return WrongUse(f"{address} cannot be listened on: {error.strerror or error}")
