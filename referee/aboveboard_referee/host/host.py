"""The referee as a service: tables under one roof, and the door to their seats."""

import logging
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

import trio

from aboveboard_protos.bridge import Broken, Overflow, Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PrivateKey, PublicKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.host.connection import Connection, refuse
from aboveboard_referee.host.frames import PROTOCOL, challenge_frame, other_protocol, read_frame
from aboveboard_referee.host.journal import Journal, OpeningLog
from aboveboard_referee.host.table import Table
from aboveboard_referee.match.referee import Referee
from aboveboard_referee.match.terms import check_certificate

log = logging.getLogger(__name__)

ADMISSION_SECONDS = 30
SWEEP_SECONDS = 0.05

Place = tuple[bytes, str, int]  # tournament, match, attempt


class _NotAdmitted(Exception):
    def __init__(self, code: service.RefusalCode, text: str) -> None:
        super().__init__(text)
        self.code = code


class MatchHost:
    """Plays matches for bots that dial in.

    ``challenge`` gives 32 fresh random bytes, ``now_us`` the time since the epoch. Where
    there is a ``public_log``, seats hear of a match once its opening is in there.
    ``on_proved`` hears of each stream on which a bot has proved its match key. Run
    ``sweep`` in a nursery for as long as matches are played, and hand every match
    stream to ``admit``.
    """

    def __init__(
        self,
        key: PrivateKey,
        stored: bytes,
        journal: Journal,
        *,
        now_us: Callable[[], int],
        challenge: Callable[[], bytes],
        public_log: OpeningLog | None = None,
        on_proved: Callable[[Stream], None] = lambda _stream: None,
    ) -> None:
        self._on_proved = on_proved
        self._public_log = public_log
        self._key = key
        self._stored = stored
        self._journal = journal
        self._now_us = now_us
        self._challenge = challenge
        self._tables: dict[Place, Table] = {}
        self._ended: set[Place] = set()
        self._lag_us = 0
        self._sweep_due = math.inf
        self._answers = 0
        self.ended_by: Counter[pb.EndReason] = Counter()  # attempts so far
        self.refused: Counter[service.RefusalCode] = Counter()  # streams so far

    @property
    def under_way(self) -> int:
        """How many matches are played at this moment."""
        return len(self._tables)

    @property
    def lag_us(self) -> int:
        """How late this process is with what is due, in microseconds."""
        return self._lag_now_us()

    @property
    def answers(self) -> int:
        """Accepted answers of all matches so far, for whoever measures."""
        return self._answers + sum(table.answers for table in self._tables.values())

    async def play(self, opening: pb.MatchOpen) -> pb.MatchClose:
        """Play one match from its tickets to its close record, on disk when this returns.

        ``opening`` names everything but certificates, time, and the referee's own part.
        """
        return await self._run(self._table(opening), Table.run)

    async def resume(self, records: Sequence[bytes], return_us: int) -> pb.MatchClose:
        """Go on with a match of an earlier process, from all its records on disk.

        Bots have ``return_us`` to come back; if one does not, the match is stopped as a
        fault of the service. Raises ``Deviation`` or ``Refused`` for records that this
        referee cannot have written.
        """
        referee = Referee.resume(records, self._key, self._stored)
        table = self._table(referee.fold.terms.wire)
        return await self._run(table, lambda table: table.resume(referee, return_us / 1e6))

    def ended(self, tournament: bytes, match: str, attempt: int) -> None:
        """An attempt that an earlier process closed: its bots are told so if they return."""
        self._ended.add((tournament, match, attempt))

    def _table(self, opening: pb.MatchOpen) -> Table:
        return Table(
            opening,
            self._key,
            self._stored,
            self._journal,
            self._now_us,
            self._lag_now_us,
            self._public_log,
        )

    async def _run(
        self, table: Table, play: Callable[[Table], Awaitable[pb.MatchClose]]
    ) -> pb.MatchClose:
        opening = table.opening
        place = (opening.tournament, opening.match, opening.attempt)
        self._tables[place] = table
        try:
            close = await play(table)
            self._ended.add(place)
            self.ended_by[close.reason] += 1
            return close
        finally:
            self._answers += table.answers
            del self._tables[place]

    async def sweep(self) -> None:
        """Enforce the deadlines of all tables, and measure how late this process is."""
        lateness = 0
        while True:
            self._sweep_due = due = trio.current_time() + SWEEP_SECONDS
            await trio.sleep_until(due)
            now = trio.current_time()
            # The worst of two sweeps: an answer can have waited since the one before.
            previous, lateness = lateness, int((now - due) * 1e6)
            self._lag_us = max(previous, lateness)
            for table in list(self._tables.values()):
                table.look_at_clock(now)

    def _lag_now_us(self) -> int:
        """How late this process is, as of the last two sweeps or by one that is overdue.

        What comes is looked at when it comes, which after a pause can be before that sweep.
        """
        overdue = trio.current_time() - self._sweep_due
        return self._lag_us if overdue <= 0 else max(self._lag_us, int(overdue * 1e6))

    async def admit(self, stream: Stream) -> None:
        """Handle one match stream: prove who is there, then serve that seat to the end."""
        try:
            with trio.fail_after(ADMISSION_SECONDS):
                table, connection = await self._identify(stream)
        except trio.TooSlowError:
            stream.abort("took too long to say who it is")
            return
        except _NotAdmitted as refused:
            # Its text alone: whoever keeps the record must not keep the table behind it.
            log.info("match stream refused: %s", str(refused))
            self.refused[refused.code] += 1
            await refuse(stream, refused.code, str(refused))
            return
        except (trio.EndOfChannel, Broken, Overflow):
            return
        self._on_proved(stream)
        await table.read(connection)

    async def _identify(self, stream: Stream) -> tuple[Table, Connection]:
        frame = await self._frame(stream, "hello")
        hello = frame.hello
        if hello.protocol != PROTOCOL:
            raise _NotAdmitted(service.REFUSAL_CODE_PROTOCOL, other_protocol(hello.protocol))
        place = (hello.tournament, hello.match, hello.attempt)
        table = self._tables.get(place)
        if table is None:
            if place in self._ended:
                raise _NotAdmitted(service.REFUSAL_CODE_MATCH_OVER, "the match is over")
            raise _NotAdmitted(service.REFUSAL_CODE_NOT_HERE, "no such match is played here")
        if hello.seat >= len(table.opening.seats):
            raise _NotAdmitted(service.REFUSAL_CODE_BAD_PROOF, "the match has no such seat")
        challenge = self._challenge()
        stream.send(challenge_frame(challenge, self._key.public.raw))
        frame = await self._frame(stream, "entrance")
        certificate = frame.entrance.certificate
        try:
            key = self._prove(table, hello.seat, certificate, frame.entrance.admission, challenge)
        except (Refused, BadKey, BadSignature) as error:
            raise _NotAdmitted(service.REFUSAL_CODE_BAD_PROOF, str(error)) from error
        if why := table.seats.claim(hello.seat, key.raw):
            raise _NotAdmitted(service.REFUSAL_CODE_BAD_PROOF, why)
        have, turns = frame.entrance.have, frame.entrance.turns
        return table, Connection(hello.seat, stream, certificate, key.raw, have, turns)

    def _prove(
        self, table: Table, seat: Seat, certificate: bytes, admission: bytes, challenge: bytes
    ) -> PublicKey:
        """The match key of whoever is at the other end of this very stream."""
        opening = table.opening
        place = (opening.tournament, opening.match, opening.attempt, seat)
        entry = PublicKey.parse(opening.seats[seat].entry_key)
        key = check_certificate(parse_signed(certificate), entry, place)
        signed = parse_signed(admission)
        verify_sole(signed, "admission", key)
        body = decode(pb.Admission, signed.body)
        found = (body.tournament, body.match, body.attempt, body.seat)
        if found != place or body.challenge != challenge:
            raise Refused("the admission is for another seat, match or connection")
        if body.referee_key != self._key.public.raw:
            raise Refused("the admission names another referee")
        return key

    async def _frame(self, stream: Stream, kind: str) -> service.MatchUp:
        data = await stream.receive()
        try:
            frame = read_frame(data)
        except Refused as error:
            raise _NotAdmitted(service.REFUSAL_CODE_MALFORMED, str(error)) from error
        if frame.WhichOneof("frame") != kind:
            raise _NotAdmitted(
                service.REFUSAL_CODE_MALFORMED,
                f"{frame.WhichOneof('frame')} where {kind} was expected",
            )
        return frame
