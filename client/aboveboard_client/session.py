"""A bot's stay in a tournament: the control stream, and the matches that it sends to.

::

    down  Greeting      who organises what                    checked
    up    Join          the entry, and a proof of its key
    down  Welcome, or a Refusal
    down  Ticket …      each is played at its own stream, several at once
    down  Finished      with the table

A connection that breaks before the end is followed by another one, to the same
tournament. Matches go on meanwhile, each over its own.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import trio

from aboveboard_client.bot import Bot, plays
from aboveboard_client.connection import OpenStream
from aboveboard_client.control_link import ControlLink, signed_by_organiser
from aboveboard_client.desk import Desk, RunChoice, in_thread
from aboveboard_client.errors import AboveboardError, OutsideFailure, WrongUse
from aboveboard_client.greeting import Greeting, Tournament
from aboveboard_client.identity import Identity
from aboveboard_client.journal import JournalError, Journals, MemoryJournals
from aboveboard_client.matches import Matches
from aboveboard_client.reconnect import Attempts, Lost, Patience
from aboveboard_client.reports import MatchEnd, Reports
from aboveboard_client.tickets import BadTicket, read_ticket
from aboveboard_protos.bridge import Broken, Stream, Unavailable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PublicKey

CONTROL = "/aboveboard.v1.Lobby/Control"
"""The method that a control stream is opened with."""

LAST_SECONDS = 10
"""How long matches may still go on after the tournament has ended."""


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
    open_control: OpenStream,
    identity: Identity,
    bot: Bot,
    *,
    open_match: OpenMatch,
    reports: Reports,
    now_us: Callable[[], int],
    journals: Journals | None = None,
    patience: Patience = Patience(),  # noqa: B008  # it cannot be changed
    capacity: int = 1,
    organiser: PublicKey | None = None,
    evidence: Path | None = None,
    run_choice: RunChoice = in_thread,
) -> Outcome:
    """Enter the tournament at the other end of a control stream and play all of it.

    ``open_control`` is called for every connection; the first one is not tried again,
    unless there are matches to go back to.
    ``now_us`` is the time since the Unix epoch, ``journals`` lets the identity's stored
    secret go on where an earlier process was (default: they last as long as this one),
    and ``organiser`` is the key that the user trusts.

    Raises ``WrongUse`` where the server refuses the bot or the bot cannot play there,
    ``VerdictAgainst`` where the organiser's signature does not hold, and
    ``OutsideFailure`` where the connection stays lost or is replaced by a newer one;
    matches under way are played to their end first.
    """
    desk = Desk(
        identity,
        bot,
        reports,
        MemoryJournals() if journals is None else journals,
        patience,
        evidence,
        run_choice,
    )
    return await _Session(open_control, open_match, desk, now_us, capacity, organiser).play()


class _Session:
    def __init__(
        self,
        open_control: OpenStream,
        open_match: OpenMatch,
        desk: Desk,
        now_us: Callable[[], int],
        capacity: int,
        organiser: PublicKey | None,
    ) -> None:
        self._open_control = open_control
        self._desk = desk
        self._now_us = now_us
        self._capacity = capacity
        self._organiser = organiser
        self._tournament: Tournament | None = None  # once it was entered
        self._entrant = -1
        self._matches = Matches(open_match, desk, capacity)
        self._attempts = Attempts(
            desk.patience,
            partial(desk.reports.connection_lost, None),
            partial(desk.reports.connection_back, None),
        )

    async def play(self) -> Outcome:
        failure: AboveboardError | None = None
        async with trio.open_nursery() as nursery:
            self._matches.nursery = nursery
            try:
                close = await self._stay()
                nursery.cancel_scope.deadline = trio.current_time() + LAST_SECONDS
            except AboveboardError as error:
                # Kept, for a nursery would wrap it; matches under way go on meanwhile.
                failure = error
            self._matches.stop()
        if failure is not None:
            raise failure
        assert self._tournament is not None
        try:
            await self._desk.journals.end_tournament(self._tournament.id)
        except JournalError as error:
            raise OutsideFailure(str(error)) from error
        return Outcome(self._tournament, self._entrant, tuple(self._matches.ends), close)

    # --- Connections ---------------------------------------------------------------------

    async def _stay(self) -> pb.TournamentClose:
        """Through all connections to the end of the tournament."""
        while True:
            ending = await self._connect()
            if isinstance(ending, pb.TournamentClose):
                return ending
            if isinstance(ending, AboveboardError):
                raise ending
            self._attempts.ended()
            # A wrong address is told at once; but a bot that was killed in the middle of
            # matches may be back before its server is.
            anew = self._tournament is None and not self._desk.journals.any_begun
            if anew or self._attempts.exhausted:
                raise OutsideFailure(str(ending))
            await self._attempts.again(str(ending))

    async def _connect(self) -> pb.TournamentClose | AboveboardError | Lost:
        try:
            async with self._open_control() as stream:
                return await self._attend(ControlLink(stream))
        except (Unavailable, Broken) as error:
            return Lost(str(error))

    async def _attend(self, link: ControlLink) -> pb.TournamentClose | AboveboardError | Lost:
        """One connection from its greeting on. What ends it is returned, for whoever opened
        it could wrap it.
        """
        try:
            greeting = await link.greeting(self._organiser)
            self._check(greeting)
            welcome = await link.join(self._desk.identity, greeting, self._capacity)
            self._is_here(greeting.tournament, welcome.entrant, welcome.epoch)
            return await self._follow(link, greeting.tournament)
        except (AboveboardError, Lost) as ending:
            return ending

    def _check(self, greeting: Greeting) -> None:
        manifest = greeting.tournament.manifest
        if self._tournament is None:
            for game in manifest.games:
                if not plays(self._desk.bot, game.name):
                    raise WrongUse(f"the tournament has {game.name}, which this bot does not play")
        elif greeting.tournament.id != self._tournament.id:
            raise WrongUse(
                "the server came back with another tournament, "
                f"{greeting.tournament.id.hex()}: this one is left"
            )

    def _is_here(self, tournament: Tournament, entrant: int, epoch: int) -> None:
        if self._tournament is None:
            self._tournament = tournament
            self._entrant = entrant
            self._matches.belong_to(tournament)
            self._desk.reports.joined(tournament, entrant, epoch)
        self._attempts.stands()

    async def _follow(self, link: ControlLink, tournament: Tournament) -> pb.TournamentClose:
        """Do what the server says until the tournament has ended."""
        reports = self._desk.reports
        while True:
            frame = await link.frame()
            match frame.WhichOneof("frame"):
                case "ticket":
                    self._take_ticket(frame.ticket, tournament)
                case "notice":
                    reports.noticed(frame.notice.text)
                case "pairings":
                    pairings = signed_by_organiser(
                        tournament, frame.pairings, "pairings", pb.Pairings
                    )
                    reports.paired(pairings, self._entrant)
                case "finished":
                    close = signed_by_organiser(
                        tournament, frame.finished.close, "tournament-close", pb.TournamentClose
                    )
                    reports.finished(close, self._entrant)
                    return close
                case other:
                    raise OutsideFailure(f"the server sent {other or 'an empty frame'} out of turn")

    def _take_ticket(self, data: bytes, tournament: Tournament) -> None:
        try:
            begun = self._desk.journals.begun
            self._matches.take(read_ticket(data, tournament, self._now_us(), begun))
        except BadTicket as error:
            self._desk.reports.ticket_refused(str(error))
