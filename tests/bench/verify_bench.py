"""``make bench``: what verifying an archive costs besides its signatures.

An archive of every game, played by bots at random, is verified in this process; then its
signatures alone are verified, the same ones in the same order; then one signature as often
by ``cryptography``, which is the yardstick. All of that in turns in one run, in CPU time,
of which the least counts. Then it is verified by one process for each processor, in wall
clock time, as ``aboveboard verify`` does. How time and memory grow with the number of
matches is measured by ``tests.bench.verify_growth``.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from aboveboard_client.archives.verify_pool import InProcesses
from aboveboard_referee.fairplay.ed25519 import LIBRARY
from aboveboard_referee.fairplay.keys import PublicKey
from aboveboard_referee.games import registry
from aboveboard_referee.verify.archive import MATCHES
from aboveboard_referee.verify.report import Counts
from aboveboard_referee.verify.tournament import verify_archive, verify_here
from tests.bench import verify_growth
from tests.fakes.archive import Organiser

MESSAGE_BYTES = 300
"""Of the yardstick's message: about what an event has."""

Verified = list[tuple[PublicKey, bytes, bytes]]


@contextmanager
def noted(calls: Verified) -> Iterator[None]:
    """Writes down every signature that is verified meanwhile."""
    verify = PublicKey.verify

    def note(key: PublicKey, signature: bytes, message: bytes) -> None:
        calls.append((key, signature, message))
        verify(key, signature, message)

    PublicKey.verify = note  # type: ignore[method-assign]  # for as long as the block runs
    try:
        yield
    finally:
        PublicKey.verify = verify  # type: ignore[method-assign]  # as it was


def cpu(act: Callable[[], object]) -> float:
    """CPU seconds of ``act``, keys being judged anew."""
    PublicKey.parse.cache_clear()
    started = time.process_time()
    act()
    return time.process_time() - started


def say_rate(what: str, counts: Counts, seconds: float) -> None:
    print(
        f"{what:42} {counts.matches / seconds:10,.1f} matches {counts.events / seconds:9,.0f} "
        f"events {counts.signatures / seconds:9,.0f} signatures a second"
    )


def measure(entrants: int, rounds: int, repeats: int, processes: int) -> None:
    organiser = Organiser("bench", entrants=entrants, rounds=rounds, games=registry.names())
    files = organiser.play().files
    transcripts = [data for path, data in files.items() if path.startswith(MATCHES)]
    calls: Verified = []
    with noted(calls):
        report = verify_archive(files)
    assert report.good
    count = len(calls)
    assert count == report.counts.signatures

    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    message = bytes(MESSAGE_BYTES)
    signature, verify_one = key.sign(message), key.public_key().verify

    whole, signatures, yardstick = [], [], []
    for _ in range(repeats):
        whole.append(cpu(lambda: verify_archive(files)))
        signatures.append(cpu(lambda: [key.verify(*rest) for key, *rest in calls]))
        yardstick.append(cpu(lambda: [verify_one(signature, message) for _ in range(count)]))
    one = min(yardstick) / count
    rest = (min(whole) - min(signatures)) / count

    wall = []
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        verify = InProcesses(pool, processes)
        list(verify(transcripts))  # every process is up
        for _ in range(repeats):
            started = time.perf_counter()
            assert verify_archive(files, matches=verify).good
            wall.append((time.perf_counter() - started) / count)
    alone = cpu(lambda: list(verify_here(transcripts)))

    size = sum(map(len, transcripts))
    print(
        f"\nverification: {len(transcripts)} matches of every game, {size >> 10:,} KiB, "
        f"{report.counts.events:,} events, {count:,} signatures by {LIBRARY.name}"
    )
    say_rate("the whole archive, CPU of one process", report.counts, min(whole))
    say_rate(f"the whole archive, {processes} processes", report.counts, min(wall) * count)
    print(f"one verification by cryptography: {one * 1e6:.1f} us of CPU = 1")
    print("                                          us a signature     ratio")
    for what, seconds in (
        ("everything, CPU of one process", min(whole) / count),
        ("  its signatures alone", min(signatures) / count),
        ("  everything else", rest),
        (f"everything, wall clock, {processes} processes", min(wall)),
        ("  everything else, its share", min(wall) - min(signatures) / count / processes),
    ):
        print(f"{what:42} {seconds * 1e6:12.1f} {seconds / one:10.2f}")
    print(f"processors in use: {alone / count / min(wall):.2f} of {processes}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entrants", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    # First, since the memory of its processes begins as this one's.
    verify_growth.measure(verify_growth.ENTRANTS)
    measure(chosen.entrants, chosen.rounds, chosen.repeats, chosen.processes)


if __name__ == "__main__":
    main()
