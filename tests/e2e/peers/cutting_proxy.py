"""A network that breaks: every connection through it is cut after so many bytes.

``cutting_proxy.py HOST:PORT BYTES`` prints its own port and passes all on to that address.
Bytes are those that come from there. Each connection may carry a little more than the one
before it, so that whoever tries again gets further in the end.
"""

import sys
from contextlib import suppress

import trio

MORE = 1.02


class Proxy:
    def __init__(self, host: str, port: int, limit: float) -> None:
        self._host, self._port, self._limit = host, port, limit

    async def serve(self) -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        print(listeners[0].socket.getsockname()[1], flush=True)
        await trio.serve_listeners(self._pass_on, listeners)

    async def _pass_on(self, near: trio.SocketStream) -> None:
        limit, self._limit = self._limit, self._limit * MORE
        with suppress(OSError, trio.BrokenResourceError):
            far = await trio.open_tcp_stream(self._host, self._port)
            async with near, far, trio.open_nursery() as nursery:
                nursery.start_soon(self._copy, near, far)
                async for data in far:
                    limit -= len(data)
                    if limit < 0:
                        nursery.cancel_scope.cancel()
                        break
                    await near.send_all(data)
                nursery.cancel_scope.cancel()

    async def _copy(self, near: trio.SocketStream, far: trio.SocketStream) -> None:
        with suppress(trio.BrokenResourceError):
            async for data in near:
                await far.send_all(data)


if __name__ == "__main__":
    address, limit = sys.argv[1:]
    host, port = address.rsplit(":", 1)
    trio.run(Proxy(host, int(port), float(limit)).serve)
