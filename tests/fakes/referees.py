"""A referee behind one match stream, whose other seat is played in place.

The core is the real one. Tests change what it sends to the bot's seat (``tamper``), or
take over with a few frames of their own.
"""

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from random import Random
from typing import Any, NoReturn

import trio

from aboveboard_client.session.greeting import Tournament
from aboveboard_client.session.identity import Identity
from aboveboard_protos.bridge import Broken, Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of, verify_sole
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.match.local import CLOCK, certificate
from aboveboard_referee.match.player import Expected, Player
from aboveboard_referee.match.referee import Measured, Outbox, Referee
from aboveboard_referee.match.terms import check_certificate
from aboveboard_referee.match.wire import game_to_wire
from tests.fakes.keys import key, secret

NOW = 1_800_000_000_000_000
ORGANISER = key("organiser")
REFEREE = key("referee")
LOG = key("log")

Tamper = Callable[[Outbox], Outbox]


def manifest(*games: str) -> pb.TournamentManifest:
    return pb.TournamentManifest(
        title="The Test Cup",
        created_us=NOW,
        salt=secret("salt"),
        organiser_key=ORGANISER.public.raw,
        referees=[pb.RefereeKey(key=REFEREE.public.raw)],
        games=[game_to_wire(registry.game(name)) for name in games or ("cribbage",)],
        order="rotate",
        system="swiss",
        system_version=1,
        rounds=2,
        table_seats=2,
        tie_breaks=["wins"],
        clock=CLOCK,
        first=pb.FIRST_SEAT0,
        tier=pb.TIER_SIGNED,
        chain_length=256,
        organiser_tip=draw_chain(ORGANISER, secret("salt"), 2).tip,
        log_key=LOG.public.raw,
    )


def tournament(*games: str) -> Tournament:
    content = manifest(*games)
    return Tournament(
        tournament_id(encode(content)),
        ORGANISER.public,
        content,
        signed("tournament-manifest", content, ORGANISER),
    )


def ticket(event: Tournament, match: str = "r1-b1", seat: int = 0, **fields: Any) -> pb.Ticket:
    made = pb.Ticket(
        tournament=event.id,
        match=match,
        attempt=1,
        seat=seat,
        referee_key=REFEREE.public.raw,
        expires_us=NOW + 60_000_000,
        game=event.manifest.games[0],
    )
    for name, value in fields.items():
        if name == "game":
            made.game.CopyFrom(value)
        else:
            setattr(made, name, value)
    return made


def signed(kind: str, message: Any, by: PrivateKey) -> bytes:
    return sign(type_of(kind), encode(message), by).to_bytes()


def down(**frame: Any) -> bytes:
    return service.MatchDown(**frame).SerializeToString()


@dataclass
class OneSeatReferee:
    """Plays one match with a bot, over as many connections as it comes by.

    ``cut_down`` and ``cut_up`` are the numbers, from 0, of the frames of records and of
    the answers in whose place the connection is cut.
    """

    event: Tournament
    identity: Identity
    tamper: Tamper = lambda outbox: outbox
    pings: bool = False  # after all that it hands over
    patience: float = math.inf  # seconds, for an answer
    cut_down: Collection[int] = ()
    cut_up: Collection[int] = ()
    waited_us: int = 0  # what it says that the open question has waited
    opened_us: int = NOW
    luck: str = ""  # of the other seat's moves
    prove: Callable[[bytes], service.Receipt] | None = None  # that an opening is in the log
    claims: bytes | None = None  # the note that the other seat says it was shown
    anew: bool = False  # it lets a bot come back to a match that it begins a second time
    records: list[bytes] = field(default_factory=list)
    came: list[tuple[float, str, service.MatchUp]] = field(default_factory=list)
    close: pb.MatchClose | None = None
    haves: list[int] = field(default_factory=list)  # of each connection
    answers: int = 0  # that came
    accepted: trio.Event = field(default_factory=trio.Event)  # set with the first of them
    handed_over: int = 0  # frames of records that were sent, or cut off
    _referee: Referee | None = None

    async def serve(self, stream: Stream) -> None:
        """From hello to the close; the stream ends with it, or where it is cut."""
        try:
            await self.admit(stream, (await self._frame(stream)).hello)
        except (Broken, trio.EndOfChannel):
            return

    async def admit(self, stream: Stream, hello: service.Hello) -> None:
        """The same, after hello."""
        challenge = secret("challenge")
        stream.send(
            down(challenge=service.Challenge(challenge=challenge, referee_key=REFEREE.public.raw))
        )
        entrance = (await self._frame(stream)).entrance
        self._admit(hello, entrance, challenge)
        self.haves.append(entrance.have)
        if self._referee is None:
            self._begin(hello, entrance.certificate)
            self._deliver(stream, self.referee.start(NOW))
            self._prove(stream)
            coming_back = self.anew
        else:
            for part in self.referee.since(hello.seat, entrance.have):
                self._send_records(stream, part)
            self._prove(stream)
            coming_back = True
        if coming_back:
            stream.send(down(back=service.Back(waited_us=self.waited_us)))
        await self._play(stream)

    @property
    def referee(self) -> Referee:
        assert self._referee is not None
        return self._referee

    async def _frame(self, stream: Stream) -> service.MatchUp:
        """The next frame but for pings and pongs; all are kept with their time and kind."""
        while True:
            frame = decode(service.MatchUp, await stream.receive())
            kind = frame.WhichOneof("frame") or ""
            self.came.append((trio.current_time(), kind, frame))
            if kind == "ping":
                stream.send(down(pong=frame.ping))
            elif kind != "pong":
                return frame

    def _admit(self, hello: service.Hello, entrance: service.Entrance, challenge: bytes) -> None:
        place = (hello.tournament, hello.match, hello.attempt, hello.seat)
        entry = self.identity.key.public
        match_key = check_certificate(parse_signed(entrance.certificate), entry, place)
        proof = parse_signed(entrance.admission)
        verify_sole(proof, "admission", match_key)
        assert decode(pb.Admission, proof.body) == pb.Admission(
            challenge=challenge,
            tournament=hello.tournament,
            match=hello.match,
            attempt=hello.attempt,
            seat=hello.seat,
            referee_key=REFEREE.public.raw,
        )

    def _begin(self, hello: service.Hello, certified: bytes) -> None:
        opening = terms(self.event, self.identity, hello, certified)
        opening.time_us = self.opened_us
        self._seat, self._other_seat = hello.seat, 1 - hello.seat
        self._other = self._other_player(opening, self._other_seat)
        self._referee = Referee(opening, REFEREE, secret(f"stored {hello.match}"))
        self._chance = Random(hello.match + self.luck)

    def _deliver(self, stream: Stream, outbox: Outbox) -> None:
        self.records.extend(outbox.records)
        self._other.take(outbox.records, outbox.shows.get(self._other_seat, ()))
        self._send_records(stream, self.tamper(outbox))

    def _send_records(self, stream: Stream, sent: Outbox) -> None:
        self.handed_over += 1
        if self.handed_over - 1 in self.cut_down:
            _cut(stream)
        shows = sent.shows.get(self._seat, ())
        stream.send(down(records=service.Records(records=sent.records, shows=shows)))
        if self.pings:
            stream.send(down(ping=service.Ping(number=len(self.records))))

    def _prove(self, stream: Stream) -> None:
        if self.prove is not None:
            stream.send(down(logged=self.prove(self.referee.opening)))

    async def _play(self, stream: Stream) -> None:
        referee, other, seat = self.referee, self._other, self._seat
        while not referee.ended:
            if other.owed is not None:
                data = other.protocol_answer()
                if data is None:
                    assert other.turn is not None
                    data = other.decide(self._chance.choice(other.turn.legal))
                self._deliver(stream, referee.receive(self._other_seat, data, Measured(NOW)))
                continue
            outbox = await self._await_answer(stream, referee, seat)
            if outbox.records:
                self._deliver(stream, outbox)
        close = referee.close(NOW)
        assert referee.sign_close(self._other_seat, other.sign_close(close))
        stream.send(down(close=close))
        signature = (await self._frame(stream)).close_signature
        assert referee.sign_close(seat, signature)
        self.records.append(referee.close(NOW))
        self.close = referee.fold.close_body(NOW)
        await stream.aclose()

    async def _await_answer(self, stream: Stream, referee: Referee, seat: int) -> Outbox:
        with trio.move_on_after(self.patience):
            answer = (await self._frame(stream)).answer
            self.answers += 1
            self.accepted.set()
            if self.answers - 1 in self.cut_up:
                _cut(stream)
            return referee.receive(seat, answer, Measured(NOW))
        return referee.overdue(seat, Measured(NOW, wait_us=1 << 40))

    def _other_player(self, opening: pb.MatchOpen, seat: int) -> Player:
        expected = Expected(
            opening.tournament,
            opening.match,
            opening.attempt,
            seat,
            REFEREE.public.raw,
            opening.game,
            opening.seats[seat].certificate,
            in_log=self.claims is not None,
        )
        other = Player(expected, key(f"other {opening.match}"), secret("other"))
        if self.claims is not None:
            other.logged(self.claims)
        return other


def _cut(stream: Stream) -> NoReturn:
    stream.abort("cable cut")
    raise Broken("cable cut")


def terms(
    event: Tournament, identity: Identity, hello: service.Hello, certified: bytes
) -> pb.MatchOpen:
    """A match between the bot, whose match key is certified, and somebody else."""
    other_entry = key("other entry")
    body = pb.MatchKey(
        tournament=hello.tournament,
        match=hello.match,
        attempt=hello.attempt,
        seat=1 - hello.seat,
        key=key(f"other {hello.match}").public.raw,
    )
    seats = [
        pb.SeatTerms(entrant=0, entry_key=identity.key.public.raw, certificate=certified),
        pb.SeatTerms(
            entrant=1,
            entry_key=other_entry.public.raw,
            certificate=certificate(other_entry, body),
        ),
    ]
    return pb.MatchOpen(
        tournament=hello.tournament,
        match=hello.match,
        attempt=hello.attempt,
        game=event.manifest.games[0],
        seats=seats if hello.seat == 0 else reversed(seats),
        first=pb.FIRST_SEAT0,
        tier=pb.TIER_SIGNED,
        clock=CLOCK,
        chain_length=256,
        time_us=NOW,
    )
