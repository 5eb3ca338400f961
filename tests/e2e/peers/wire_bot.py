"""A bot without the client: it says on the wire what its manners tell it to.

    python wire_bot.py HOST:PORT NAME MANNERS

A bot of the MANNERS ``idle`` enters, takes part in the draws and comes to no match, one that is
``blind`` plays honestly but follows no log, and says so where it accepts. At its third decision
of each match a bot of these MANNERS

    silent       answers no more, but reads and answers pings
    illegal      sends a move that is signed well and is not legal
    garbage      sends random bytes in place of a frame
    deaf         reads nothing any more
    restless     is honest, but drops its connection after every fifth answer and comes back
"""

import hashlib
import sys
from random import Random
from typing import Any

import trio

from aboveboard_client.session.greeting import Tournament, read_greeting
from aboveboard_client.session.identity import Identity, admission
from aboveboard_client.session.session import CONTROL
from aboveboard_protos import bridge
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.host.frames import PLAY, PROTOCOL
from aboveboard_referee.log.follower import Follower
from aboveboard_referee.match.player import DECISIONS, Expected, Player

GIVES_UP = 10.0
"""Seconds for which it tries to come back to a match that is not there."""


def up(**frame: Any) -> bytes:
    return service.MatchUp(**frame).SerializeToString()


class Seat:
    """One match, over as many connections as it takes."""

    def __init__(
        self,
        manners: str,
        identity: Identity,
        ticket: pb.Ticket,
        clock: pb.Clock,
        log: Follower,
    ):
        self.manners = manners
        self.log = log
        self.ticket = ticket
        self.key = identity.match_key(ticket)
        self.certificate = identity.certify(ticket, self.key)
        expected = Expected(
            ticket.tournament,
            ticket.match,
            ticket.attempt,
            ticket.seat,
            ticket.referee_key,
            ticket.game,
            self.certificate,
            clock,
            in_log=manners != "blind",
        )
        self.player = Player(expected, self.key, identity.stored)
        self.held = 0
        self.decisions = 0
        self.sent: tuple[int, bytes] = (-1, b"")
        self.drop = False

    async def play(self, channel: bridge.Channel) -> None:
        with trio.move_on_after(300):
            while True:
                stream = await channel.open(PLAY)
                try:
                    await self.attend(stream)
                except (trio.EndOfChannel, bridge.Broken):
                    return
                finally:
                    stream.abort()

    async def attend(self, stream: bridge.Stream) -> None:
        """Returns when the connection was dropped on purpose."""
        ticket = self.ticket
        hello = service.Hello(
            protocol=PROTOCOL,
            tournament=ticket.tournament,
            match=ticket.match,
            attempt=ticket.attempt,
            seat=ticket.seat,
        )
        stream.send(up(hello=hello))
        challenge = decode(service.MatchDown, await stream.receive()).challenge.challenge
        entrance = service.Entrance(
            certificate=self.certificate,
            admission=admission(ticket, challenge, self.key),
            have=self.held,
        )
        stream.send(up(entrance=entrance))
        self.drop = False
        while not self.drop:
            frame = decode(service.MatchDown, await stream.receive())
            match frame.WhichOneof("frame"):
                case "records":
                    self.player.take(frame.records.records, frame.records.shows)
                    self.held += len(frame.records.records)
                    if not frame.records.past:
                        await self.act(stream)
                case "logged":
                    self.accept_in_log(frame.logged)
                    await self.act(stream)
                case "back":
                    await self.act(stream)
                case "close":
                    stream.send(up(close_signature=self.player.sign_close(frame.close)))
                case "ping":
                    stream.send(up(pong=service.Ping(number=frame.ping.number)))

    def accept_in_log(self, proof: service.Receipt) -> None:
        path, note = list(proof.path), proof.checkpoint
        self.log.check_logged(self.player.opening, proof.index, path, note)
        self.player.logged(self.log.bare(note))

    async def act(self, stream: bridge.Stream) -> None:
        owed = self.player.owed
        if owed is None:
            return
        if self.sent[0] != owed.asked:
            answer = self.player.protocol_answer()
            if answer is None and owed.phase == pb.PHASE_ACCEPT:
                return  # the proof that the match is in the log comes yet
            if answer is None:
                assert owed.phase in DECISIONS
                self.decisions += 1
                if self.decisions == 3 and self.manners not in ("blind", "restless"):
                    await self.misbehave(stream)
                    return
                answer = self.player.decide(self.choose())
            self.sent = (owed.asked, answer)
        stream.send(up(answer=self.sent[1]))
        if self.manners == "restless" and self.decisions and self.decisions % 5 == 0:
            self.decisions += 1
            await stream.flush()
            self.drop = True

    def choose(self) -> Any:
        turn = self.player.turn
        assert turn is not None
        return Random(repr(turn.state)).choice(turn.legal)

    async def misbehave(self, stream: bridge.Stream) -> None:
        match self.manners:
            case "illegal":
                stream.send(up(answer=self.illegal()))
            case "garbage":
                stream.send(Random(1).randbytes(200))
            case "deaf":
                await trio.sleep_forever()

    def illegal(self) -> bytes:
        """An honest answer with another move in it, signed anew."""
        honest = parse_signed(self.player.decide(self.choose()))
        answer = decode(pb.Answer, honest.body)
        answer.move.text = "x"
        return sign(type_of("answer"), encode(answer), self.key).to_bytes()


def hashed(*words: str) -> bytes:
    return hashlib.sha256(" ".join(words).encode()).digest()


async def main() -> None:
    address, name, manners = sys.argv[1:]
    identity = Identity(name, PrivateKey(hashed("entry", name)), hashed("stored", name))
    async with bridge.connect(address) as channel, trio.open_nursery() as matches:
        control = await channel.open(CONTROL)
        greeting = read_greeting(await control.receive())
        tournament: Tournament = greeting.tournament
        log = Follower(tournament.log.name, tournament.log.key)
        join = service.Join(
            protocol=PROTOCOL,
            login=identity.login(tournament, greeting.challenge),
            entry=identity.entry(tournament),
            capacity=8,
        )
        control.send(service.ControlUp(join=join).SerializeToString())
        while True:
            frame = decode(service.ControlDown, await control.receive())
            match frame.WhichOneof("frame"):
                case "welcome":
                    entrant = frame.welcome.entrant
                    print("entered", name, flush=True)
                case "log_news":
                    news = frame.log_news
                    log.news(news.size_before, news.leaf_hashes, news.checkpoint)
                case "draw_call":
                    link = identity.draw_link(tournament, entrant, frame.draw_call.round)
                    control.send(service.ControlUp(draw_link=link).SerializeToString())
                case "ping":
                    pong = service.Ping(number=frame.ping.number)
                    control.send(service.ControlUp(pong=pong).SerializeToString())
                case "ticket" if manners != "idle":
                    ticket = decode(pb.Ticket, parse_signed(frame.ticket).body)
                    seat = Seat(manners, identity, ticket, tournament.manifest.clock, log)
                    matches.start_soon(seat.play, channel)
                case "finished":
                    print("finished", flush=True)
                    matches.cancel_scope.cancel()
                    return


if __name__ == "__main__":
    bridge.run(main)
