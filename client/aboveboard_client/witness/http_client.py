"""The asking side of HTTP/1.1, plain or over TLS: one POST over one connection."""

import ssl

import h11
import trio

from aboveboard_client.witness.exchange import BODY_LIMIT, Said, Silent

_HEAD_LIMIT = 16 * 1024
_CHUNK = 16 * 1024


async def post_http(
    host: str, port: int, target: str, body: bytes, tls: ssl.SSLContext | None = None
) -> Said:
    """What ``host:port`` answers to a POST of ``body``. Takes as long as the other side wants.

    Raises ``Silent`` where nobody answers, or not in HTTP.
    """
    try:
        connection = await trio.open_tcp_stream(host, port)
    except OSError as error:
        raise Silent(f"nobody answers at {host}:{port}: {error.strerror or error}") from error
    except UnicodeError as error:
        raise Silent(f"{host} cannot be the name of a machine") from error
    try:
        stream: trio.abc.Stream = connection
        if tls is not None:
            stream = await _encrypted(connection, tls, host)
        name = f"[{host}]" if ":" in host else host
        return await exchange(stream, f"{name}:{port}", target, body)
    finally:
        await trio.aclose_forcefully(connection)


async def _encrypted(
    connection: trio.SocketStream, tls: ssl.SSLContext, host: str
) -> trio.abc.Stream:
    stream = trio.SSLStream(connection, tls, server_hostname=host, https_compatible=True)
    try:
        await stream.do_handshake()
    except trio.BrokenResourceError as error:
        raise Silent(f"there is no TLS with {host}: {error.__cause__ or error}") from error
    return stream


async def exchange(stream: trio.abc.Stream, host: str, target: str, body: bytes) -> Said:
    """Post over a stream that is there already. Raises ``Silent``."""
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_HEAD_LIMIT)
    headers = [
        ("Host", host),
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
    ]
    try:
        request = h11.Request(method="POST", target=target, headers=headers)
        events: list[h11.Event] = [request, h11.Data(data=body), h11.EndOfMessage()]
        await stream.send_all(b"".join(http.send(event) or b"" for event in events))
        return await _answer(stream, http)
    except h11.ProtocolError as error:
        raise Silent(f"it does not speak HTTP as it should: {error!s:.200}") from error
    except trio.BrokenResourceError as error:
        raise Silent("it has ended the connection") from error


async def _answer(stream: trio.abc.Stream, http: h11.Connection) -> Said:
    status, body = 0, bytearray()
    while True:
        event = http.next_event()
        if event is h11.NEED_DATA:
            data = await stream.receive_some(_CHUNK)
            if not data and not status:
                raise Silent("it has ended the connection without an answer")
            http.receive_data(bytes(data))
        elif isinstance(event, h11.Response):
            status = event.status_code
        elif isinstance(event, h11.Data):
            body += event.data
            if len(body) > BODY_LIMIT:
                raise Silent(f"its answer has more than {BODY_LIMIT} bytes")
        elif isinstance(event, h11.EndOfMessage):
            return Said(status, bytes(body))
        else:  # nothing else comes before the end to whoever asked for no other protocol
            assert isinstance(event, h11.InformationalResponse), event
