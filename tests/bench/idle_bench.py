"""What a bot costs that only waits: memory of ``aboveboard serve`` for each of 2,000.

``python -m tests.bench.idle_bench`` starts a server whose tournament does not begin, and
measures its private memory (what it alone has in RAM, Linux) before anybody has dialled and
with all bots entered, each over a connection of its own. The yardstick is a bare ``grpc.aio``
echo server with as many streams.
"""

import argparse
import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

TOURNAMENT = """\
games = ["cribbage"]
rounds = 3
entrants = 100000
listen = "127.0.0.1:0"
state = "idle"
"""


@contextlib.contextmanager
def bare_server() -> Iterator[tuple[str, int]]:
    """The address and process of the echo server."""
    command = [sys.executable, "-m", "tests.bench.echo_server"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield f"127.0.0.1:{int(process.stdout.readline())}", process.pid
        process.communicate()


@contextlib.contextmanager
def waiting_tournament() -> Iterator[tuple[str, int]]:
    """The address and process of a server for a tournament that waits for more entrants."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "idle.toml"
        file.write_text(TOURNAMENT)
        command = [sys.executable, "-m", "aboveboard_client", "serve", str(file)]
        with (
            open(Path(folder) / "out", "w") as out,
            subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT) as process,
        ):
            while not (said := re.search(r"^listening on (\S+);", _read(folder), re.M)):
                if process.poll() is not None:
                    raise RuntimeError(_read(folder))
                time.sleep(0.05)
            try:
                yield said[1], process.pid
            finally:
                process.terminate()


def _read(folder: str) -> str:
    return (Path(folder) / "out").read_text()


@contextlib.contextmanager
def idle_bots(address: str, count: int, *options: str) -> Iterator[None]:
    """So many bots at a server, from when all have entered until the block ends."""
    command = [sys.executable, "-m", "tests.bench.idle_bots", address, str(count), *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        if not process.stdout.readline():
            raise RuntimeError("the bots did not come in")
        yield
        process.communicate()


def private_kib(pid: int) -> int:
    """KiB of memory that a process shares with no other."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(kib) for kib in re.findall(r"^Private_\w+: +(\d+) kB", rollup, re.M))


def measure(address: str, pid: int, count: int, *options: str) -> float:
    """KiB that a server takes for each of so many idle bots.

    A first bot goes before, so that nothing is counted that is there for any number of them.
    """
    with idle_bots(address, 1, *options):
        before = private_kib(pid)
        with idle_bots(address, count, *options):
            return (private_kib(pid) - before) / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bots", type=int, default=2000)
    count = parser.parse_args().bots
    with bare_server() as (address, pid):
        bare = measure(address, pid, count, "--bare")
    with waiting_tournament() as (address, pid):
        started = time.perf_counter()
        bot = measure(address, pid, count)
        seconds = time.perf_counter() - started
    print(
        f"{count} idle bots: {bot:.0f} KiB a bot (100 at most); a bare gRPC stream with a channel"
        f" of its own {bare:.0f} KiB; all had entered after {seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
