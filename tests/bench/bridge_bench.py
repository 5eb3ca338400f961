"""Echo round trips per CPU second of the server process: the bridge beside bare grpc.aio.

``python -m tests.bench.bridge_bench`` starts both servers as processes of their own, loads
them in turn from this one, and prints the median of each and their ratio. Both are
measured interleaved, because a machine's speed drifts by more than they differ.

Every stream has a connection of its own and sends its next message when it has the answer
to the last. Messages are signed and verified on both sides; with ``--light`` this side
does so once a stream and then repeats the message, so that the server is the bottleneck.
"""

import argparse
import asyncio
import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import grpc
import grpc.aio

from tests.bench.echo_server import CPU, ECHO, PAYLOAD_BYTES, signed, verified

WARM_UP_SECONDS = 0.25


@dataclass(frozen=True)
class Figures:
    """One measurement of one server."""

    round_trips: int
    cpu_seconds: float
    wall_seconds: float

    @property
    def per_cpu_second(self) -> float:
        return self.round_trips / self.cpu_seconds

    @property
    def per_wall_second(self) -> float:
        return self.round_trips / self.wall_seconds


@contextlib.contextmanager
def server_process(module: str, *args: str) -> Iterator[str]:
    """The address of a server that runs as ``python -m module`` until the block ends."""
    with subprocess.Popen(
        [sys.executable, "-m", module, *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield f"127.0.0.1:{int(process.stdout.readline())}"
        process.communicate()


async def load(address: str, streams: int, seconds: float, *, light: bool) -> Figures:
    """Keep so many streams of a server busy for so long."""
    options = [("grpc.use_local_subchannel_pool", 1)]  # no sharing of connections
    channels = [grpc.aio.insecure_channel(address, options=options) for _ in range(streams)]
    probe: Any = channels[0].stream_stream(CPU)()
    done = 0
    stop = asyncio.Event()

    async def cpu_seconds() -> float:
        await probe.write(b"?")
        return float(await probe.read())

    async def one(channel: grpc.aio.Channel, number: int) -> None:
        nonlocal done
        payload = number.to_bytes(PAYLOAD_BYTES, "big")
        message = signed(payload)
        call: Any = channel.stream_stream(ECHO)()
        await call.write(message)
        assert verified(await call.read()) == payload
        while not stop.is_set():
            await call.write(message if light else signed(payload))
            reply = await call.read()
            if not light:
                verified(reply)
            done += 1
        await call.done_writing()
        await call.read()

    tasks = [asyncio.create_task(one(channel, n)) for n, channel in enumerate(channels)]
    await asyncio.sleep(WARM_UP_SECONDS)
    before = done, await cpu_seconds(), time.perf_counter()
    await asyncio.sleep(seconds)
    after = done, await cpu_seconds(), time.perf_counter()
    stop.set()
    await asyncio.gather(*tasks)
    await probe.done_writing()
    await probe.read()
    for channel in channels:
        await channel.close()
    return Figures(after[0] - before[0], after[1] - before[1], after[2] - before[2])


async def compare(streams: list[int], rounds: int, seconds: float, *, light: bool) -> None:
    with (
        server_process("tests.bench.echo_server") as bare,
        server_process("tests.bench.bridge_server") as bridge,
    ):
        print("streams      bare    bridge     ratio        bare    bridge")
        for number in streams:
            figures: dict[str, list[Figures]] = {bare: [], bridge: []}
            for turn in range(rounds):
                for address in (bare, bridge) if turn % 2 else (bridge, bare):
                    figures[address].append(await load(address, number, seconds, light=light))
            cpu = [statistics.median(f.per_cpu_second for f in figures[a]) for a in (bare, bridge)]
            wall = [
                statistics.median(f.per_wall_second for f in figures[a]) for a in (bare, bridge)
            ]
            print(
                f"{number:7} {cpu[0]:9.0f} {cpu[1]:9.0f} {cpu[1] / cpu[0]:9.2f}"
                f"   {wall[0]:9.0f} {wall[1]:9.0f}",
                flush=True,
            )
        print("         round trips per CPU second            per second of wall clock")


def main() -> None:
    import uvloop

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--light", action="store_true", help="sign once a stream on this side")
    chosen = parser.parse_args()
    uvloop.run(compare(chosen.streams, chosen.rounds, chosen.seconds, light=chosen.light))


if __name__ == "__main__":
    main()
