"""A bot's stay in a tournament: the control stream, and the matches that it sends to.

down  Greeting      who organises what                    checked
up    Join          the entry, and a proof of its key
down  Welcome, or a Refusal
down  Ticket …      each is played at its own stream, several at once
down  Finished      with the table
"""

from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import trio

from aboveboard_client.bot import Bot, plays
from aboveboard_client.errors import AboveboardError, OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.greeting import Greeting, Tournament, read_greeting
from aboveboard_client.identity import Identity
from aboveboard_client.match_session import Desk, RunChoice, in_thread, play_seat
from aboveboard_client.output import printable
from aboveboard_client.reports import MatchEnd, Reports
from aboveboard_client.tickets import BadTicket, read_ticket
from aboveboard_protos.bridge import Broken, Overflow, Stream, Unavailable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.fairplay.keys import BadSignature, PrivateKey, PublicKey
from aboveboard_referee.host.frames import PROTOCOL

CONTROL = "/aboveboard.v1.Lobby/Control"
"""The method that a control stream is opened with."""

ANSWER_SECONDS = 30
"""How long the server may take to greet and to welcome."""

PING_SECONDS = 20
SILENT_PINGS = 3
"""After so many pings without any sign of life the connection counts as lost."""

LAST_SECONDS = 10
"""How long matches may still go on after the tournament has ended."""

Said = TypeVar("Said", pb.Pairings, pb.TournamentClose)


class OpenMatch(Protocol):
    """Opens a match stream at a referee's address; empty is the server's own.

    Entering may raise ``Unavailable`` or ``Broken``.
    """

    def __call__(self, address: str) -> AbstractAsyncContextManager[Stream]: ...


@dataclass(frozen=True)
class Outcome:
    """What became of the bot in a tournament that has ended."""

    tournament: Tournament
    entrant: int
    ends: tuple[MatchEnd, ...]
    close: pb.TournamentClose

    @property
    def standing(self) -> pb.StandingsRow | None:
        """The bot's own row of the table."""
        return next((row for row in self.close.standings if row.entrant == self.entrant), None)


async def play_session(
    stream: Stream,
    identity: Identity,
    bot: Bot,
    *,
    open_match: OpenMatch,
    reports: Reports,
    now_us: Callable[[], int],
    new_key: Callable[[], PrivateKey],
    capacity: int = 1,
    organiser: PublicKey | None = None,
    evidence: Path | None = None,
    run_choice: RunChoice = in_thread,
) -> Outcome:
    """Enter the tournament at the other end of a control stream and play all of it.

    ``now_us`` is the time since the Unix epoch, ``new_key`` gives a fresh random key,
    and ``organiser`` is the key that the user trusts. Raises ``WrongUse`` where the
    server refuses the bot or the bot cannot play there, ``VerdictAgainst`` where the
    organiser's signature does not hold, and ``OutsideFailure`` where the connection is
    lost or replaced by a newer one; matches under way are played to their end first.
    """
    greeting = read_greeting(await _answer(stream), organiser)
    for game in greeting.tournament.manifest.games:
        if not plays(bot, game.name):
            raise WrongUse(f"the tournament has {game.name}, which this bot does not play")
    clock = greeting.tournament.manifest.clock
    desk = Desk(identity, bot, reports, new_key, evidence, run_choice, clock)
    session = _Session(stream, greeting, desk, open_match, now_us, capacity)
    await session.join()
    return await session.play()


class _Session:
    def __init__(
        self,
        stream: Stream,
        greeting: Greeting,
        desk: Desk,
        open_match: OpenMatch,
        now_us: Callable[[], int],
        capacity: int,
    ) -> None:
        self._stream = stream
        self._challenge = greeting.challenge
        self._tournament = greeting.tournament
        self._desk = desk
        self._reports = desk.reports
        self._open_match = open_match
        self._now_us = now_us
        self._capacity = capacity
        self._playing = 0
        self._waiting: deque[pb.Ticket] = deque()  # for room, in order of arrival
        self._entrant = -1
        self._seen: set[tuple[str, int]] = set()  # match and attempt of every ticket
        self._ends: list[MatchEnd] = []
        self._ending = False

    async def join(self) -> None:
        identity, tournament = self._desk.identity, self._tournament
        join = service.Join(
            protocol=PROTOCOL,
            login=identity.login(tournament, self._challenge),
            entry=identity.entry(tournament),
            capacity=self._capacity,
        )
        _send(self._stream, join=join)
        frame = _read(await _answer(self._stream))
        if frame.WhichOneof("frame") != "welcome":
            raise OutsideFailure("the server neither welcomes nor refuses the bot")
        self._entrant = frame.welcome.entrant
        self._reports.joined(tournament, frame.welcome.entrant, frame.welcome.epoch)

    async def play(self) -> Outcome:
        failure: AboveboardError | None = None
        async with trio.open_nursery() as matches:
            try:
                close = await self._follow(matches)
                matches.cancel_scope.deadline = trio.current_time() + LAST_SECONDS
            except AboveboardError as error:
                # Kept, for a nursery would wrap it; matches under way go on meanwhile.
                failure = error
            self._ending = True
        if failure is not None:
            raise failure
        return Outcome(self._tournament, self._entrant, tuple(self._ends), close)

    # --- The control stream --------------------------------------------------------------

    async def _follow(self, matches: trio.Nursery) -> pb.TournamentClose:
        """Do what the server says until the tournament has ended."""
        while True:
            frame = _read(await self._receive())
            match frame.WhichOneof("frame"):
                case "ticket":
                    self._take_ticket(frame.ticket, matches)
                case "notice":
                    self._reports.noticed(frame.notice.text)
                case "pairings":
                    pairings = self._signed(frame.pairings, "pairings", pb.Pairings)
                    self._reports.paired(pairings, self._entrant)
                case "finished":
                    close = self._signed(
                        frame.finished.close, "tournament-close", pb.TournamentClose
                    )
                    self._reports.finished(close, self._entrant)
                    return close
                case "ping":
                    _send(self._stream, pong=service.Ping(number=frame.ping.number))
                case "pong":
                    pass
                case other:
                    raise OutsideFailure(f"the server sent {other or 'an empty frame'} out of turn")

    async def _receive(self) -> bytes:
        for number in range(SILENT_PINGS):
            with trio.move_on_after(PING_SECONDS):
                return await _receive(self._stream)
            _send(self._stream, ping=service.Ping(number=number + 1))
        raise OutsideFailure(f"the server was silent for {PING_SECONDS * SILENT_PINGS} s")

    def _signed(self, data: bytes, kind: str, message: type[Said]) -> Said:
        try:
            signed = parse_signed(data)
            verify_sole(signed, kind, self._tournament.organiser)
            body = decode(message, signed.body)
            if body.tournament != self._tournament.id:
                raise Refused("that of another tournament")
        except (Refused, BadSignature) as error:
            raise VerdictAgainst(f"the organiser did not sign these {kind}: {error}") from error
        return body

    # --- Matches -------------------------------------------------------------------------

    def _take_ticket(self, data: bytes, matches: trio.Nursery) -> None:
        try:
            ticket = read_ticket(data, self._tournament, self._now_us())
        except BadTicket as error:
            self._reports.ticket_refused(str(error))
            return
        # Whoever comes back is sent its tickets again.
        place = (ticket.match, ticket.attempt)
        if place not in self._seen:
            self._seen.add(place)
            self._waiting.append(ticket)
            self._start_waiting(matches)

    def _start_waiting(self, matches: trio.Nursery) -> None:
        while self._waiting and self._playing < self._capacity and not self._ending:
            self._playing += 1
            matches.start_soon(self._play, self._waiting.popleft(), matches)

    async def _play(self, ticket: pb.Ticket, matches: trio.Nursery) -> None:
        self._reports.match_begins(ticket)
        try:
            async with self._open_match(ticket.address) as stream:
                end = await play_seat(stream, ticket, self._desk)
        except (Unavailable, Broken) as error:
            self._reports.match_trouble(ticket, f"the referee cannot be reached: {error}")
            end = MatchEnd(ticket, None)
        self._ends.append(end)
        self._reports.match_ended(end)
        self._playing -= 1
        self._start_waiting(matches)


# --- Frames --------------------------------------------------------------------------------


async def _answer(stream: Stream) -> bytes:
    """What the server says next, while a person is waiting for it."""
    try:
        with trio.fail_after(ANSWER_SECONDS):
            return await _receive(stream)
    except trio.TooSlowError:
        raise OutsideFailure(f"the server did not answer within {ANSWER_SECONDS} s") from None


async def _receive(stream: Stream) -> bytes:
    try:
        return await stream.receive()
    except trio.EndOfChannel:
        raise OutsideFailure("the server ended the connection before the tournament did") from None
    except Broken as error:
        raise OutsideFailure(f"the connection to the server is lost: {error}") from error


def _read(data: bytes) -> service.ControlDown:
    """A frame; a refusal is raised as what it means for the user."""
    try:
        frame = decode(service.ControlDown, data)
    except Refused as error:
        raise OutsideFailure(f"the server does not keep to the protocol: {error}") from error
    if frame.WhichOneof("frame") == "refusal":
        text = printable(frame.refusal.text)
        if frame.refusal.code == service.REFUSAL_CODE_REPLACED:
            raise OutsideFailure(f"this process has been replaced by a newer one: {text}")
        raise WrongUse(f"the server refuses: {text}")
    return frame


def _send(stream: Stream, **frame: Any) -> None:
    try:
        stream.send(service.ControlUp(**frame).SerializeToString())
    except Overflow:
        stream.abort("the server does not read what it is sent")
    except Broken:
        # Whoever receives finds out as well and knows what to do.
        return
