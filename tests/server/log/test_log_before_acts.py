"""Whatever a server does is a leaf under a checkpoint on disk before anybody sees it done."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import trio

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.log.checkpoint import parse_checkpoint
from aboveboard_referee.log.note import parse_note
from aboveboard_server.store.book import is_close, is_open
from aboveboard_server.store.store import Row
from tests.fakes.entrants import Entrant, whole
from tests.fakes.network import Network
from tests.fakes.robots import Robot, records_in
from tests.fakes.serving import Served, config, serve
from tests.fakes.snapshots import Snapshots
from tests.fakes.store import MemoryStore


class Slow(Snapshots):
    """Takes a moment for each append, so that what does not wait for it comes too early."""

    async def append(self, rows: list[Row]) -> int:  # type: ignore[override]  # a Sequence
        await trio.sleep(0.01)
        return await super().append(rows)


def covered(store: MemoryStore) -> int:
    """How many leaves the newest stored checkpoint covers."""
    notes = [event.body for event in store.events("checkpoint")]
    return parse_checkpoint(parse_note(notes[-1]).text).size if notes else 0


def is_covered(store: MemoryStore, leaf: bytes) -> bool:
    leaves = [event.body for event in store.events("log")]
    return leaf in leaves[: covered(store)]


@dataclass(eq=False)
class Witnessing(Entrant):
    """Looks at the server's disk whenever it is told something."""

    store: MemoryStore = field(default_factory=MemoryStore)
    seen: Counter[str] = field(default_factory=Counter)

    async def _follow(self, stream: Any, network: Network, nursery: trio.Nursery) -> None:
        await super()._follow(Overheard(stream, self.look), network, nursery)

    def look(self, data: bytes) -> None:
        frame = decode(wire.ControlDown, data)
        match frame.WhichOneof("frame"):
            case "welcome":
                assert is_covered(self.store, self.entry(self.greeted))
            case "greeting":
                self.greeted = frame.greeting
            case "log_news":
                assert frame.log_news.checkpoint in self._stored("checkpoint")
            case "pairings":
                assert is_covered(self.store, frame.pairings)
            case "ticket":
                ticket = decode(pb.Ticket, parse_signed(frame.ticket).body)
                round_ = int(ticket.match[1:].split("-")[0])
                (pairings,) = [p for p in self._leaves("pairings") if p.round == round_]
                assert is_covered(self.store, self._raw("pairings")[round_ - 1])
                assert ticket.match in {pairing.match for pairing in pairings.pairings}
            case "finished":
                assert is_covered(self.store, frame.finished.close)
        self.seen[frame.WhichOneof("frame") or ""] += 1

    def _stored(self, topic: str) -> list[bytes]:
        return [event.body for event in self.store.events(topic)]

    def _raw(self, kind: str) -> list[bytes]:
        return [event.body for event in self.store.events("log") if event.kind == kind]

    def _leaves(self, kind: str) -> Iterator[pb.Pairings]:
        return (decode(pb.Pairings, parse_signed(leaf).body) for leaf in self._raw(kind))


class Overheard:
    """A stream of which every message is shown to somebody first."""

    def __init__(self, stream: Any, look: Any) -> None:
        self._stream = stream
        self._look = look

    async def receive(self) -> bytes:
        data: bytes = await self._stream.receive()
        self._look(data)
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def run(folder: Path) -> tuple[Served, list[Witnessing]]:
    store = Slow()
    seen: Counter[str] = Counter()

    class Looking(Robot):
        """Looks at the disk whenever it is shown a record of its match."""

        async def frame(self) -> wire.MatchDown:
            frame = await super().frame()
            for record in records_in(self.got[-1][1]):
                assert record in [event.body for event in store.events("match/")]
                if is_open(record):
                    assert is_covered(store, record)
                    seen["opening"] += 1
            return frame

    bots = [
        Witnessing(number, habit=whole, robot=Looking, store=store, seen=seen)
        for number in range(3)
    ]
    served = serve(config(folder, entrants=3, rounds=3), *bots, store=store)
    assert served.failure is None
    assert served.report().findings == []
    return served, bots


def test_entries_pairings_tickets_openings_and_the_close_are_logged_before_they_are_told(
    tmp_path: Path,
) -> None:
    _, bots = run(tmp_path)
    seen = bots[0].seen
    assert seen["welcome"] == seen["finished"] == 3
    assert seen["pairings"] == 9
    assert seen["ticket"] == seen["opening"] == 6
    assert seen["log_news"] > 9


def test_a_match_is_in_the_transcript_and_in_the_log_at_one_time_or_not_at_all(
    tmp_path: Path,
) -> None:
    served, _ = run(tmp_path)
    events = list(served.store.events())
    for mark in served.store.marks:
        before = events[:mark]
        records = [e.body for e in before if e.topic.startswith("match/")]
        twofold = [record for record in records if is_open(record) or is_close(record)]
        leaves = [e.body for e in before if e.kind in ("match-open", "match-close")]
        assert sorted(twofold) == sorted(leaves)


@pytest.mark.parametrize("kind", ["match-open", "match-close"])
def test_a_leaf_that_an_older_process_left_out_is_made_good_at_the_start(
    kind: str, tmp_path: Path
) -> None:
    served, _ = run(tmp_path)
    at = next(event.id for event in served.store.events("log") if event.kind == kind)
    # The record follows its leaf in the same append.
    kept = [event for event in served.store.events() if event.id != at and event.id <= at + 1]
    store = Snapshots()
    for event in kept:
        if event.topic != "checkpoint" or event.id < at:
            store.put(event.topic, event.kind, event.body)
    (tmp_path / "again").mkdir()
    bots = [Entrant(number, habit=whole) for number in range(3)]
    again = serve(config(tmp_path / "again", entrants=3, rounds=3), *bots, store=store)
    assert again.failure is None
    assert again.report().findings == []
    assert again.leaves(kind)[0] == served.leaves(kind)[0]
