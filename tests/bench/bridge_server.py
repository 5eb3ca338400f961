"""The same as `echo_server`, by trio tasks over the bridge."""

import sys

import trio

from aboveboard_protos import bridge
from tests.bench.echo_server import CPU, ECHO, answer, cpu_seconds


async def echo(stream: bridge.Stream) -> None:
    try:
        while True:
            stream.send(answer(await stream.receive()))
    except trio.EndOfChannel:
        return


async def cpu(stream: bridge.Stream) -> None:
    try:
        while True:
            stream.send(cpu_seconds(await stream.receive()))
    except trio.EndOfChannel:
        return


async def main() -> None:
    async with bridge.serve("127.0.0.1:0", {ECHO: echo, CPU: cpu}) as port:
        print(port, flush=True)
        await trio.to_thread.run_sync(sys.stdin.read)


if __name__ == "__main__":
    bridge.run(main)
