"""One seat of one match, over as many connections as it takes.

    up      Hello       ► down  Challenge
    up      Entrance    ► down  Records …         until somebody must answer
    up      Answer      ► down  Records …         and so on
                          down  MatchClose        checked against all that came before
    up      signature   ► the stream ends

A connection that breaks before the close is signed is followed by another one, which
begins in the same way and brings what was missed, up to Back. Nothing is answered
before that.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import trio

from aboveboard_client.answers import Answers
from aboveboard_client.connection import OpenStream
from aboveboard_client.desk import Desk
from aboveboard_client.evidence import save_evidence
from aboveboard_client.journal import Journal, JournalError, Place
from aboveboard_client.match_link import Left, MatchLink, MatchOver
from aboveboard_client.reconnect import Attempts, Lost
from aboveboard_client.reports import MatchEnd
from aboveboard_protos.bridge import Broken, Unavailable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.player import Expected, Player

Trouble = Deviation | Left | Lost | JournalError
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
            ),
            self._key,
            desk.identity.stored,
        )
        self._records: list[bytes] = []
        self._shows: list[bytes] = []
        self._others: list[bytes] = []  # what was signed and cannot stand beside the records
        self._close: pb.MatchClose | None = None
        self._attempts = Attempts(
            desk.patience,
            partial(desk.reports.connection_lost, ticket),
            partial(desk.reports.connection_back, ticket),
        )

    async def play(self) -> MatchEnd:
        trouble: Trouble | None = None
        async with trio.open_nursery() as nursery:
            answers = Answers(self._ticket, self._player, self._journal, self._desk, nursery)
            trouble = await self._stay(answers)
            # A bot that still thinks does so about a match that is over.
            nursery.cancel_scope.cancel()
        trouble = answers.failure or trouble
        deviated = isinstance(trouble, Deviation)
        self.over = self._close is not None or isinstance(trouble, Deviation | MatchOver)
        if isinstance(trouble, Deviation):
            evidence = self._save_evidence(trouble)
            self._desk.reports.match_deviated(self._ticket, trouble, evidence)
        elif trouble is not None and self._close is None:
            # Whatever happens to the connection after the close changes nothing.
            self._desk.reports.match_trouble(self._ticket, str(trouble))
        return MatchEnd(self._ticket, self._close, deviated, answers.bot_failed)

    # --- Connections ---------------------------------------------------------------------

    async def _stay(self, answers: Answers) -> Trouble:
        """Through all connections to the end. Trouble is returned, for a nursery would
        wrap it.
        """
        attempts = self._attempts
        while True:
            held = len(self._records)
            trouble = await self._connect(answers)
            answers.pause()
            if self._close is not None or not isinstance(trouble, Lost):
                return trouble
            attempts.ended(of_use=len(self._records) > held)
            if attempts.exhausted:
                return trouble
            await attempts.again(str(trouble))

    async def _connect(self, answers: Answers) -> Trouble:
        try:
            async with self._open_stream() as stream:
                return await self._attend(MatchLink(stream), answers)
        except (Unavailable, Broken) as error:
            return Lost(f"the referee cannot be reached: {error}")

    async def _attend(self, link: MatchLink, answers: Answers) -> Trouble:
        """Follow one connection to its end."""
        try:
            await link.enter(self._ticket, self._certificate, self._key, len(self._records))
            # Whoever comes back is told when it has all; before that, what seems to be
            # owed can have been answered long ago.
            missing = bool(self._records or self._journal.opening)
            while True:
                frame = await link.frame()
                match frame.WhichOneof("frame"):
                    case "records":
                        self._attempts.stands()
                        await self._take(frame.records.records, frame.records.shows)
                    case "back" if self._records:
                        self._attempts.stands()
                        self._player.waited(frame.back.waited_us)
                        missing = False
                    case "close" if self._records:
                        self._sign_close(link, frame.close)
                        continue
                    case "refusal" if self._records:
                        # This seat is out; what follows is the close at last.
                        continue
                    case _:
                        link.unexpected(frame)
                if not missing:
                    answers.act(link)
        except (Deviation, JournalError, Left, Lost) as trouble:
            return trouble

    # --- Playing -------------------------------------------------------------------------

    async def _take(self, records: Sequence[bytes], shows: Sequence[bytes]) -> None:
        first = not self._records
        self._records.extend(records)
        self._shows.extend(shows)
        self._player.take(records, shows)
        if not first or not records:
            return
        if not self._journal.opening:
            await self._journal.keep_opening(records[0])
        elif self._journal.opening != records[0]:
            # Its links are known from the first time; so a deck could be chosen now.
            self._others.append(self._journal.opening)
            raise Deviation(Step.OPENING, 0, "the opening that this bot has played by", "another")

    def _sign_close(self, link: MatchLink, data: bytes) -> None:
        if self._close is not None:
            raise Left("the referee closes the match a second time")
        self._others.append(data)
        signature = self._player.sign_close(data)
        self._close = decode(pb.MatchClose, parse_signed(data).body)
        link.send(close_signature=signature)

    def _save_evidence(self, deviation: Deviation) -> Path | None:
        folder = self._desk.evidence
        if folder is None:
            return None
        try:
            return save_evidence(
                folder,
                self._ticket,
                deviation,
                self._records,
                self._shows,
                others=self._others,
                manifest=self._desk.manifest,
            )
        except OSError as error:
            why = f"the evidence cannot be written to {folder}: {error.strerror}"
            self._desk.reports.match_trouble(self._ticket, why)
            return None
