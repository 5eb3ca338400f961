"""The product's match host at work: so many cribbage matches at once, one after another.

``python -m tests.bench.match_server MATCHES`` prints its port and hosts until its standard
input is closed. Transcripts go to a store on disk, as a server's do, but belong to no
tournament with a log. A stream of its own tells CPU seconds and accepted answers so far.
"""

import itertools
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import trio

from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.host.frames import PLAY
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.match.local import CLOCK
from aboveboard_referee.match.wire import game_to_wire
from aboveboard_server.service import now_us
from aboveboard_server.store.book import Book
from aboveboard_server.store.journal import StoreJournal
from aboveboard_server.store.store import Row, Store, open_store

FIGURES = "/aboveboard.bench.Match/Figures"
GAME = "cribbage"
TOURNAMENT = bytes(32)


def key(*labels: object) -> PrivateKey:
    """A benchmark's key, the same in every process; it protects nothing."""
    return PrivateKey.from_seed(repr(labels).encode().ljust(32, b".")[:32])


def match_id(place: int, number: int) -> str:
    return f"m{place}-{number}"


def opening(place: int, number: int) -> pb.MatchOpen:
    return pb.MatchOpen(
        tournament=TOURNAMENT,
        match=match_id(place, number),
        attempt=1,
        game=game_to_wire(registry.game(GAME)),
        seats=[
            pb.SeatTerms(entrant=seat, entry_key=key("entry", place, seat).public.raw)
            for seat in range(2)
        ],
        first=pb.FIRST_SEAT0,
        tier=pb.TIER_SIGNED,
        clock=CLOCK,
        chain_length=1024,
    )


class NoLog:
    """In the public log's place: keeps the rows that come with a leaf, and no leaf."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def append(self, _leaf: bytes, rows: Sequence[Row] = ()) -> int:
        return await self._store.append(rows)


async def main() -> None:
    matches = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        async with open_store(Path(folder) / "bench.db") as store, trio.open_nursery() as nursery:
            no_log: Any = NoLog(store)
            host = MatchHost(
                key("referee"),
                bytes(32),
                StoreJournal(store, Book(), no_log),
                now_us=now_us,
                challenge=lambda: bytes(32),
            )

            async def place(index: int) -> None:
                for number in itertools.count():
                    await host.play(opening(index, number))

            async def figures(stream: bridge.Stream) -> None:
                try:
                    while True:
                        await stream.receive()
                        stream.send(f"{time.process_time()} {host.answers}".encode())
                except trio.EndOfChannel:
                    return

            async with bridge.serve("127.0.0.1:0", {PLAY: host.admit, FIGURES: figures}) as port:
                nursery.start_soon(host.sweep)
                for index in range(matches):
                    nursery.start_soon(place, index)
                print(port, flush=True)
                await trio.to_thread.run_sync(sys.stdin.read)
                nursery.cancel_scope.cancel()


if __name__ == "__main__":
    bridge.run(main)
