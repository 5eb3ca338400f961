"""Bots of the product itself at a real match host, over lines that break where a test wants."""

import math
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import trio

from aboveboard_client.session.desk import Desk
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.match_session import play_seat
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.state.journal import Journals, MemoryJournals
from aboveboard_client.state.state_folder import FileJournals
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_protos.bridge import Broken, Stream, Unavailable, memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.match.player import Turn
from tests.fakes.keys import secret
from tests.fakes.reporting import Recorded
from tests.fakes.robots import REFEREE, door, entry_key
from tests.fakes.seats import at_once


@dataclass
class Steady:
    """Answers equal legal moves equally, whichever process asks it, so many times at most."""

    moves: float = math.inf
    games: tuple[str, ...] = ()

    def choose(self, turn: Turn) -> object:
        self.moves -= 1
        if self.moves < 0:
            raise LookupError("it has had enough")
        return Random(f"{turn.seat} {turn.legal}").choice(turn.legal)


class Cutting:
    """A stream that breaks in place of certain of a line's messages, either way."""

    def __init__(self, stream: Stream, line: "Line") -> None:
        self._stream = stream
        self._line = line

    async def receive(self) -> bytes:
        data = await self._stream.receive()
        self._count()
        return data

    def send(self, message: bytes) -> None:
        self._line.note(message)
        self._count()
        self._stream.send(message)

    def abort(self, text: str = "") -> None:
        self._stream.abort(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _count(self) -> None:
        if self._line.breaks_now():
            self._stream.abort("cable cut")
            raise Broken("cable cut")


@dataclass
class Line:
    """All connections of one bot to one match. ``cuts`` are numbers of messages, from 0."""

    cuts: Collection[int] = ()
    messages: int = 0
    connections: int = 0
    sent: dict[int, set[bytes]] = field(default_factory=lambda: defaultdict(set))  # by asked
    host: MatchHost | None = None  # where it leads; None: nobody listens
    doors: trio.Nursery | None = None
    theirs: list[Stream] = field(default_factory=list)  # the host's ends

    def lead_to(self, host: MatchHost, doors: trio.Nursery) -> None:
        """Connections lead to this host from now on; the nursery is for its ends of them."""
        self.host, self.doors = host, doors

    def hang_up(self) -> None:
        """As when the host's process is killed: everything breaks, and nobody listens."""
        self.host = None
        for stream in self.theirs:
            stream.abort("killed")

    def breaks_now(self) -> bool:
        self.messages += 1
        return self.messages - 1 in self.cuts

    def note(self, message: bytes) -> None:
        frame = decode(service.MatchUp, message)
        if frame.answer:
            asked = decode(pb.Answer, parse_signed(frame.answer).body).asked
            self.sent[asked].add(frame.answer)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Stream]:
        if self.host is None or self.doors is None:
            raise Unavailable("nobody is there")
        self.connections += 1
        mine, theirs = memory_pair()
        self.theirs.append(theirs)
        self.doors.start_soon(door, self.host, theirs)
        try:
            yield Cutting(mine, self)
        finally:
            mine.abort()


@dataclass
class Guest:
    """The bot of one seat. ``dies``: with every connection the process ends, and a new one
    goes on from ``folder``.
    """

    terms: pb.MatchOpen
    seat: int
    line: Line = field(default_factory=Line)
    folder: Path | None = None
    dies: bool = False
    moves: float = math.inf  # after which it resigns
    reports: Recorded = field(default_factory=Recorded)
    lives: int = 0
    end: MatchEnd | None = None

    async def play(self) -> None:
        while True:
            self.lives += 1
            self.end = await play_seat(self.line.open, self.ticket, self.desk())
            if self.end.close is not None or not self.dies:
                return

    @property
    def ticket(self) -> pb.Ticket:
        terms = self.terms
        return pb.Ticket(
            tournament=terms.tournament,
            match=terms.match,
            attempt=terms.attempt,
            seat=self.seat,
            referee_key=REFEREE.public.raw,
            game=terms.game,
        )

    def desk(self) -> Desk:
        return Desk(
            Identity(f"guest-{self.seat}", entry_key(self.seat), secret(f"stored {self.seat}")),
            Steady(self.moves),
            self.reports,
            journals=self._journals(),
            patience=Patience(total=0) if self.dies else Patience(),
            run_choice=at_once,
            clock=self.terms.clock,
        )

    def _journals(self) -> Journals:
        if self.folder is None:
            return MemoryJournals()
        (self.folder / "journal").mkdir(exist_ok=True)
        return FileJournals(self.folder, in_line)

    @property
    def contradicted_itself(self) -> bool:
        """Whether it gave two answers to one question."""
        return any(len(answers) > 1 for answers in self.line.sent.values())


async def in_line(write: Callable[[], Any]) -> Any:
    """Without a thread, so that nothing depends on the scheduler."""
    await trio.lowlevel.checkpoint()
    return write()
