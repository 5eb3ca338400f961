"""What a server keeps in memory of matches that have ended: little, and the same of each."""

import gc
import tracemalloc
from pathlib import Path

import pytest

from aboveboard_client.errors import OutsideFailure
from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.entrants import Entrant
from tests.fakes.network import Network
from tests.fakes.serving import config, serve
from tests.fakes.snapshots import Snapshots

ENTRANTS = 16

MOST_A_MATCH = 16 * 1024
"""Bytes: the two leaves of the log, what they say, and what the tests' own bots keep of it."""

OURS = [
    tracemalloc.Filter(True, f"*/{package}/*")
    for package in ("aboveboard_server", "aboveboard_referee", "trio")
]


class Measured(Snapshots):
    """Keeps no transcript, as a real store has them on disk; measures at each round's table."""

    def __init__(self) -> None:
        super().__init__()
        self.ended = 0
        self.sizes: list[tuple[int, int]] = []  # matches that have ended, bytes

    def put(self, topic: str, kind: str, body: bytes) -> None:
        if topic.startswith("match/"):
            body = b""
        elif kind == "match-close":
            self.ended += 1
        elif kind == "standings":
            gc.collect()
            taken = tracemalloc.take_snapshot().filter_traces(OURS)
            self.sizes.append((self.ended, sum(trace.size for trace in taken.traces)))
        super().put(topic, kind, body)


class Brief(Entrant):
    """Remembers nothing of the matches that it has played."""

    async def _play(self, ticket: pb.Ticket, network: Network) -> None:
        await super()._play(ticket, network)
        self.robots.clear()
        self.frames.clear()


@pytest.mark.slow
def test_a_match_that_has_ended_takes_little_memory_and_later_ones_no_more(tmp_path: Path) -> None:
    store = Measured()
    tracemalloc.start(1)
    try:
        served = serve(
            config(tmp_path, entrants=ENTRANTS, rounds=0, system="round-robin"),
            *map(Brief, range(ENTRANTS)),
            store=store,
        )
    finally:
        tracemalloc.stop()
    # Its transcripts are gone, so that it comes to its last round and to no archive.
    assert isinstance(served.failure, OutsideFailure)
    assert len(store.sizes) == ENTRANTS - 1
    start, middle, end = store.sizes[2], store.sizes[len(store.sizes) // 2], store.sizes[-1]
    first, last = (
        (after[1] - before[1]) / (after[0] - before[0])
        for before, after in ((start, middle), (middle, end))
    )
    assert max(first, last) < MOST_A_MATCH
    assert last < 1.5 * first
