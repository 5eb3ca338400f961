"""Plain HTTP/1.1 as far as a witness needs it: ``POST /add-checkpoint``, and no for the rest.

Whoever is on the other side, a connection takes bounded memory and bounded time.
"""

from collections.abc import Callable
from email.utils import formatdate
from http import HTTPStatus

import h11
import trio

from aboveboard_client.witness.exchange import BODY_LIMIT, PATH, Answer, Said

HEAD_LIMIT = 8 * 1024
"""Most bytes of a request's line and headers, or of a chunk's header, while they come."""

READ_LIMIT = 4 * BODY_LIMIT
"""Most bytes read for one request: a body in tiny chunks has far more bytes around it."""

REQUEST_SECONDS = 10.0
"""In which a request that has begun must be there as a whole."""

IDLE_SECONDS = 60.0
"""How long a connection is kept on which no next request begins."""

ANSWER_SECONDS = 10.0
"""In which the other side must have taken an answer."""

LINGER_SECONDS = 1.0
"""How long to read on, so that an answer to a request that was cut short still arrives."""

_CHUNK = 4 * 1024


class _Refused(Exception):
    """The request is refused as HTTP; the connection ends with this."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class _Gone(Exception):
    """The other side has ended the connection, or lets it lie idle."""


async def serve_http(
    stream: trio.abc.HalfCloseableStream, answer: Answer, now_s: Callable[[], int]
) -> None:
    """Serve one connection to its end, whoever ends it. Closes the stream.

    Lets out what ``answer`` raises, and nothing that the other side could cause.
    """
    try:
        connection = _Connection(stream, now_s)
        try:
            while await connection.serve_one(answer):
                pass
        except (_Gone, trio.BrokenResourceError):
            pass  # there is nobody left to tell
    finally:
        await trio.aclose_forcefully(stream)


async def refuse_http(stream: trio.abc.HalfCloseableStream, now_s: Callable[[], int]) -> None:
    """Turn a connection away for which there is no room, without reading from it."""
    try:
        await _Connection(stream, now_s).refuse(HTTPStatus.SERVICE_UNAVAILABLE)
    except (_Gone, trio.BrokenResourceError):
        pass
    finally:
        await trio.aclose_forcefully(stream)


class _Connection:
    """One connection: requests one after the other, each read, answered and forgotten."""

    def __init__(self, stream: trio.abc.HalfCloseableStream, now_s: Callable[[], int]) -> None:
        self._stream = stream
        self._now_s = now_s
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_LIMIT)
        self._room = READ_LIMIT

    async def serve_one(self, answer: Answer) -> bool:
        """Serve one request; whether another may follow."""
        self._room = READ_LIMIT
        try:
            body = await self._request()
        except _Refused as refused:
            await self.refuse(refused.status)
            return False
        except h11.RemoteProtocolError as error:
            await self.refuse(error.error_status_hint)
            return False
        said = await answer(body)
        await self._say(said, [(b"Content-Type", said.content_type.encode())])
        if self._http.our_state is not h11.DONE:
            return False  # the other side wanted this to be the last, or speaks HTTP/1.0
        self._http.start_next_cycle()
        return True

    async def refuse(self, status: int) -> None:
        """Answer with a status alone, and end the connection."""
        headers = [(b"Connection", b"close")]
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            headers.append((b"Allow", b"POST"))
        await self._say(Said(status), headers)
        await self._linger()

    async def _request(self) -> bytes:
        """The next request's body. Raises `_Gone` where none comes."""
        if not self._http.trailing_data[0]:
            with trio.move_on_after(IDLE_SECONDS) as idle:
                await self._read()
            if idle.cancelled_caught:
                raise _Gone
        with trio.move_on_after(REQUEST_SECONDS):
            return await self._whole_request()
        raise _Refused(HTTPStatus.REQUEST_TIMEOUT)

    async def _whole_request(self) -> bytes:
        request = await self._event()
        if not isinstance(request, h11.Request):
            raise _Gone
        if request.http_version not in (b"1.0", b"1.1"):
            raise _Refused(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED)
        if request.target != PATH.encode():
            raise _Refused(HTTPStatus.NOT_FOUND)
        if request.method != b"POST":
            raise _Refused(HTTPStatus.METHOD_NOT_ALLOWED)
        announced = dict(request.headers).get(b"content-length", b"0")
        if int(announced) > BODY_LIMIT:
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if self._http.they_are_waiting_for_100_continue:
            await self._send(h11.InformationalResponse(status_code=100, headers=[]))
        body = bytearray()
        while isinstance(event := await self._event(), h11.Data):
            body += event.data
            if len(body) > BODY_LIMIT:
                raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return bytes(body)

    async def _event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            await self._read()
        return event

    async def _read(self) -> None:
        data = await self._stream.receive_some(_CHUNK)
        self._room -= len(data)
        if self._room < 0:
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        self._http.receive_data(bytes(data))

    async def _say(self, said: Said, headers: list[tuple[bytes, bytes]]) -> None:
        headers = [
            (b"Date", formatdate(self._now_s(), usegmt=True).encode()),
            (b"Content-Length", str(len(said.body)).encode()),
            *headers,
        ]
        response = h11.Response(
            status_code=said.status, reason=_reason(said.status), headers=headers
        )
        await self._send(response, h11.Data(data=said.body), h11.EndOfMessage())

    async def _send(self, *events: h11.Event) -> None:
        data = b"".join(self._http.send(event) or b"" for event in events)
        with trio.move_on_after(ANSWER_SECONDS) as patience:
            await self._stream.send_all(data)
        if patience.cancelled_caught:
            raise _Gone

    async def _linger(self) -> None:
        """Read on for a moment: what is unread when a connection closes resets it, and the
        answer may be lost with it."""
        with trio.move_on_after(LINGER_SECONDS):
            await self._stream.send_eof()
            left = READ_LIMIT
            while left > 0 and (data := await self._stream.receive_some(_CHUNK)):
                left -= len(data)


def _reason(status: int) -> bytes:
    return HTTPStatus(status).phrase.encode()
