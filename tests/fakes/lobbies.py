"""A lobby and its log by themselves, with visitors at their streams."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import trio

from aboveboard_protos.bridge import Broken, Stream, memory_pair
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import decode
from aboveboard_server.lobby import CONTROL, ENTRY_NEWS_SECONDS, Lobby
from aboveboard_server.log.log_desk import ASK, LogDesk
from aboveboard_server.log.public_log import Cosign, PublicLog, unwitnessed
from aboveboard_server.rounds.suspending import Suspending
from aboveboard_server.store.book import LOG as LOG_TOPIC
from aboveboard_server.store.book import Book
from tests.fakes.entrants import Entrant, signed
from tests.fakes.hosting import now_us, run
from tests.fakes.keys import secret
from tests.fakes.network import Network
from tests.fakes.referees import LOG, ORGANISER, manifest
from tests.fakes.snapshots import Snapshots
from tests.fakes.store import MemoryStore

T = TypeVar("T")


class Hall:
    """A lobby and its log, what they keep, and what they have told their server."""

    def __init__(
        self,
        store: MemoryStore | None = None,
        most: int = 0,
        cosign: Cosign = unwitnessed,
        limit: int = 0,
    ) -> None:
        self.store = store or Snapshots()
        if self.store.last_id == 0:
            described = manifest("cribbage")
            described.entrants_max = most
            data = signed("tournament-manifest", described, ORGANISER)
            self.store.put(LOG_TOPIC, "tournament-manifest", data)
        self.book = Book().apply_all(self.store.events())
        self.log = PublicLog(self.book, self.store, LOG, cosign)
        self.told: list[str] = []
        self.network = Network()
        drawn = 0

        def challenge() -> bytes:
            nonlocal drawn
            drawn += 1
            return secret(f"challenge {drawn}")

        self.suspending = Suspending(self.book, self.log, ORGANISER, now_us)
        self.lobby = Lobby(
            self.log,
            ORGANISER,
            suspending=self.suspending,
            now_us=now_us,
            most_entrants=limit,
            challenge=challenge,
            on_entry=lambda name, _: self.told.append(f"{name} entered"),
            on_presence=lambda name, there: self.told.append(
                f"{name} {'is there' if there else 'has gone'}"
            ),
        )
        self.desk = LogDesk(self.log)

    async def news_spread(self) -> None:
        """Until whoever is here has heard of those who have entered."""
        await trio.sleep(1.5 * ENTRY_NEWS_SECONDS)

    @property
    def names(self) -> list[str]:
        return list(self.log.ledger.field.names)

    @property
    def stored(self) -> list[str]:
        """The kinds of leaves that are on disk, after the manifest."""
        return [event.kind for event in self.store.events(LOG_TOPIC)][1:]


@dataclass(eq=False)
class Visitor:
    """One control stream, and what came over it. News of the log are kept by themselves."""

    stream: Stream
    greeting: wire.Greeting
    frames: list[wire.ControlDown] = field(default_factory=list)
    news: list[wire.LogNews] = field(default_factory=list)
    ending: str = ""

    @property
    def kinds(self) -> list[str]:
        return [frame.WhichOneof("frame") or "" for frame in self.frames]

    @property
    def refusal(self) -> wire.Refusal:
        return self.frames[-1].refusal if self.frames else wire.Refusal()

    @property
    def welcome(self) -> wire.Welcome:
        return self.frames[0].welcome

    async def says(self, *frames: bytes) -> None:
        """Send these, and read all that comes until nothing more does."""
        for frame in frames:
            self.stream.send(frame)
        await self.listen()

    async def listen(self) -> None:
        await trio.testing.wait_all_tasks_blocked()
        try:
            while True:
                frame = decode(wire.ControlDown, self.stream.receive_nowait())
                if frame.HasField("log_news"):
                    self.news.append(frame.log_news)
                else:
                    self.frames.append(frame)
        except trio.WouldBlock:
            return
        except trio.EndOfChannel:
            self.ending = "in order"
        except Broken as error:
            self.ending = str(error)


async def visit(hall: Hall, narrow: bool = False) -> Visitor:
    """Dial, and take the greeting. Who is ``narrow`` has no room for unread frames."""
    limits = {"inbound_messages": 1} if narrow else {}
    mine, theirs = memory_pair(**limits)
    hall.network.accept(CONTROL, theirs)
    frame = decode(wire.ControlDown, await mine.receive())
    return Visitor(mine, frame.greeting)


async def enter(hall: Hall, number: int, name: str = "", narrow: bool = False) -> Visitor:
    """Dial and enter, as the bot of a number."""
    visitor = await visit(hall, narrow)
    await visitor.says(Entrant(number, name).join(visitor.greeting))
    return visitor


def in_hall(
    main: Callable[[Hall], Awaitable[T]],
    hall: Hall | None = None,
    errors: tuple[type[Exception], ...] = (),
) -> T:
    """Run with the lobby open; no handler may fail but with these ``errors``."""
    hall = hall or Hall()

    async def opened() -> T:
        handlers = {CONTROL: hall.lobby.handle, ASK: hall.desk.handle}
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hall.log.run)
            nursery.start_soon(hall.lobby.gather_news)
            async with hall.network.serve("", handlers):
                result = await main(hall)
                await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        return result

    result = run(opened)
    assert tuple(type(error) for error in hall.network.errors) == errors
    return result
