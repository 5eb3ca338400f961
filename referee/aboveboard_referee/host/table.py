"""One match with its connections: the core's inputs from streams and clock, its records out.

A table is one task, which sleeps while the match is played: its steps are taken in the
turn of whatever brings them about (``turns.py``). Whatever happens goes through its inbox
in order of arrival, so the core is never entered twice at once; what the core gives out is
on disk before any of it leaves; and a seat that does not read loses its connection, not the
others' time. Deadlines are stored times that the host's one sweeping task looks at.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import trio

from aboveboard_protos.bridge import Broken
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.host.connection import HELD_SECONDS, Connection, refuse
from aboveboard_referee.host.frames import (
    back_frame,
    close_frame,
    logged_frame,
    plain_answer,
    read_frame,
    records_frame,
    refusal_frame,
)
from aboveboard_referee.host.inbox import Came, Due, Gone, Inbox, Item, Joined
from aboveboard_referee.host.journal import Journal, OpeningLog
from aboveboard_referee.host.questions import Questions
from aboveboard_referee.host.seats import Seats
from aboveboard_referee.host.telling import Telling
from aboveboard_referee.host.turns import Step, Turns
from aboveboard_referee.match.referee import Measured, Outbox, Referee

LATE_SECONDS = 1.0
"""How long a seat that is out for being late, or is away, may take to sign the close."""

BACKLOG = 8
"""Most frames of one seat between two looks at the clock, answers that counted aside.

An honest bot has one answer under way, and a ping. While frames wait for the disk it is so
many in all."""


class Table:
    """A match that is being played; ``run`` plays it, ``resume`` plays it to its end."""

    def __init__(
        self,
        opening: pb.MatchOpen,
        key: PrivateKey,
        stored: bytes,
        journal: Journal,
        now_us: Callable[[], int],
        lag_us: Callable[[], int],
        public_log: OpeningLog | None = None,
    ) -> None:
        """``opening`` has the seats' entrants and entry keys; certificates come with the bots."""
        self.opening = opening
        self.inbox = Inbox()
        self.deadline: float | None = None  # in trio's time
        self.answers = 0  # that counted so far, for whoever measures
        self._key = key
        self._stored = stored
        self._journal = journal
        self._now_us = now_us
        self._lag_us = lag_us
        self.seats = Seats(len(opening.seats), key.public.raw)
        self._questions = Questions()
        self._telling = Telling(self.seats)
        self._public_log = public_log
        self._logged = b""  # the frame that proves the opening's place in the public log
        self._return_by = 0.0  # until when bots may come back after a restart of ours
        self._gathered_by = math.inf  # when the referee's gathered answers go out at the latest
        self._over = False

    # --- What the host and its readers call ----------------------------------------------

    async def read(self, connection: Connection) -> None:
        """Take a bot that was admitted; returns when its connection or the match has ended."""
        if self._over:
            await refuse(connection.stream, service.REFUSAL_CODE_MATCH_OVER, "the match is over")
            return
        self.inbox.put(Joined(connection, trio.current_time()))

        def take(data: bytes) -> None:
            connection.unasked += 1
            self.inbox.put(Came(connection, data, trio.current_time()))
            if connection.unasked >= BACKLOG:
                connection.stream.abort("too many messages that were not asked for")

        with connection.reading, suppress(trio.EndOfChannel, Broken):
            await connection.stream.hand_to(take)
        self.inbox.put(Gone(connection, trio.current_time()))
        if connection.refusal is not None:
            await refuse(connection.stream, *connection.refusal)

    def look_at_clock(self, now: float) -> None:
        """Called by the sweeper, often."""
        if self.deadline is not None and now >= self.deadline:
            self.deadline = None
            self.inbox.put(Due(now))
        self.seats.tend(now, taken=not self.inbox)

    # --- The match -----------------------------------------------------------------------

    async def run(self) -> pb.MatchClose:
        """From the tickets to the close. Raises ``JournalError`` if it cannot be recorded."""
        try:
            await self._gather()
            for connection in self.seats.connected:
                self.opening.seats[connection.seat].certificate = connection.certificate
            self.opening.time_us = self._now_us()
            referee = Referee(self.opening, self._key, self._stored)
            await self._perform(referee, self._deliver(referee, referee.start(self._now_us())))
            if self._logged:
                for connection in self.seats.connected:
                    connection.send(self._logged)
            return await self._play(referee)
        finally:
            self.seats.hang_up()

    async def resume(self, referee: Referee, return_seconds: float) -> pb.MatchClose:
        """From where another process left the match to its close. Raises as ``run`` does."""
        try:
            self.seats.keys = [key.raw if key else b"" for key in referee.fold.terms.seats]
            self.seats.begun = True
            self._return_by = trio.current_time() + return_seconds
            now = self._now_us()
            resumed = referee.resumed(max(0, now - referee.fold.time_us), now)
            await self._perform(referee, self._deliver(referee, resumed))
            return await self._play(referee)
        finally:
            self.seats.hang_up()

    async def _gather(self) -> None:
        """Wait until every seat has its bot, but no longer than the start limit."""
        self.deadline = trio.current_time() + self.opening.clock.start_us / 1e6
        while not self.seats.all_here:
            match await self.inbox.take():
                case Joined(connection, at):
                    self.seats.put(connection)
                    connection.ping(at)
                case Came(connection, data, at):
                    current = self.seats.is_current(connection)
                    if current and not connection.pinged(data, at):
                        self.seats.lose(connection, at)
                        connection.stream.abort("nothing was asked yet")
                case Gone(connection, at):
                    if self.seats.is_current(connection):
                        self.seats.lose(connection, at)
                case Due():
                    break
        self.seats.begun = True
        self.deadline = None

    async def _play(self, referee: Referee) -> pb.MatchClose:
        referee.gathers = True
        await Turns(
            self.inbox,
            partial(self._step, referee),
            partial(self._journal.begin, self.opening.match, self.opening.attempt),
            lambda: referee.ended,
        ).play()
        return await self._close(referee)

    def _step(self, referee: Referee, item: Item) -> Step:
        if isinstance(item, Joined):
            yield from self._welcome_back(referee, item)
        before = self.answers
        for outbox in self._react(referee, item):
            if outbox.records:
                yield from self._deliver(referee, outbox, urgent=self.answers == before)

    async def _perform(self, referee: Referee, step: Step) -> None:
        """Take a step in this task; the first has the opening in the public log as well.

        Nobody hears of a match before: what is not in the log might not have been.
        """
        for records in step:
            await self._journal.append(self.opening.match, self.opening.attempt, records)
            if self._public_log is not None and not self._logged:
                self._logged = logged_frame(await self._public_log.opened(referee.opening))

    def _react(self, referee: Referee, item: Item) -> list[Outbox]:
        match item:
            case Came(connection, data, at):
                if self.seats.is_current(connection):
                    return self._read(referee, connection, data, at)
            case Gone(connection, at):
                if self.seats.is_current(connection):
                    self.seats.lose(connection, at)
                    seat = connection.seat
                    return [referee.lost(seat, self._measured(seat, at))]
            case Due(at):
                return self._due(referee, at)
        return []

    def _read(
        self, referee: Referee, connection: Connection, data: bytes, at: float
    ) -> list[Outbox]:
        seat = connection.seat
        answer = plain_answer(data)
        if answer is None:
            try:
                frame = read_frame(data)
            except Refused as error:
                return [referee.garbage(seat, data, str(error), self._measured(seat, at))]
            if connection.took_ping(frame, at):
                return []
        if seat in referee.fold.outs:
            connection.send(_over("the match is over for this seat"))
            return []
        if answer is None:
            rule = f"{frame.WhichOneof('frame')} in the middle of a match"
            return [referee.garbage(seat, data, rule, self._measured(seat, at))]
        outbox = referee.receive(seat, answer, self._measured(seat, at))
        if referee.fold.answers > self.answers:
            self.answers = referee.fold.answers
            connection.unasked -= 1
            if not outbox.records:
                self._gathered_by = min(self._gathered_by, at + HELD_SECONDS)
                self._set_deadline(referee, at)
        return [outbox]

    def _due(self, referee: Referee, at: float) -> list[Outbox]:
        outboxes = [
            referee.overdue(seat, self._measured(seat, at)) for seat in sorted(referee.owed)
        ]
        for seat, since in sorted(self.seats.gone.items()):
            away_us = int((at - since) * 1e6)
            outboxes.append(referee.stayed_away(seat, away_us, self._measured(seat, at)))
        missing = self._awaited(referee)
        if missing and at >= self._return_by:
            seats = ", ".join(map(str, missing))
            text = f"the referee was restarted, and seat {seats} did not come back"
            outboxes.append(referee.stop(pb.END_REASON_INTERRUPTED, text, self._now_us()))
        if at >= self._gathered_by:
            outboxes.append(referee.gathered())
        self._set_deadline(referee, at)
        return outboxes

    def _awaited(self, referee: Referee) -> list[Seat]:
        """Seats that the referee lost by its own restart and that are not back."""
        presence = referee.fold.presence
        return [seat for seat in range(len(self.opening.seats)) if presence.is_excused(seat)]

    def _measured(self, seat: Seat, at: float) -> Measured:
        connection = self.seats.at(seat)
        return Measured(
            now_us=self._now_us(),
            wait_us=max(0, int((at - self._questions.left(seat, at)) * 1e6)),
            round_trip_us=0 if connection is None else connection.trips.least_us,
            lag_us=self._lag_us(),
        )

    def _deliver(self, referee: Referee, outbox: Outbox, *, urgent: bool = True) -> Step:
        """Have it written, then send. Questions count from when they leave.

        What is not urgent may wait for the next frame of a seat that is asked nothing new.
        """
        asked = self._questions.new(referee.owed)
        if outbox.records:
            self._gathered_by = math.inf
            yield outbox.records
            at = trio.current_time()
            for connection in self.seats.connected:
                connection.hold(outbox.records, outbox.shows.get(connection.seat, ()), at)
                if urgent or connection.seat in asked:
                    connection.release()
        self._telling.questions(referee, asked)
        now = trio.current_time()
        for seat in asked:
            self._questions.leave(seat, referee.owed[seat], now)
        self._set_deadline(referee, now)

    def _set_deadline(self, referee: Referee, now: float) -> None:
        """The next moment at which time alone changes something."""
        fold = referee.fold
        moments = [self._gathered_by, *self._questions.moments(fold)]
        moments.extend(
            since + fold.presence.grace_left(seat) / 1e6
            for seat, since in self.seats.gone.items()
            if fold.presence.is_away(seat)
        )
        if self._return_by and self._awaited(referee):
            moments.append(self._return_by)
        # A verdict of late can have been refunded or voided; then it is looked at again.
        self.deadline = max(min(moments), now) + 0.001

    # --- Coming back ---------------------------------------------------------------------

    def _welcome_back(self, referee: Referee, joined: Joined) -> Step:
        """Bring a bot up to where the match is; what it missed comes before what is new."""
        connection, at = joined.connection, joined.at
        seat = connection.seat
        excused = referee.fold.presence.is_excused(seat)
        away_us = int((at - self.seats.gone.pop(seat, at)) * 1e6)
        self.seats.clear(seat)
        outbox = referee.came_back(seat, away_us, self._measured(seat, at))
        if excused and seat in referee.owed:
            # Its question's time begins anew: that of before went with the old process.
            self._questions.leave(seat, referee.owed[seat], trio.current_time())
        yield from self._deliver(referee, outbox)
        self.seats.put(connection)
        for part in referee.since(seat, connection.have):
            connection.send(records_frame(part.records, part.shows.get(seat, ()), past=True))
        if self._logged:
            connection.send(self._logged)
        waited_us = 0
        if seat in referee.owed:
            now = trio.current_time()
            waited_us = int((now - self._questions.left(seat, now)) * 1e6)
        connection.send(back_frame(waited_us, referee.fold.presence.grace_left(seat)))
        self._telling.questions(referee, [seat], waited_us)
        connection.ping(trio.current_time())

    # --- The close -----------------------------------------------------------------------

    async def _close(self, referee: Referee) -> pb.MatchClose:
        """Have the close signed by every seat that will, and record it."""
        frame = close_frame(referee.close(self._now_us()))
        outs = referee.fold.outs
        for connection in self.seats.connected:
            connection.send(frame)
            self._telling.close(referee, connection.seat)
        # Who left without a right to come back is not waited for.
        returns = referee.fold.presence.graceful or self._return_by > 0
        waiting = {connection.seat for connection in self.seats.connected}
        if returns:
            waiting |= {seat for seat, key in enumerate(self.seats.keys) if key} - set(outs)
        # Whoever was silent for too long has cost the others that time already.
        late = {seat for seat, why in outs.items() if why == pb.END_REASON_TIME_OUT}
        asked = trio.current_time()
        limit = self.opening.clock.protocol_us / 1e6
        while waiting:
            here = {connection.seat for connection in self.seats.connected}
            until = asked + (limit if waiting & here - late else min(limit, LATE_SECONDS))
            if waiting - here:
                until = max(until, self._return_by)
            self.deadline = until
            match await self.inbox.take():
                case Joined() as joined:
                    await self._perform(referee, self._welcome_back(referee, joined))
                    joined.connection.send(frame)
                    self._telling.close(referee, joined.connection.seat)
                case Came(connection, data, at):
                    if self.seats.is_current(connection):
                        self._take_signature(referee, connection, data, at, waiting)
                case Gone(connection, at):
                    if self.seats.is_current(connection):
                        self.seats.lose(connection, at)
                        waiting -= set() if returns else {connection.seat}
                case Due(at) if at >= until:
                    break
        self.deadline = None
        final = referee.close(self._now_us())
        await self._journal.append(self.opening.match, self.opening.attempt, [final])
        self._over = True
        for item in self.inbox.drain():
            if isinstance(item, Joined):
                item.connection.turn_away(service.REFUSAL_CODE_MATCH_OVER, "the match is over")
        await self.seats.say_goodbye()
        return referee.close_wire

    def _take_signature(
        self,
        referee: Referee,
        connection: Connection,
        data: bytes,
        at: float,
        waiting: set[Seat],
    ) -> None:
        seat = connection.seat
        try:
            frame = read_frame(data)
        except Refused:
            # It costs the seat nothing more than its own signature.
            waiting.discard(seat)
            return
        kind = frame.WhichOneof("frame")
        if kind == "close_signature":
            referee.sign_close(seat, frame.close_signature)
            waiting.discard(seat)
        elif kind == "answer":
            connection.send(_over("the match is over"))
        else:
            connection.took_ping(frame, at)


def _over(text: str) -> bytes:
    return refusal_frame(service.REFUSAL_CODE_MATCH_OVER, text)
