"""One match with its connections: the core's inputs from streams and clock, its records out.

A table is one task. Whatever happens to it goes through its inbox in order of arrival,
so the core is never entered twice at once; what the core gives out is on disk before
any of it leaves; and a seat that does not read loses its connection, not the others'
time. Deadlines are stored times that the host's one sweeping task looks at.
"""

from collections.abc import Callable

import trio

from aboveboard_protos.bridge import Broken, Overflow, Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.host.frames import close_frame, pong_frame, read_frame, records_frame
from aboveboard_referee.host.inbox import Came, Due, Gone, Inbox, Item, Joined
from aboveboard_referee.host.journal import Journal
from aboveboard_referee.match.referee import Measured, Outbox, Referee

LATE_SECONDS = 1.0
"""How long a seat that is out for being late may take to sign the close."""

BACKLOG = 8
"""Most unread frames of one seat. An honest bot has one answer under way, and a ping."""


class Table:
    """A match that is being played; ``run`` plays it."""

    def __init__(
        self,
        opening: pb.MatchOpen,
        key: PrivateKey,
        stored: bytes,
        journal: Journal,
        now_us: Callable[[], int],
        lag_us: Callable[[], int],
    ) -> None:
        """``opening`` has the seats' entrants and entry keys; certificates come with the bots."""
        self.opening = opening
        self.inbox = Inbox()
        self.deadline: float | None = None  # in trio's time
        self.answers = 0  # that counted so far, for whoever measures
        self._opened = False
        self._key = key
        self._stored = stored
        self._journal = journal
        self._now_us = now_us
        self._lag_us = lag_us
        seats = len(opening.seats)
        self._streams: list[Stream | None] = [None] * seats
        self._certificates = [b""] * seats
        self._keys = [b""] * seats
        self._backlog = [0] * seats
        self._asked: dict[Seat, tuple[int, float]] = {}  # the question, when it left

    # --- What the host and its readers call ----------------------------------------------

    def is_free(self, seat: Seat) -> bool:
        """Whether a bot may still take this seat."""
        return not self._opened and self._streams[seat] is None

    def is_own(self, seat: Seat, key: bytes) -> bool:
        """Whether a match key is nobody else's at this table."""
        others = (other for at, other in enumerate(self._keys) if at != seat)
        return key != self._key.public.raw and key not in others

    async def read(self, joined: Joined) -> None:
        """Take a bot that was admitted; returns when its connection or the match has ended."""
        seat, stream = joined.seat, joined.stream
        self._streams[seat] = stream
        self._keys[seat] = joined.key
        self.inbox.put(joined)
        try:
            while self._backlog[seat] < BACKLOG:
                data = await stream.receive()
                self._backlog[seat] += 1
                self.inbox.put(Came(seat, stream, data, trio.current_time()))
            stream.abort("too many messages that were not asked for")
        except (trio.EndOfChannel, Broken):
            pass
        self.inbox.put(Gone(seat, stream, trio.current_time()))

    def look_at_clock(self, now: float) -> None:
        """Called by the sweeper, often."""
        if self.deadline is not None and now >= self.deadline:
            self.deadline = None
            self.inbox.put(Due(now))

    # --- The match -----------------------------------------------------------------------

    async def run(self) -> pb.MatchClose:
        """From the tickets to the close. Raises ``JournalError`` if it cannot be recorded."""
        try:
            await self._gather()
            for seat, certificate in enumerate(self._certificates):
                self.opening.seats[seat].certificate = certificate
            self.opening.time_us = self._now_us()
            referee = Referee(self.opening, self._key, self._stored)
            await self._play(referee)
            return await self._close(referee)
        finally:
            for stream in self._streams:
                if stream is not None:
                    stream.abort("the match is over")

    async def _gather(self) -> None:
        """Wait until every seat has its bot, but no longer than the start limit."""
        self.deadline = trio.current_time() + self.opening.clock.start_us / 1e6
        while not all(self._certificates):
            item = await self.inbox.take()
            match item:
                case Joined(seat, _, certificate):
                    self._certificates[seat] = certificate
                case Came(seat, stream, data):
                    self._backlog[seat] -= 1
                    if self._streams[seat] is stream and not self._pinged(seat, data):
                        self._unseat(seat)
                        stream.abort("nothing was asked yet")
                case Gone(seat, stream):
                    if self._streams[seat] is stream:
                        self._unseat(seat)
                case Due():
                    break
        self._opened = True
        self.deadline = None

    def _unseat(self, seat: Seat) -> None:
        self._streams[seat] = None
        self._certificates[seat] = self._keys[seat] = b""

    def _pinged(self, seat: Seat, data: bytes) -> bool:
        """Answer a ping; whether it was one, or the answer to one."""
        try:
            frame = read_frame(data)
        except Refused:
            return False
        if frame.WhichOneof("frame") == "ping":
            self._send(seat, pong_frame(frame.ping.number))
        return frame.WhichOneof("frame") in ("ping", "pong")

    async def _play(self, referee: Referee) -> None:
        await self._deliver(referee, referee.start(self._now_us()))
        while not referee.ended:
            item = await self.inbox.take()
            for outbox in self._react(referee, item):
                if outbox.records:
                    await self._deliver(referee, outbox)

    def _react(self, referee: Referee, item: Item) -> list[Outbox]:
        match item:
            case Came(seat, _, data, at):
                self._backlog[seat] -= 1
                measured = self._measured(seat, at)
                try:
                    frame = read_frame(data)
                except Refused as error:
                    return [referee.garbage(seat, data, str(error), measured)]
                match frame.WhichOneof("frame"):
                    case "answer":
                        outbox = referee.receive(seat, frame.answer, measured)
                        self.answers = referee.fold.answers
                        return [outbox]
                    case "ping":
                        self._send(seat, pong_frame(frame.ping.number))
                    case "pong":
                        pass
                    case other:
                        rule = f"{other} in the middle of a match"
                        return [referee.garbage(seat, data, rule, measured)]
            case Gone(seat, _, at):
                self._streams[seat] = None
                return [referee.lost(seat, self._measured(seat, at))]
            case Due(at):
                seats = sorted(referee.owed)
                outboxes = [referee.overdue(seat, self._measured(seat, at)) for seat in seats]
                self._set_deadline(referee)
                return outboxes
            case Joined(seat):
                self._drop(seat, "the match has begun")
        return []

    def _measured(self, seat: Seat, at: float) -> Measured:
        _, left = self._asked.get(seat, (0, at))
        return Measured(
            now_us=self._now_us(),
            wait_us=max(0, int((at - left) * 1e6)),
            lag_us=self._lag_us(),
        )

    async def _deliver(self, referee: Referee, outbox: Outbox) -> None:
        """Write, then send. Questions count from when they leave."""
        await self._journal.append(self.opening.match, self.opening.attempt, outbox.records)
        everybody = records_frame(outbox.records)
        for seat in range(len(self._streams)):
            shows = outbox.shows.get(seat)
            self._send(seat, records_frame(outbox.records, shows) if shows else everybody)
        now = trio.current_time()
        for seat, owed in referee.owed.items():
            if self._asked.get(seat, (-1, 0.0))[0] != owed.asked:
                self._asked[seat] = (owed.asked, now)
        self._set_deadline(referee)

    def _set_deadline(self, referee: Referee) -> None:
        clocks = referee.fold.clocks
        self.deadline = min(
            (
                self._asked[seat][1] + clocks.left(seat, owed.phase) / 1e6
                for seat, owed in referee.owed.items()
            ),
            default=None,
        )
        if self.deadline is not None:
            # A verdict of late can have been refunded or voided; then it is looked at again.
            self.deadline = max(self.deadline, trio.current_time()) + 0.001

    # --- The close -----------------------------------------------------------------------

    async def _close(self, referee: Referee) -> pb.MatchClose:
        """Have the close signed by every seat that will, and record it."""
        frame = close_frame(referee.close(self._now_us()))
        open_seats = {seat for seat, stream in enumerate(self._streams) if stream is not None}
        for seat in open_seats:
            self._send(seat, frame)
        # Whoever was silent for too long has cost the others that time already.
        late = {seat for seat, why in referee.fold.outs.items() if why == pb.END_REASON_TIME_OUT}
        asked = trio.current_time()
        limit = self.opening.clock.protocol_us / 1e6
        while open_seats:
            until = asked + (limit if open_seats - late else min(limit, LATE_SECONDS))
            self.deadline = until
            match await self.inbox.take():
                case Came(seat, _, data):
                    self._backlog[seat] -= 1
                    try:
                        answer = read_frame(data)
                    except Refused:
                        # It cost the seat nothing more than its own signature.
                        open_seats.discard(seat)
                        continue
                    kind = answer.WhichOneof("frame")
                    if kind == "close_signature":
                        referee.sign_close(seat, answer.close_signature)
                        open_seats.discard(seat)
                    elif kind == "ping":
                        self._send(seat, pong_frame(answer.ping.number))
                case Gone(seat):
                    self._streams[seat] = None
                    open_seats.discard(seat)
                case Joined(seat):
                    self._drop(seat, "the match is over")
                case Due(at) if at >= until:
                    break
        self.deadline = None
        final = referee.close(self._now_us())
        await self._journal.append(self.opening.match, self.opening.attempt, [final])
        await self._say_goodbye()
        return referee.close_wire

    async def _say_goodbye(self) -> None:
        """End each stream in order, within a second; what remains is aborted."""
        with trio.move_on_after(1):
            async with trio.open_nursery() as nursery:
                for seat, stream in enumerate(self._streams):
                    if stream is not None:
                        nursery.start_soon(self._end, seat, stream)

    async def _end(self, seat: Seat, stream: Stream) -> None:
        try:
            await stream.aclose()
            self._streams[seat] = None
        except Broken:
            self._streams[seat] = None

    # --- Connections ---------------------------------------------------------------------

    def _send(self, seat: Seat, frame: bytes) -> None:
        stream = self._streams[seat]
        if stream is None:
            return
        try:
            stream.send(frame)
        except Overflow:
            self._drop(seat, "it does not read what it is sent")
        except Broken:
            # Its reader finds out as well, and says Gone.
            self._streams[seat] = None

    def _drop(self, seat: Seat, why: str) -> None:
        stream = self._streams[seat]
        self._streams[seat] = None
        if stream is not None:
            stream.abort(why)
