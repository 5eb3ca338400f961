"""The server as a whole in memory: no port, no file but keys and archive, the mock clock."""

import itertools
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from aboveboard_client.keyfile import save_key
from aboveboard_protos import bridge
from aboveboard_protos.bridge import Broken, Handler, Stream, memory_pair
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
from aboveboard_referee.tournament.ledger import Ledger
from aboveboard_referee.verify.report import Report
from aboveboard_referee.verify.tournament import verify_archive
from aboveboard_referee.verify.trust import Trust
from aboveboard_server import service
from aboveboard_server.book import LOG as LOG_TOPIC
from aboveboard_server.book import Book
from aboveboard_server.config import Config
from aboveboard_server.lobby import CONTROL
from aboveboard_server.progress import PlainProgress
from aboveboard_server.store import Row, Stored
from tests.fakes.hosting import now_us, run
from tests.fakes.keys import key, secret
from tests.fakes.robots import CLOCK, REFEREE, Robot, entry_key, resign
from tests.fakes.store import MemoryStore

ORGANISER = key("organiser")
LOG = key("log")

ROUNDS = 64
"""Links of every entrant's chain: one for each round that there may be, and more."""

Habit = Callable[[pb.Ticket], Mapping[str, Any]]
"""How an entrant plays a match: fields of its ``Robot``."""


class Lines(PlainProgress):
    """Progress as a list of lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, text: str) -> None:
        self.lines.append(text)


class Snapshots(MemoryStore):
    """Remembers where each append ended, and can be gone back to every one of them."""

    def __init__(self, stored: Iterable[Stored] = ()) -> None:
        super().__init__()
        self._stored.extend(stored)
        self.marks: list[int] = [self.last_id]

    async def append(self, rows: Sequence[Row]) -> int:
        last = await super().append(rows)
        self.marks.append(last)
        return last

    def until(self, mark: int) -> "Snapshots":
        """A store with the events up to this one."""
        return Snapshots(self._stored[:mark])


class Slow(Snapshots):
    """Takes a second for each append."""

    async def append(self, rows: Sequence[Row]) -> int:
        await trio.sleep(1)
        return await super().append(rows)


class DiskFull(Snapshots):
    """Takes so many appends and refuses all further ones."""

    def __init__(self, appends: int, stored: Iterable[Stored] = ()) -> None:
        super().__init__(stored)
        self.left = appends

    async def append(self, rows: Sequence[Row]) -> int:
        if self.left == 0:
            self.breaks_with = "the disk is full"
        self.left -= 1
        return await super().append(rows)


class Network:
    """Stands in for the bridge: whoever dials gets a stream in memory, once a server listens.

    Handlers are contained as the bridge contains them; what they let out is in ``errors``.
    """

    def __init__(self) -> None:
        self.errors: list[Exception] = []
        self.listening = trio.Event()
        self._handlers: Mapping[str, Handler] = {}

    @asynccontextmanager
    async def serve(
        self,
        _address: str,
        handlers: Mapping[str, Handler],
        *,
        on_error: Callable[[Exception], None] = lambda _: None,
    ) -> AsyncIterator[int]:
        self._handlers = handlers
        self._on_error = on_error
        async with trio.open_nursery() as self._nursery:
            self.listening.set()
            try:
                yield 50051
                await trio.sleep(0.5)
            finally:
                self._nursery.cancel_scope.cancel()

    async def dial(self, method: str) -> Stream:
        await self.listening.wait()
        mine, theirs = memory_pair()
        self.accept(method, theirs)
        return mine

    def accept(self, method: str, stream: Stream) -> None:
        """Have a stream handled as if it had come over the network."""
        if self._nursery.cancel_scope.cancel_called:
            stream.abort("the server is stopping")
            return
        self._nursery.start_soon(self._handle, self._handlers[method], stream)

    async def _handle(self, handler: Handler, stream: Stream) -> None:
        try:
            await handler(stream)
            await stream.aclose()
        except Exception as error:  # noqa: BLE001  # as the bridge does
            stream.abort("internal error")
            self.errors.append(error)
            self._on_error(error)
        finally:
            stream.abort("the server is stopping")


# --- Entrants ----------------------------------------------------------------------------------


def quick(ticket: pb.Ticket) -> Mapping[str, Any]:
    """One of the two resigns when it is first asked for entropy, by lot."""
    loses = Random(f"{ticket.match}").randrange(2) == ticket.seat
    return {"instead": resign, "phase": pb.PHASE_ENTROPY} if loses else {}


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
        stream.send(self.join(greeting, log_size=self.log.size))
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
            clock=CLOCK,
            seats=[pb.SeatTerms(entrant=self.number)] * 2,
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


# --- The server ----------------------------------------------------------------------------------


@dataclass
class Served:
    """What came of one run of a server."""

    store: Snapshots
    entrants: Sequence[Entrant]
    lines: list[str]
    errors: list[Exception]
    seconds: float
    archive: Path
    failure: Exception | None = None

    @property
    def book(self) -> Book:
        """What a restarted server would read."""
        return Book().apply_all(self.store.events())

    @property
    def ledger(self) -> Ledger:
        return self.book.ledger

    @property
    def closes(self) -> dict[tuple[str, int], pb.MatchClose]:
        """How every attempt at a match ended."""
        return closes_of(self.store)

    def leaves(self, *kinds: str) -> list[bytes]:
        """The log's leaves of these kinds, or all."""
        leaves = self.store.events(LOG_TOPIC)
        return [event.body for event in leaves if not kinds or event.kind in kinds]

    def report(self) -> Report:
        """The verifier's on the archive, under the organiser's key."""
        return verify_archive(read_archive(self.archive), Trust(organiser=ORGANISER.public))


def closes_of(store: MemoryStore) -> dict[tuple[str, int], pb.MatchClose]:
    """How every attempt ended that is closed in a store."""
    ledger = Book().apply_all(store.events()).ledger
    return {
        (attempt.match, attempt.attempt): attempt.close
        for match in ledger.matches
        for attempt in ledger.attempts.of(match)
        if attempt.close is not None
    }


def read_archive(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def config(folder: Path, **fields: Any) -> Config:
    """A tournament whose keys are known and lie in ``folder``."""
    own = (("organiser.pem", ORGANISER), ("referee.pem", REFEREE), ("log.pem", LOG))
    for name, private in own:
        if not (folder / name).exists():
            save_key(folder / name, private)
    (folder / "state").mkdir(exist_ok=True)
    (folder / "state" / "referee.secret").write_bytes(secret("referee stored"))
    made = Config(
        path=folder / "cup.toml",
        title="The Memory Cup",
        games=("cribbage",),
        rounds=3,
        entrants=None,
        start_at_us=None,
        listen="127.0.0.1:0",
        state=folder / "state",
        organiser_key=folder / "organiser.pem",
        referee_key=folder / "referee.pem",
        log_key=folder / "log.pem",
        tie_breaks=("wins",),
        matches_at_once=32,
        clock=CLOCK,
    )
    return replace(made, **fields)


def entropy() -> Callable[[int], bytes]:
    """Random bytes, the same in every run."""
    numbers = itertools.count(1)
    return lambda count: secret(f"drawn {next(numbers)}")[:count]


async def at_once(function: Callable[..., Any], *arguments: Any) -> Any:
    """Not in a thread, which the mock clock does not see: it would leap meanwhile."""
    await trio.lowlevel.checkpoint()
    return function(*arguments)


def serve(
    config: Config,
    *entrants: Entrant,
    store: Snapshots | None = None,
    beside: Callable[[Network], Any] | None = None,
) -> Served:
    """Run the real server with these entrants until it has ended.

    ``beside`` is one more task. An error that the server ends with is in ``failure``.
    """
    store = store or Snapshots()
    network = Network()
    progress = Lines()
    served = Served(store, entrants, progress.lines, network.errors, 0.0, Path())

    @asynccontextmanager
    async def storage(_: Path) -> AsyncIterator[Snapshots]:
        yield store

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for entrant in entrants:
                nursery.start_soon(entrant.stay, network)
            if beside is not None:
                nursery.start_soon(beside, network)
            try:
                served.archive = await service.serve(
                    config, progress, clock=now_us, entropy=entropy(), storage=storage
                )
            except Exception as error:  # noqa: BLE001  # for the test to look at
                served.failure = error
            served.seconds = trio.current_time()
            await trio.sleep(2)
            nursery.cancel_scope.cancel()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bridge, "serve", network.serve)
        patch.setattr(trio.to_thread, "run_sync", at_once)
        run(main)
    return served
