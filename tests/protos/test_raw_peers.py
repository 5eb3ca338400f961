"""Peers that keep to HTTP/2 and mean no good by it."""

from collections.abc import Callable
from typing import Any

import trio

from aboveboard_protos import bridge
from aboveboard_protos.bridge import Stream

Run = Callable[..., Any]

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, PING, GOAWAY = 4, 6, 7
ACK = 1


async def silent(stream: Stream) -> None:
    await stream.receive()


def frame(kind: int, payload: bytes = b"", *, flags: int = 0) -> bytes:
    return len(payload).to_bytes(3) + bytes([kind, flags]) + bytes(4) + payload


async def frames(peer: trio.SocketStream, number: int) -> list[tuple[int, int]]:
    """Kind and flags of so many frames that the other side sends."""
    buffer = b""
    found: list[tuple[int, int]] = []
    while len(found) < number:
        while len(buffer) >= 9 and len(buffer) >= 9 + int.from_bytes(buffer[:3]):
            found.append((buffer[3], buffer[4]))
            buffer = buffer[9 + int.from_bytes(buffer[:3]) :]
        if len(found) < number:
            more = await peer.receive_some()
            if not more:
                return found
            buffer += more
    return found


def test_who_pings_without_end_is_answered_and_nothing_is_made_of_it(run_bridge: Run) -> None:
    """To cut it is what grpc would do, anew at each ping, at a cost that grows with each: twenty
    such peers who do not read kept all others from being heard."""

    async def main() -> None:
        async with bridge.serve("127.0.0.1:0", {"/t/Silent": silent}) as port:
            peer = await trio.open_tcp_stream("127.0.0.1", port)
            async with peer:
                await peer.send_all(PREFACE + frame(SETTINGS) + frame(SETTINGS, flags=ACK))
                await peer.send_all(frame(PING, b"12345678") * 500)
                kinds = await frames(peer, 502)
                assert (PING, ACK) in kinds
                assert GOAWAY not in [kind for kind, _ in kinds]
                assert kinds.count((PING, ACK)) >= 498

    run_bridge(main)
