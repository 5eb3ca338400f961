"""``GET /metrics`` over plain HTTP, as little of it as a scraper needs.

One request a connection, in bounded memory and time. So many connections are taken at once
and no more, and not too fast: what comes on top of them waits in the system's queue, and
takes nothing from the matches.
"""

import errno
import re
from collections.abc import Callable
from http import HTTPStatus

import trio

from aboveboard_client.errors import WrongUse

SCRAPERS = 8
"""Connections at once."""

SCRAPE_SECONDS = 5.0
"""In which a request must have come and its answer been taken."""

PACE_SECONDS = 0.005
"""From one connection to the next."""

HEAD_LIMIT = 8 * 1024

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_REQUEST = re.compile(rb"([A-Z]{1,20}) (/[!-~]*) HTTP/1\.[01]\r\n")


async def serve_metrics(
    address: str,
    text: Callable[[], bytes],
    tell: Callable[[str], None],
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve ``text`` at ``host:port`` for ever; ``tell`` hears where, port 0 being a free one.

    Raises ``WrongUse`` where it cannot be listened on.
    """
    host, _, port = address.rpartition(":")
    try:
        listeners = await trio.open_tcp_listeners(int(port), host=host.strip("[]"))
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        why = "is in use" if taken else f"cannot be listened on: {error.strerror or error}"
        raise WrongUse(f"the address for metrics {address} {why}; choose another one") from error
    tell(f"metrics at http://{host}:{listeners[0].socket.getsockname()[1]}/metrics")
    async with trio.open_nursery() as nursery:
        for listener in listeners:
            nursery.start_soon(accept, listener, text)
        task_status.started()


async def accept(listener: trio.abc.Listener[trio.abc.Stream], text: Callable[[], bytes]) -> None:
    """Serve whoever connects to a listener, for ever."""
    room = trio.Semaphore(SCRAPERS)

    async def handle(stream: trio.abc.Stream) -> None:
        try:
            await serve_scrape(stream, text)
        finally:
            room.release()

    async with listener, trio.open_nursery() as nursery:
        while True:
            await room.acquire()
            try:
                stream = await listener.accept()
            except OSError:
                # No descriptors are left, as a rule: they are for bots before they are for this.
                room.release()
                await trio.sleep(1)
                continue
            nursery.start_soon(handle, stream)
            await trio.sleep(PACE_SECONDS)


async def serve_scrape(stream: trio.abc.Stream, text: Callable[[], bytes]) -> None:
    """Answer one request and close the stream, whatever the other side does."""
    try:
        with trio.move_on_after(SCRAPE_SECONDS):
            status = _judged(await _head(stream))
            await stream.send_all(_answer(status, text() if status == HTTPStatus.OK else b""))
    except trio.BrokenResourceError:
        return  # there is nobody left to tell
    finally:
        await trio.aclose_forcefully(stream)


async def _head(stream: trio.abc.Stream) -> bytes:
    """A request up to the empty line; whatever came, where that is too much or the end."""
    head = bytearray()
    while b"\r\n\r\n" not in head and len(head) < HEAD_LIMIT:
        data = await stream.receive_some(HEAD_LIMIT - len(head))
        if not data:
            break
        head += data
    return bytes(head)


def _judged(head: bytes) -> HTTPStatus:
    if b"\r\n\r\n" not in head:
        return HTTPStatus.BAD_REQUEST
    request = _REQUEST.match(head)
    if request is None:
        return HTTPStatus.BAD_REQUEST
    if request[2].partition(b"?")[0] != b"/metrics":
        return HTTPStatus.NOT_FOUND
    return HTTPStatus.OK if request[1] == b"GET" else HTTPStatus.METHOD_NOT_ALLOWED


def _answer(status: HTTPStatus, body: bytes) -> bytes:
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        f"Content-Type: {CONTENT_TYPE}",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *(["Allow: GET"] if status == HTTPStatus.METHOD_NOT_ALLOWED else []),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body
