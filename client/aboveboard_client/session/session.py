"""A bot's stay in a tournament: the control stream, and the matches that it sends to.

::

    down  Greeting      who organises what                    checked
    up    Join          the entry, and a proof of its key
    down  Welcome, or a Refusal
    down  LogNews …     the public log, which the bot follows
    down  DrawCall …    each is answered with a DrawLink
    down  Ticket …      each is played at its own stream, several at once
    down  Finished      with the table

A connection that breaks before the end is followed by another one, to the same
tournament. Matches go on meanwhile, each over its own. A public log that is not one
history ends it all.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

import trio

from aboveboard_client.bot import Bot, plays
from aboveboard_client.errors import AboveboardError, OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.public_log.log_state import LogStore, MemoryLogs
from aboveboard_client.public_log.log_watch import LogWatch
from aboveboard_client.public_log.receipt_book import ReceiptBook
from aboveboard_client.public_log.trust import NOBODY, Trust
from aboveboard_client.session.attendance import Attendance
from aboveboard_client.session.connection import OpenStream
from aboveboard_client.session.control_link import ControlLink
from aboveboard_client.session.desk import Desk, RunChoice, in_thread
from aboveboard_client.session.evidence import log_verdict
from aboveboard_client.session.greeting import Greeting, Tournament
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.matches import Matches
from aboveboard_client.session.objections import Objections
from aboveboard_client.session.reconnect import Attempts, Lost, Patience
from aboveboard_client.state.journal import JournalError, Journals, MemoryJournals
from aboveboard_client.state.report_folder import ReportFolder
from aboveboard_client.terminal.reports import MatchEnd, Reports
from aboveboard_protos.bridge import Broken, Stream, Unavailable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.host.abilities import own_rules
from aboveboard_referee.log.follower import Disagreement

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
    logs: LogStore | None = None,
    receipts: ReceiptBook | None = None,
    lost: ReportFolder | None = None,
    patience: Patience = Patience(),  # noqa: B008  # it cannot be changed
    capacity: int = 1,
    trust: Trust = NOBODY,
    evidence: Path | None = None,
    run_choice: RunChoice = in_thread,
    token: str = "",
) -> Outcome:
    """Enter the tournament at the other end of a control stream and play all of it.

    ``open_control`` is called for every connection; the first one is not tried again,
    unless there are matches to go back to.
    ``now_us`` is the time since the Unix epoch; ``journals`` and ``logs`` let the identity's
    stored secret go on where an earlier process was (default: they last as long as this
    one), ``lost`` is where reports on lost matches go, ``trust`` has the keys that the user
    knows, and ``evidence`` is the folder for it, ``token`` the word to
    enter with, where that is needed.

    Raises ``WrongUse`` where the server refuses the bot or the bot cannot play there,
    ``VerdictAgainst`` where the organiser's signature does not hold, and
    ``OutsideFailure`` where the connection stays lost or is replaced by a newer one;
    matches under way are played to their end first. Raises ``VerdictAgainst`` where the
    public log is not one history: then nothing is played on.
    """
    desk = Desk(
        identity,
        bot,
        reports,
        MemoryJournals() if journals is None else journals,
        patience,
        evidence,
        run_choice,
        receipts=receipts,
        lost=lost,
    )
    if lost is not None:
        lost.disk.failed = reports.reports_failed
    return await _Session(
        open_control, open_match, desk, now_us, capacity, logs or MemoryLogs(), trust, token
    ).play()


class _Session:
    def __init__(
        self,
        open_control: OpenStream,
        open_match: OpenMatch,
        desk: Desk,
        now_us: Callable[[], int],
        capacity: int,
        logs: LogStore,
        trust: Trust,
        token: str,
    ) -> None:
        self._open_control = open_control
        self._objections = Objections(desk.identity, desk.reports)
        self._desk = replace(desk, object_to=self._objections.add, cannot_keep=self._cannot_keep)
        self._unkept = ""  # what could not be kept
        self._now_us = now_us
        self._capacity = capacity
        self._logs = logs
        self._trust = trust
        self._token = token
        self._tournament: Tournament | None = None  # once it was entered
        self._entrant = -1
        self._log: LogWatch | None = None  # of the tournament that was greeted
        self._matches = Matches(open_match, self._desk, capacity)
        self._staying = trio.CancelScope()  # of all control connections
        self._watching: trio.Nursery | None = None
        self._attempts = Attempts(
            desk.patience,
            partial(desk.reports.connection_lost, None),
            partial(desk.reports.connection_back, None),
        )

    async def play(self) -> Outcome:
        failure: AboveboardError | None = None
        close = pb.TournamentClose()
        async with trio.open_nursery() as watching:
            async with trio.open_nursery() as nursery:
                self._watching, self._matches.nursery = watching, nursery
                try:
                    with self._staying:
                        close = await self._stay()
                    nursery.cancel_scope.deadline = trio.current_time() + LAST_SECONDS
                except AboveboardError as error:
                    # Kept, for a nursery would wrap it; matches under way go on meanwhile.
                    failure = error
                self._matches.stop()
            watching.cancel_scope.cancel()
        await self._note_in_receipt()
        if self._log is not None and self._log.disagreement is not None:
            name, folder = self._desk.identity.name, self._desk.evidence
            raise log_verdict(folder, self._log.tournament, name, self._log.disagreement)
        if self._unkept:
            raise OutsideFailure(f"{self._unkept}; make room, and go on with the same command")
        if failure is not None:
            raise failure
        assert self._tournament is not None
        try:
            await self._desk.journals.end_tournament(self._tournament.id)
        except JournalError as error:
            raise OutsideFailure(str(error)) from error
        return Outcome(self._tournament, self._entrant, tuple(self._matches.ends), close)

    def _cannot_keep(self, why: str) -> None:
        """What is sent and not kept could be sent otherwise by a later process. So all ends
        here, soon enough for that one to be back within the grace of its matches.
        """
        self._unkept = self._unkept or why
        self._matches.leave("what it sends cannot be kept")
        self._staying.cancel()

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
            # A wrong address is told at once; but a server that is busy is there, and a bot
            # that was killed in the middle of matches may be back before its server is.
            anew = self._tournament is None and not self._desk.journals.any_begun
            if (anew and not ending.retry) or self._attempts.exhausted:
                raise OutsideFailure(str(ending))
            await self._attempts.again(ending)

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
            greeting = await link.greeting(self._trust.organiser)
            log = self._check(greeting)
            welcome = await link.join(
                self._desk.identity,
                greeting,
                self._capacity,
                log.size,
                checkpoint=log.greatest,
                rules=own_rules(partial(plays, self._desk.bot)),
                token=self._token,
            )
            await self._is_here(greeting.tournament, log, welcome)
            attendance = Attendance(link, self._desk, log, self._matches, self._entrant)
            with self._objections.heard(link), log.heard():
                return await attendance.follow(self._now_us, self._trust)
        except (AboveboardError, Lost) as ending:
            return ending
        except JournalError as error:
            return OutsideFailure(str(error))
        except Disagreement as error:
            return VerdictAgainst(error.text)

    def _check(self, greeting: Greeting) -> LogWatch:
        """The bot's copy of the tournament's log, if it is one that it can play in."""
        tournament = greeting.tournament
        if self._log is None:
            for game in tournament.manifest.games:
                if not plays(self._desk.bot, game.name):
                    raise WrongUse(f"the tournament has {game.name}, which this bot does not play")
            if self._trust.log not in (None, tournament.log):
                raise WrongUse(f"the log there is {tournament.log.vkey()}, not the one you named")
            if self._desk.receipts is not None:
                self._desk.receipts.disk.failed = self._desk.reports.receipt_failed
                self._desk.receipts.begin(tournament, self._desk.identity.key.public)
            assert self._watching is not None
            self._log = LogWatch(tournament, self._logs, self._watching, self._trust)
            self._watching.start_soon(self._stop_all, self._log)
        elif tournament.id != self._log.tournament.id:
            raise WrongUse(
                "the server came back with another tournament, "
                f"{tournament.id.hex()}: this one is left"
            )
        return self._log

    async def _stop_all(self, log: LogWatch) -> None:
        """End everything once the log is not one history. Objections still leave."""
        await log.stopped.wait()
        self._matches.leave("the public log does not hold")
        await self._objections.flush()
        self._staying.cancel()

    async def _is_here(
        self, tournament: Tournament, log: LogWatch, welcome: service.Welcome
    ) -> None:
        if self._tournament is None:
            self._tournament = tournament
            self._entrant = welcome.entrant
            self._matches.belong_to(tournament, log)
            self._desk.reports.joined(tournament, welcome.entrant, welcome.epoch)
            if self._desk.receipts is not None:
                await self._desk.receipts.entered(welcome.entrant)
        self._attempts.stands()

    async def _note_in_receipt(self) -> None:
        if self._desk.receipts is not None and self._tournament is not None:
            assert self._log is not None
            await self._desk.receipts.checkpoint(self._log.note, now=True)
