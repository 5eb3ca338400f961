"""A server that shows a public log to each of its two bots: the same one, or two histories.

Everything but the server's choice of log is the product's own: the bots' sessions, the
match host and its referee. What the host sends both seats as proof that the opening is in
the log is replaced, for each, by what its history proves.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import trio

from aboveboard_client.bot import load
from aboveboard_client.errors import AboveboardError
from aboveboard_client.public_log.log_state import LogStore
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.session import Outcome, play_session
from aboveboard_protos.bridge import Broken, Stream, memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import MemoryJournal
from tests.fakes.keys import key, secret
from tests.fakes.logs import FakeLog
from tests.fakes.referees import NOW, REFEREE, down, signed, ticket
from tests.fakes.reporting import Recorded
from tests.fakes.seats import NEVER_AGAIN, at_once, run
from tests.fakes.sessions import CLOSED, EVENT, FINISHED, GREETING, frame

MATCH = "r1-b1"


def identity(seat: int) -> Identity:
    return Identity(f"bot-{seat}", key(f"entry {seat}"), secret(f"stored {seat}"))


def opening() -> pb.MatchOpen:
    manifest = EVENT.manifest
    return pb.MatchOpen(
        tournament=EVENT.id,
        match=MATCH,
        attempt=1,
        game=manifest.games[0],
        seats=[
            pb.SeatTerms(entrant=seat, entry_key=identity(seat).key.public.raw) for seat in (0, 1)
        ],
        first=manifest.first,
        tier=manifest.tier,
        clock=manifest.clock,
        chain_length=manifest.chain_length,
    )


@dataclass
class Shown:
    """One bot, and the history that it is shown."""

    log: FakeLog
    reports: Recorded = field(default_factory=Recorded)
    outcome: Outcome | None = None
    error: AboveboardError | None = None
    sent: list[service.ControlUp] = field(default_factory=list)
    told: int = 0  # leaves of its history
    control: Stream | None = None

    def tell(self) -> None:
        """Tell it what its history has grown by."""
        if self.control is not None:
            self.control.send(frame(log_news=self.log.news(self.told)))
            self.told = self.log.size


class _Proving:
    """The host's end of a match stream, on which the proof is of one bot's own history."""

    def __init__(self, stream: Stream, shown: Shown, opened: "_Opened") -> None:
        self._stream = stream
        self._shown = shown
        self._opened = opened

    def send(self, message: bytes) -> None:
        if decode(service.MatchDown, message).HasField("logged"):
            receipt = self._shown.log.receipt(self._opened.record)
            self._shown.tell()
            message = down(logged=receipt)
        self._stream.send(message)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Opened:
    """The host's log, which is never asked what it proves."""

    def __init__(self) -> None:
        self.record = b""

    async def opened(self, record: bytes) -> service.Receipt:
        self.record = record
        return service.Receipt()


def play(logs: Sequence[FakeLog], folder: Path, stores: Sequence[LogStore | None]) -> list[Shown]:
    """One match of two bots, who are shown these logs; what became of each."""
    bots = [Shown(log) for log in logs]
    opened = _Opened()
    host = MatchHost(
        REFEREE,
        secret("referee stored"),
        MemoryJournal(),
        now_us=lambda: NOW + round(trio.current_time() * 1e6),
        challenge=lambda: secret("challenge"),
        public_log=opened,
    )

    async def main() -> None:
        async with trio.open_nursery() as doors:
            doors.start_soon(host.sweep)
            async with trio.open_nursery() as playing:
                over = trio.Event()
                playing.start_soon(_host_match, host, over)
                for seat, shown in enumerate(bots):
                    playing.start_soon(_join, doors, host, seat, shown, opened, over)
            doors.cancel_scope.cancel()

    async def _join(
        doors: trio.Nursery,
        host: MatchHost,
        seat: int,
        shown: Shown,
        opened: _Opened,
        over: trio.Event,
    ) -> None:
        try:
            shown.outcome = await play_session(
                partial(_control, doors, seat, shown, over),
                identity(seat),
                load("random", bytes([seat]) * 32),
                open_match=partial(_match, doors, host, shown, opened),
                reports=shown.reports,
                now_us=lambda: NOW,
                logs=stores[seat],
                patience=NEVER_AGAIN,
                evidence=folder / f"bot-{seat}",
                run_choice=at_once,
            )
        except AboveboardError as error:
            shown.error = error

    run(main)
    return bots


async def _host_match(host: MatchHost, over: trio.Event) -> None:
    await host.play(opening())
    over.set()


@asynccontextmanager
async def _match(
    doors: trio.Nursery, host: MatchHost, shown: Shown, opened: _Opened, _address: str
) -> AsyncIterator[Stream]:
    mine, theirs = memory_pair()
    doors.start_soon(host.admit, _Proving(theirs, shown, opened))
    try:
        yield mine
    finally:
        mine.abort()


@asynccontextmanager
async def _control(
    doors: trio.Nursery, seat: int, shown: Shown, over: trio.Event
) -> AsyncIterator[Stream]:
    mine, theirs = memory_pair()
    doors.start_soon(_serve, theirs, seat, shown, over)
    try:
        yield mine
    finally:
        mine.abort()


async def _serve(stream: Stream, seat: int, shown: Shown, over: trio.Event) -> None:
    """The lobby's end of one bot's control stream."""
    stream.send(GREETING)
    shown.sent.append(decode(service.ControlUp, await stream.receive()))
    shown.control = stream
    stream.send(frame(welcome=service.Welcome(entrant=seat, epoch=1)))
    shown.tell()
    made = ticket(EVENT, MATCH, seat=seat)
    stream.send(frame(ticket=signed("ticket", made, REFEREE)))
    with trio.CancelScope() as scope:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_listen, stream, shown, scope)
            await over.wait()
            shown.log.append(CLOSED)
            shown.tell()
            stream.send(FINISHED)
            scope.cancel()


async def _listen(stream: Stream, shown: Shown, scope: trio.CancelScope) -> None:
    try:
        while True:
            said = decode(service.ControlUp, await stream.receive())
            shown.sent.append(said)
            if said.HasField("ping"):
                stream.send(frame(pong=said.ping))
    except (Broken, trio.EndOfChannel):
        shown.control = None
        scope.cancel()
