"""The yardstick: a bare grpc.aio echo server on uvloop, whose messages are signed both ways.

``python -m tests.bench.echo_server`` prints its port and serves until its standard input
is closed. Each message of about 100 bytes is verified, its payload signed anew and sent
back. Another stream answers every message with the CPU seconds used so far.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import grpc.aio
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ECHO = "/aboveboard.bench.Echo/Echo"
CPU = "/aboveboard.bench.Echo/Cpu"
SIGNATURE_BYTES = 64
PAYLOAD_BYTES = 40

# A benchmark's key, the same on both sides; it protects nothing.
_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
_PUBLIC = _KEY.public_key()


def signed(payload: bytes) -> bytes:
    """A message: the signature over the payload, then the payload."""
    return _KEY.sign(payload) + payload


def verified(message: bytes) -> bytes:
    """The payload of a message; raises ``InvalidSignature``."""
    payload = message[SIGNATURE_BYTES:]
    _PUBLIC.verify(message[:SIGNATURE_BYTES], payload)
    return payload


def answer(message: bytes) -> bytes:
    return signed(verified(message))


def cpu_seconds(_: bytes) -> bytes:
    return repr(time.process_time()).encode()


class _Handlers(grpc.GenericRpcHandler):
    def service(self, details: grpc.HandlerCallDetails) -> Any:
        replies = {ECHO: answer, CPU: cpu_seconds}
        if details.method not in replies:
            return None
        return grpc.stream_stream_rpc_method_handler(_echoing(replies[details.method]))


def _echoing(reply: Callable[[bytes], bytes]) -> Callable[[object, Any], Awaitable[None]]:
    async def echo(_: object, context: Any) -> None:
        while (message := await context.read()) is not grpc.aio.EOF:
            await context.write(reply(message))

    return echo


async def main() -> None:
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((_Handlers(),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await server.stop(None)


if __name__ == "__main__":
    import uvloop

    uvloop.run(main())
