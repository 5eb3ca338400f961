"""A match host in memory, whose matches are played by robots on the mock clock."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import TypeVar

import pytest
import trio
from trio._core import _run
from trio.testing import MockClock

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import Journal, MemoryJournal
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import VerifiedMatch, verify_match
from tests.fakes.keys import secret
from tests.fakes.robots import NOW, REFEREE, Robot

STORED = secret("referee stored")
SWEEP = 0.05
"""How late the host may see that a deadline has passed, in seconds, with its rounding up."""

T = TypeVar("T")


def now_us() -> int:
    """A wall clock that goes with the mock clock."""
    return NOW + round(trio.current_time() * 1e6)


def run(main: Callable[[], Awaitable[T]], order: int = 0, seconds: float = 600) -> T:
    """Run to the end, for so many ``seconds`` of the mock clock at most.

    Tasks that can run at the same time do so in an order of trio's that is drawn; here it
    is always the same one of a number.
    """

    async def bounded() -> T:
        with trio.fail_after(seconds):
            return await main()

    # As trio's own plug-in for Hypothesis has it.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_run, "_ALLOW_DETERMINISTIC_SCHEDULING", True)
        patch.setattr(_run, "_r", Random(order))
        return trio.run(bounded, clock=MockClock(autojump_threshold=0))


def make_host(journal: Journal | None = None) -> MatchHost:
    drawn = 0

    def challenge() -> bytes:
        nonlocal drawn
        drawn += 1
        return secret(f"challenge {drawn}")

    return MatchHost(
        REFEREE,
        STORED,
        MemoryJournal() if journal is None else journal,
        now_us=now_us,
        challenge=challenge,
    )


@asynccontextmanager
async def sweeping(host: MatchHost) -> AsyncIterator[trio.Nursery]:
    """The host with its deadlines enforced; the nursery is for its match streams.

    In the end no stream may be left with the host, and no table.
    """
    async with trio.open_nursery() as nursery, trio.open_nursery() as doors:
        nursery.start_soon(host.sweep)
        yield doors
        await trio.sleep(2)
        assert not doors.child_tasks
        assert not host._tables
        nursery.cancel_scope.cancel()


@dataclass
class Match:
    """A match that has been played: its close, its transcript, and how long it took."""

    close: pb.MatchClose
    records: list[bytes]
    seconds: float

    @property
    def reasons(self) -> list[pb.EndReason]:
        return [seat.reason for seat in self.close.seats]

    @property
    def half_points(self) -> list[int]:
        return [seat.half_points for seat in self.close.seats]

    @property
    def out(self) -> pb.SeatOut:
        """The first seat's going out."""
        return self.outs[0]

    @property
    def outs(self) -> list[pb.SeatOut]:
        return [event.seat_out for event in events(self.records) if event.HasField("seat_out")]

    @property
    def answers(self) -> list[tuple[pb.Answer, pb.Timing]]:
        """Every answer that counted, with what the referee measured of it."""
        return [
            (
                decode(pb.Answer, parse_signed(event.answered.answer).body),
                event.answered.timing,
            )
            for event in events(self.records)
            if event.HasField("answered")
        ]

    def verified(self) -> VerifiedMatch:
        """The transcript, after everything in it was recomputed."""
        verified = verify_match(join(self.records))
        assert verified.close == self.close
        return verified


def events(records: Sequence[bytes]) -> list[pb.Event]:
    """The events among the records of a transcript."""
    signed = [parse_signed(record) for record in records]
    return [decode(pb.Event, s.body) for s in signed if s.type == type_of("event")]


def play(
    *robots: Robot, terms: pb.MatchOpen | None = None, journal: MemoryJournal | None = None
) -> Match:
    """Play the robots' match; its transcript is verified, whatever happened in it."""
    journal = journal or MemoryJournal()
    terms = terms or robots[0].opening

    async def main() -> Match:
        host = make_host(journal)
        async with sweeping(host) as doors:
            async with trio.open_nursery() as bots:
                for robot in robots:
                    bots.start_soon(robot.play, host, doors)
                close = await host.play(terms)
                seconds = trio.current_time()
            records = journal.records[terms.match, terms.attempt]
        return Match(close, records, seconds)

    match = run(main)
    match.verified()
    return match
