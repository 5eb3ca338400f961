"""A bad network over real sockets, by a plan that follows from its seed.

``bad_lines.py HOST:PORT SEED`` prints its own port and passes all on to that address, late. Most
connections end after some seconds: cut, or dead without a word for a while first. Every tenth that
comes is closed at once. Each end is a line of its output.
"""

import sys
from contextlib import suppress
from random import Random

import trio

GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)

DEAD_SECONDS = 12.0
SHELTERED = 0.3


class Lines:
    def __init__(self, host: str, port: int, seed: str) -> None:
        self._where = host, port
        self._seed = seed
        self.came = 0

    async def serve(self) -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        print(listeners[0].socket.getsockname()[1], flush=True)
        await trio.serve_listeners(self._line, listeners)

    async def _line(self, near: trio.SocketStream) -> None:
        number, self.came = self.came, self.came + 1
        chance = Random(f"{self._seed} {number}")
        if number % 10 == 9:
            print("refused", flush=True)
            await near.aclose()
            return
        with suppress(*GONE):
            far = await trio.open_tcp_stream(*self._where)
            async with near, far:
                await self._carry(near, far, chance)

    async def _carry(self, near: trio.SocketStream, far: trio.SocketStream, chance: Random) -> None:
        if chance.random() < SHELTERED:
            print("sheltered", flush=True)
            life = float("inf")
        else:
            life = 2 + chance.expovariate(1 / 8)
        with trio.move_on_after(life) as scope:
            async with trio.open_nursery() as nursery:

                async def way(come: trio.SocketStream, go: trio.SocketStream) -> None:
                    pace = chance.choice([0.0, 0.005, 0.03])
                    with suppress(*GONE):
                        async for data in come:
                            await trio.sleep(pace * chance.uniform(0.5, 1.5))
                            await go.send_all(data)
                    nursery.cancel_scope.cancel()

                nursery.start_soon(way, near, far)
                nursery.start_soon(way, far, near)
        if scope.cancelled_caught and chance.random() < 0.3:
            print("died", flush=True)
            await trio.sleep(DEAD_SECONDS)
        elif scope.cancelled_caught:
            print("cut", flush=True)


if __name__ == "__main__":
    address, seed = sys.argv[1:]
    host, port = address.rsplit(":", 1)
    trio.run(Lines(host, int(port), seed).serve)
