"""Bots that have entered and wait, in a process of their own: no more of them than streams.

``python -m tests.bench.idle_bots ADDRESS COUNT`` opens COUNT control streams, each over a
connection of its own, enters under COUNT keys, and reads what comes until its standard input
is closed. It prints a line when all are welcome and hear of nothing new any more. With
``--bare`` it sends each stream one message instead and waits for the echo.
"""

import asyncio
import sys
from typing import Any

import grpc
import grpc.aio

from aboveboard_client.session.greeting import read_greeting
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.session import CONTROL
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.host.frames import PROTOCOL
from tests.bench.echo_server import ECHO, signed

AT_ONCE = 50
"""So many dial at a time."""

QUIET_SECONDS = 2.0

OPTIONS = [("grpc.use_local_subchannel_pool", 1)]


class Idle:
    """One bot: enters, and then only answers pings."""

    heard_at = 0.0
    """When any bot was last told something."""

    def __init__(self, address: str, number: int) -> None:
        self._channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        self._number = number

    async def enter(self, *, bare: bool) -> None:
        if bare:
            self._call: Any = self._channel.stream_stream(ECHO)()
            await self._call.write(signed(bytes(40)))
            await self._call.read()
            return
        self._call = self._channel.stream_stream(CONTROL)()
        greeting = read_greeting(await self._call.read())
        key = PrivateKey.from_seed(self._number.to_bytes(32, "big"))
        identity = Identity(f"idle-{self._number}", key, bytes(32))
        join = service.Join(
            protocol=PROTOCOL,
            login=identity.login(greeting.tournament, greeting.challenge),
            entry=identity.entry(greeting.tournament),
            capacity=1,
        )
        await self._call.write(service.ControlUp(join=join).SerializeToString())
        frame = service.ControlDown.FromString(await self._call.read())
        assert frame.HasField("welcome"), frame

    async def stay(self) -> None:
        """Read to the end of the stream."""
        while (data := await self._call.read()) is not grpc.aio.EOF:
            frame = service.ControlDown.FromString(data)
            if frame.HasField("ping"):
                await self._call.write(service.ControlUp(pong=frame.ping).SerializeToString())
            else:
                Idle.heard_at = asyncio.get_running_loop().time()


async def main() -> None:
    address, count, bare = sys.argv[1], int(sys.argv[2]), "--bare" in sys.argv
    bots = [Idle(address, number) for number in range(count)]
    gate = asyncio.Semaphore(AT_ONCE)
    staying = []

    async def come(bot: Idle) -> None:
        async with gate:
            await bot.enter(bare=bare)
        if not bare:
            staying.append(asyncio.create_task(bot.stay()))

    await asyncio.gather(*map(come, bots))
    loop = asyncio.get_running_loop()
    while loop.time() < Idle.heard_at + QUIET_SECONDS:  # noqa: ASYNC110  # nothing tells of it
        await asyncio.sleep(QUIET_SECONDS / 4)
    print(f"{count} are here", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    for task in staying:
        task.cancel()


if __name__ == "__main__":
    import uvloop

    uvloop.run(main())
