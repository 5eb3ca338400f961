"""One seat of one match, over as many connections as it takes.

    up      Hello       ► down  Challenge
    up      Entrance    ► down  Records …         until somebody must answer
                          down  Receipt           the opening is in the public log
    up      Answer      ► down  Records …         and so on
                          down  MatchClose        checked against all that came before
    up      signature   ► the stream ends

A connection that breaks before the close is signed is followed by another one, which
begins in the same way and brings what was missed, up to Back. Nothing is answered
before that.
"""

from collections.abc import Sequence
from functools import partial

import trio

from aboveboard_client.public_log.match_log import LogTrouble, MatchLog, Unlogged
from aboveboard_client.session.answers import Answers
from aboveboard_client.session.connection import OpenStream
from aboveboard_client.session.desk import Desk
from aboveboard_client.session.diary import own_report
from aboveboard_client.session.match_link import Left, MatchLink, MatchOver
from aboveboard_client.session.match_times import AnswerTime
from aboveboard_client.session.reconnect import Attempts, Lost
from aboveboard_client.session.seat_papers import Papers
from aboveboard_client.state.journal import Journal, JournalError, Place
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_protos.bridge import Broken, Unavailable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.log.follower import Disagreement
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.player import Expected, Player

Trouble = Deviation | Left | Lost | JournalError | Disagreement
"""Why a seat was left before the close was signed."""


async def play_seat(open_stream: OpenStream, ticket: pb.Ticket, desk: Desk) -> MatchEnd:
    """Play the ticket's seat to its end, which the result describes.

    ``open_stream`` is called for every connection. Nothing that referee or bot do wrong
    is raised: it is reported, and the match is left or resigned.
    """
    try:
        journal = await desk.journals.open(Place.of(ticket))
    except JournalError as error:
        desk.reports.match_trouble(ticket, str(error))
        return MatchEnd(ticket, None)
    seat = _Seat(open_stream, ticket, desk, journal)
    end = await seat.play()
    if seat.over:
        await end_match(ticket, desk)
    return end


async def end_match(ticket: pb.Ticket, desk: Desk) -> None:
    """Remember that this attempt is over, for this process and later ones."""
    try:
        await desk.journals.end(Place.of(ticket))
    except JournalError as error:
        desk.reports.match_trouble(ticket, str(error))


class _Seat:
    def __init__(
        self, open_stream: OpenStream, ticket: pb.Ticket, desk: Desk, journal: Journal
    ) -> None:
        self.over = False  # for good: a later process shall not go back to it
        self._open_stream = open_stream
        self._ticket = ticket
        self._desk = desk
        self._journal = journal
        self._key = desk.identity.match_key(ticket)
        self._certificate = desk.identity.certify(ticket, self._key)
        self._player = Player(
            Expected(
                tournament=ticket.tournament,
                match=ticket.match,
                attempt=ticket.attempt,
                seat=ticket.seat,
                referee_key=ticket.referee_key,
                game=ticket.game,
                certificate=self._certificate,
                clock=desk.clock,
                in_log=desk.log is not None,
            ),
            self._key,
            desk.identity.stored,
        )
        self._papers = Papers(ticket, self._player, desk)
        self._close: pb.MatchClose | None = None
        self._link: MatchLink | None = None  # over which all has come that there is
        self._failure: LogTrouble | None = None
        self._attempts = Attempts(
            desk.patience,
            partial(desk.reports.connection_lost, ticket),
            partial(desk.reports.connection_back, ticket),
        )

    async def play(self) -> MatchEnd:
        trouble: Trouble | None = None
        async with trio.open_nursery() as nursery:
            self._begin(nursery)
            trouble = await self._stay()
            # A bot that still thinks does so about a match that is over.
            nursery.cancel_scope.cancel()
        trouble = self._answers.failure or trouble
        if self._failure is None:
            self._tell(trouble)
            self.over = self._close is not None or isinstance(trouble, Deviation | MatchOver)
        await self._papers.keep_receipt()
        times = self._papers.times()
        await self._keep_report(self._failure or trouble, times)
        deviated = isinstance(trouble, Deviation)
        for why in (self._failure, trouble):
            if isinstance(why, JournalError) and isinstance(why.__cause__, OSError):
                self._desk.cannot_keep(str(why))
        return MatchEnd(self._ticket, self._close, deviated, self._answers.bot_failed, times)

    async def _keep_report(
        self, trouble: LogTrouble | Trouble | None, times: Sequence[AnswerTime]
    ) -> None:
        """If this match was lost or came to nothing, and there is a place for it."""
        folder, began = self._desk.lost, bool(self._player.opening)
        if folder is None:
            return
        report = own_report(
            self._ticket,
            self._answers.diary,
            self._close,
            self._player.fold if began else None,
            "" if trouble is None or self._close is not None else str(trouble),
            [time.as_row() for time in times],
            trio.current_time(),
        )
        if report is not None and (path := await folder.keep(report)) is not None:
            self._desk.reports.report_kept(self._ticket, path)

    def _begin(self, nursery: trio.Nursery) -> None:
        def fail(why: LogTrouble) -> None:
            if self._failure is None and self._close is None:
                self._failure = why
                # At once, for a false log ends all that the bot does.
                self._tell(why)
                nursery.cancel_scope.cancel()

        ticket, player, desk = self._ticket, self._player, self._desk
        self._answers = Answers(ticket, player, self._journal, desk, nursery)
        seconds = 0.0 if desk.clock is None else desk.clock.protocol_us / 1e6
        tell = partial(desk.reports.match_trouble, ticket)
        self._log = MatchLog(desk.log, player, ticket.seat, seconds, nursery, self._act, fail, tell)

    def _tell(self, trouble: Trouble | None) -> None:
        """Report what went wrong, and object to it where everybody can read that."""
        if isinstance(trouble, Deviation):
            self._papers.object_to_deviation(trouble)
            evidence = self._papers.save_evidence(trouble)
            self._desk.reports.match_deviated(self._ticket, trouble, evidence)
        elif trouble is not None and self._close is None:
            # Whatever happens to the connection after the close changes nothing.
            if isinstance(trouble, Unlogged):
                self._papers.object_to_log(
                    "the opening in the log before it is played", str(trouble)
                )
            elif isinstance(trouble, Disagreement):
                self._papers.object_to_disagreement(trouble)
            self._desk.reports.match_trouble(self._ticket, str(trouble))

    # --- Connections ---------------------------------------------------------------------

    async def _stay(self) -> Trouble:
        """Through all connections to the end. Trouble is returned, for a nursery would
        wrap it.
        """
        attempts = self._attempts
        while True:
            held = len(self._papers.records)
            trouble = await self._connect()
            self._link = None
            self._answers.pause()
            self._log.pause()
            if self._close is not None or not isinstance(trouble, Lost):
                return trouble
            attempts.ended(of_use=len(self._papers.records) > held)
            if attempts.exhausted:
                return trouble
            await attempts.again(trouble)

    async def _connect(self) -> Trouble:
        try:
            async with self._open_stream() as stream:
                return await self._attend(MatchLink(stream))
        except (Unavailable, Broken) as error:
            return Lost(f"the referee cannot be reached: {error}")

    async def _attend(self, link: MatchLink) -> Trouble:
        """Follow one connection to its end."""
        try:
            held = len(self._papers.records)
            await link.enter(self._ticket, self._certificate, self._key, held)
            # Whoever comes back is told when it has all; before that, what seems to be
            # owed can have been answered long ago.
            missing = bool(held or self._journal.opening)
            while True:
                frame = await link.frame()
                match frame.WhichOneof("frame"):
                    case "records":
                        self._attempts.stands()
                        await self._take(link, frame.records.records, frame.records.shows)
                        self._answers.note(None if missing else link)
                    case "logged" if self._papers.records:
                        self._log.proof(frame.logged)
                    case "back" if self._papers.records:
                        self._attempts.stands()
                        self._player.waited(frame.back.waited_us)
                        missing = False
                    case "close" if self._papers.records:
                        self._sign_close(link, frame.close)
                        continue
                    case "refusal" if self._papers.records:
                        # This seat is out; what follows is the close at last.
                        continue
                    case _:
                        link.unexpected(frame)
                if not missing:
                    self._link = link
                    self._log.records()
                    self._act()
        except (Deviation, JournalError, Left, Lost) as trouble:
            return trouble

    # --- Playing -------------------------------------------------------------------------

    def _act(self) -> None:
        """Answer what is owed, if nothing is missing and the log leaves nothing in doubt."""
        if self._link is not None and self._log.clear:
            self._answers.act(self._link)

    async def _take(
        self, link: MatchLink, records: Sequence[bytes], shows: Sequence[bytes]
    ) -> None:
        first = not self._papers.records
        self._papers.add(records, shows)
        self._player.take(records, shows)
        self._judge_verdict(link, records)
        if not first or not records:
            return
        if not self._journal.opening:
            await self._journal.keep_opening(records[0])
        elif self._journal.opening != records[0]:
            # Its links are known from the first time; so a deck could be chosen now.
            self._papers.add_other(self._journal.opening)
            raise Deviation(Step.OPENING, 0, "the opening that this bot has played by", "another")
        await self._papers.keep_receipt()

    def _judge_verdict(self, link: MatchLink, records: Sequence[bytes]) -> None:
        """Object if this seat is said to be late and was not, by its own clock."""
        if self._player.opening and self._ticket.seat in self._player.fold.outs:
            found = self._papers.verdict_in(records)
            if found is not None:
                out, sequence = found
                own_us = self._answers.had_us(out.asked, link)
                self._papers.object_to_late(out, sequence, own_us)

    def _sign_close(self, link: MatchLink, data: bytes) -> None:
        if self._close is not None:
            raise Left("the referee closes the match a second time")
        self._papers.add_other(data)
        signature = self._player.sign_close(data)
        self._papers.close = data
        self._close = decode(pb.MatchClose, parse_signed(data).body)
        link.send(close_signature=signature)
