"""``make bench``: the referee beside a bare echo server, interleaved in one run.

The referee plays cribbage with bots in another process; its figure is accepted Answers per
CPU second of the host process. The yardstick is a bare ``grpc.aio`` echo server on uvloop
with as many streams (two a match), whose messages are signed and verified both ways by the
same library; its figure is round trips per CPU second. The ratio is what is left of the
machine after rules, fair play, the journal on disk and trio.
"""

import argparse
import asyncio
import contextlib
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import grpc
import grpc.aio
import uvloop

from tests.bench.bridge_bench import Figures, load, server_process
from tests.bench.match_server import FIGURES

WARM_UP_SECONDS = 1.5


@contextlib.contextmanager
def bots_process(address: str, matches: int) -> Iterator[None]:
    """Bots for every seat, playing until the block ends."""
    command = [sys.executable, "-m", "tests.bench.match_bots", address, "0", str(matches)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        yield
        process.communicate()


async def referee(matches: int, seconds: float) -> Figures:
    """One measurement of a host of its own, with bots of its own."""
    with (
        server_process("tests.bench.match_server", str(matches)) as address,
        bots_process(address, matches),
    ):
        channel = grpc.aio.insecure_channel(address)
        probe: Any = channel.stream_stream(FIGURES)()
        before = await _figures(probe)
        while before[1] < 10 * matches:  # until every match is well under way
            await asyncio.sleep(WARM_UP_SECONDS)
            before = await _figures(probe)
        started = time.perf_counter()
        await asyncio.sleep(seconds)
        after = await _figures(probe)
        wall = time.perf_counter() - started
        await probe.done_writing()
        await channel.close()
    return Figures(int(after[1] - before[1]), after[0] - before[0], wall)


async def _figures(probe: Any) -> tuple[float, float]:
    await probe.write(b"?")
    cpu, answers = (await probe.read()).split()
    return float(cpu), float(answers)


async def compare(sizes: list[int], rounds: int, seconds: float) -> None:
    print("          per CPU second of the server          per second of wall clock")
    print("matches   echo round trips   answers   ratio    echo round trips   answers", flush=True)
    for matches in sizes:
        echo, host = [], []
        for _ in range(rounds):
            with server_process("tests.bench.echo_server") as address:
                echo.append(await load(address, 2 * matches, seconds, light=False))
            host.append(await referee(matches, seconds))
        cpu = [statistics.median(f.per_cpu_second for f in figures) for figures in (echo, host)]
        wall = [statistics.median(f.per_wall_second for f in figures) for figures in (echo, host)]
        print(
            f"{matches:7} {cpu[0]:18.0f} {cpu[1]:9.0f} {cpu[1] / cpu[0]:7.2f}"
            f" {wall[0]:19.0f} {wall[1]:9.0f}",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0)
    chosen = parser.parse_args()
    uvloop.run(compare(chosen.matches, chosen.rounds, chosen.seconds))


if __name__ == "__main__":
    main()
