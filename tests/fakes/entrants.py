"""Bots with a control stream, for a server in memory."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

import trio

from aboveboard_protos.bridge import Broken, Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.draw import draw_chain
from aboveboard_referee.fairplay.envelope import parse_signed, sign, type_of
from aboveboard_referee.fairplay.head import tournament_id
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey
from aboveboard_referee.host.frames import PLAY, PROTOCOL
from aboveboard_referee.log.checkpoint import log_origin
from aboveboard_referee.log.follower import Follower
from aboveboard_referee.tournament.history import MOST_SEATS
from aboveboard_server.lobby import CONTROL
from tests.fakes.keys import key
from tests.fakes.network import Network
from tests.fakes.robots import Robot, after, entry_key, resign

ORGANISER = key("organiser")
LOG = key("log")

ROUNDS = 64
"""Links of every entrant's chain: one for each round that there may be, and more."""

Habit = Callable[[pb.Ticket], Mapping[str, Any]]
"""How an entrant plays a match: fields of its ``Robot``."""


def quick(ticket: pb.Ticket) -> Mapping[str, Any]:
    """One of the two resigns when it is first asked for entropy, by lot."""
    loses = Random(f"{ticket.match}").randrange(2) == ticket.seat
    return {"instead": resign, "phase": pb.PHASE_ENTROPY} if loses else {}


def first_stays(ticket: pb.Ticket) -> Mapping[str, Any]:
    """At a table of whatever size all but the first seat resign when asked for entropy.

    One after another: who goes out later has a better place.
    """
    if ticket.seat == 0:
        return {}
    return {"instead": after(ticket.seat / 10, resign), "phase": pb.PHASE_ENTROPY}


def greatest(log: Follower) -> bytes:
    """The checkpoint of most leaves that somebody holds, as it is shown to others."""
    notes = log.view().checkpoints
    return log.bare(notes[-1]) if notes else b""


def whole(_: pb.Ticket) -> Mapping[str, Any]:
    """Matches are played out."""
    return {}


@dataclass(eq=False)
class Entrant:
    """A bot with a control stream, which plays every match that it gets a ticket for."""

    number: int
    name: str = ""
    habit: Habit = quick
    robot: type[Robot] = Robot
    comes: float = 0.0  # seconds after the server listens
    entered: wire.Welcome = field(default_factory=wire.Welcome)
    refusal: wire.Refusal = field(default_factory=wire.Refusal)
    frames: list[wire.ControlDown] = field(default_factory=list)  # after the greeting
    robots: list[Robot] = field(default_factory=list)
    ending: str = ""  # of the control stream
    draws: Callable[[int], bool] = lambda _: True  # whether it gives a link for a round's draw
    log: Follower = field(default_factory=lambda: Follower("nothing yet", ORGANISER.public))

    def __post_init__(self) -> None:
        self.name = self.name or f"bot-{self.number}"
        self.key: PrivateKey = entry_key(self.number)
        self._seen: set[tuple[str, int]] = set()

    @property
    def close(self) -> pb.TournamentClose:
        """What it was told at the end."""
        signed = parse_signed(self.frames[-1].finished.close)
        return decode(pb.TournamentClose, signed.body)

    async def stay(self, network: Network) -> None:
        """Enter, and play to the end of the control stream."""
        await network.listening.wait()
        await trio.sleep(self.comes)
        stream = await network.dial(CONTROL)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._follow, stream, network, nursery)
        except* trio.EndOfChannel:
            self.ending = "in order"
        except* Broken as group:
            self.ending = str(group.exceptions[0])
        finally:
            stream.abort()  # if a test has cancelled it

    async def _follow(self, stream: Stream, network: Network, nursery: trio.Nursery) -> None:
        greeting = decode(wire.ControlDown, await stream.receive()).greeting
        self.manifest = decode(pb.TournamentManifest, parse_signed(greeting.manifest).body)
        self.tournament = tournament_id(parse_signed(greeting.manifest).body)
        log_key = PublicKey.parse(self.manifest.log_key)
        if self.log.size == 0:
            self.log = Follower(log_origin(self.tournament), log_key)
        stream.send(self.join(greeting, log_size=self.log.size, log_checkpoint=greatest(self.log)))
        while True:
            frame = decode(wire.ControlDown, await stream.receive())
            self.frames.append(frame)
            match frame.WhichOneof("frame"):
                case "welcome":
                    self.entered = frame.welcome
                case "refusal":
                    self.refusal = frame.refusal
                case "ping":
                    stream.send(up(pong=frame.ping))
                case "log_news":
                    self.follow_log(frame.log_news)
                case "draw_call":
                    for link in self.links(frame.draw_call.round):
                        stream.send(up(draw_link=link))
                case "ticket":
                    ticket = decode(pb.Ticket, parse_signed(frame.ticket).body)
                    if (ticket.match, ticket.attempt) not in self._seen:
                        self._seen.add((ticket.match, ticket.attempt))
                        nursery.start_soon(self._play, ticket, network)

    def join(self, greeting: wire.Greeting, **fields: Any) -> bytes:
        """The frame that enters, with other fields where a test wants them."""
        frame = wire.Join(
            protocol=PROTOCOL,
            login=self.login(greeting),
            entry=self.entry(greeting),
            capacity=4,
        )
        for name, value in fields.items():
            setattr(frame, name, value)
        return up(join=frame)

    def login(self, greeting: wire.Greeting, by: PrivateKey | None = None, **fields: Any) -> bytes:
        manifest = parse_signed(greeting.manifest).body
        login = {
            "challenge": greeting.challenge,
            "tournament": tournament_id(manifest),
            "organiser_key": decode(pb.TournamentManifest, manifest).organiser_key,
            "key": self.key.public.raw,
        }
        return signed("login", pb.Login(**{**login, **fields}), by or self.key)

    def entry(self, greeting: wire.Greeting, by: PrivateKey | None = None, **fields: Any) -> bytes:
        tournament = tournament_id(parse_signed(greeting.manifest).body)
        entry = {
            "tournament": tournament,
            "name": self.name,
            "key": self.key.public.raw,
            "tip": self.chain(tournament).tip,
        }
        return signed("entry", pb.Entry(**{**entry, **fields}), by or self.key)

    def chain(self, tournament: bytes) -> Chain:
        """For the draws of a tournament."""
        return draw_chain(self.key, tournament, ROUNDS)

    def links(self, round_: int) -> list[bytes]:
        """What it answers when it is asked for its link of a round; nobody, nothing."""
        return [self.link(round_)] if self.draws(round_) else []

    def link(self, round_: int, **fields: Any) -> bytes:
        """Its link for the draw of a round, with other fields where a test wants them."""
        link = {
            "tournament": self.tournament,
            "entrant": self.entered.entrant,
            "round": round_,
            "link": self.chain(self.tournament).link(round_),
        }
        return signed("draw-link", pb.DrawLink(**{**link, **fields}), self.key)

    def follow_log(self, news: wire.LogNews) -> None:
        """Hold what the log says against what it said before."""
        self.log.news(news.size_before, news.leaf_hashes, news.checkpoint)

    async def _play(self, ticket: pb.Ticket, network: Network) -> None:
        terms = pb.MatchOpen(
            tournament=ticket.tournament,
            match=ticket.match,
            attempt=ticket.attempt,
            game=ticket.game,
            clock=self.manifest.clock,
            seats=[pb.SeatTerms(entrant=self.number)] * MOST_SEATS,
        )
        robot = self.robot(terms, ticket.seat, public_log=self.log, **self.habit(ticket))
        self.robots.append(robot)
        await trio.sleep(robot.comes)
        robot.stream = await network.dial(PLAY)
        await robot.stay()


def up(**frame: Any) -> bytes:
    return wire.ControlUp(**frame).SerializeToString()


def signed(kind: str, body: Any, by: PrivateKey) -> bytes:
    return sign(type_of(kind), encode(body), by).to_bytes()


@dataclass(eq=False)
class Roomy(Entrant):
    """An entrant whose bot plays so many matches at once."""

    capacity: int = 1

    def join(self, greeting: wire.Greeting, **fields: Any) -> bytes:
        return super().join(greeting, capacity=self.capacity, **fields)
