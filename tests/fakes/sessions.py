"""A bot's session with a server that follows a script, all in memory."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import trio
from google.protobuf.message import DecodeError

from aboveboard_client.bot import Bot, load
from aboveboard_client.errors import AboveboardError
from aboveboard_client.session.desk import RunChoice
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.session.session import Outcome, play_session
from aboveboard_client.state.journal import Journals, MemoryJournals
from aboveboard_protos.bridge import Broken, Stream, Unavailable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.host.frames import PROTOCOL
from tests.fakes.keys import key, secret
from tests.fakes.logs import FakeLog
from tests.fakes.referees import (
    LOG,
    NOW,
    ORGANISER,
    REFEREE,
    OneSeatReferee,
    manifest,
    signed,
    ticket,
    tournament,
)
from tests.fakes.reporting import Recorded
from tests.fakes.seats import NEVER_AGAIN, at_once, dial, run
from tests.fakes.streams import remembering_pair

IDENTITY = Identity("me", key("my entry"), secret("my stored"), "test")
EVENT = tournament("cribbage")
CLOSE = pb.TournamentClose(
    tournament=EVENT.id,
    standings=[
        pb.StandingsRow(entrant=1, rank=1, half_points=2, wins=1, matches=1),
        pb.StandingsRow(entrant=0, rank=2, matches=1),
    ],
    time_us=NOW,
)


def frame(**frame: Any) -> bytes:
    return service.ControlDown(**frame).SerializeToString()


def refusal(code: "service.RefusalCode", text: str) -> bytes:
    return frame(refusal=service.Refusal(code=code, text=text))


def ticket_frame(match: str = "r1-b1", **fields: Any) -> bytes:
    return frame(ticket=signed("ticket", ticket(EVENT, match, **fields), REFEREE))


GREETING = frame(
    greeting=service.Greeting(
        protocol=PROTOCOL,
        challenge=secret("challenge"),
        manifest=signed("tournament-manifest", manifest("cribbage"), ORGANISER),
    )
)
WELCOME = frame(welcome=service.Welcome(entrant=0, epoch=1))
CLOSED = signed("tournament-close", CLOSE, ORGANISER)
FINISHED = frame(finished=service.Finished(close=CLOSED))


def fake_log(*more: bytes) -> FakeLog:
    """The public log of the tournament, as it stands when it begins."""
    return FakeLog(LOG, [EVENT.signed, *more])


@dataclass
class Played:
    """A session with a scripted server: what came of it."""

    log: FakeLog = field(default_factory=fake_log)
    control: "Server | None" = None  # of the newest connection
    accepted: trio.Event = field(default_factory=trio.Event)  # set once a match is

    reports: Recorded = field(default_factory=Recorded)
    journals: Journals = field(default_factory=MemoryJournals)
    connections: list[list[service.ControlUp]] = field(default_factory=list)  # what was sent
    dialled: list[float] = field(default_factory=list)  # when the server was
    referees: dict[tuple[str, int], OneSeatReferee] = field(default_factory=dict)
    at_once: int = 0  # most matches under way together
    seconds: float = 0.0
    outcome: Outcome | None = None
    error: BaseException | None = None

    @property
    def sent(self) -> list[service.ControlUp]:
        """Over all connections."""
        return [frame for connection in self.connections for frame in connection]

    def prove(self, opening: bytes) -> service.Receipt:
        """Have an opening in the log, tell that to who is connected, and prove it."""
        receipt = self.log.receipt(opening)
        if self.control is not None:
            self.control.tell()
        return receipt


class Server:
    """The server's end of a control stream, which also tells what is new in the log: all of
    it after the welcome, then whatever it has grown by, and the close before the end.
    """

    def __init__(self, stream: Stream, log: FakeLog) -> None:
        self._stream = stream
        self._log = log
        self._told: int | None = None

    def send(self, message: bytes) -> None:
        if message == FINISHED and self._log.leaves[-1] != CLOSED:
            self._log.append(CLOSED)
            self.tell()
        self._stream.send(message)
        if _welcomes(message):
            self._told = 0
            self.tell()

    def tell(self) -> None:
        if self._told is not None:
            with suppress(Broken):
                self._stream.send(frame(log_news=self._log.news(self._told)))
            self._told = self._log.size

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _welcomes(message: bytes) -> bool:
    try:
        return service.ControlDown.FromString(message).HasField("welcome")
    except DecodeError:  # some servers send garbage
        return False


Script = Callable[[Any, Played], Any]


def says(*frames: bytes) -> Script:
    """A server that sends these frames, whatever it is told, and then is silent."""

    async def script(stream: Stream, _: Played) -> None:
        await trio.lowlevel.checkpoint()
        for data in frames:
            stream.send(data)

    return script


async def until_the_match_ends(stream: Server, played: Played) -> None:
    """A script: one match, r1-b1, and the end after it. Pings are answered meanwhile."""
    for data in (GREETING, WELCOME, ticket_frame()):
        stream.send(data)

    async def listen() -> None:
        with suppress(Broken, trio.EndOfChannel):
            while True:
                up = decode(service.ControlUp, await stream.receive())
                if up.HasField("ping"):
                    stream.send(frame(pong=up.ping))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(listen)
        await played.reports.until("r1-b1 ended")
        stream.send(FINISHED)
        nursery.cancel_scope.cancel()


def session(
    *frames: bytes,
    bot: Bot | None = None,
    capacity: int = 1,
    unreachable: bool = False,
    nobody: bool = False,
    script: Script | None = None,
    again: Sequence[Script | None] = (),
    patience: Patience = NEVER_AGAIN,
    journals: Journals | None = None,
    now_us: int = NOW,
    new_referee: Callable[[], OneSeatReferee] = lambda: OneSeatReferee(EVENT, IDENTITY),
    log: FakeLog | None = None,
    make: type[Played] = Played,
    think: RunChoice = at_once,
    **options: Any,
) -> Played:
    """Play against a server that sends these frames one after the other, or by a script.

    With ``nobody`` there is no server at all. ``again`` are the scripts of later
    connections, and where there is none nobody answers. A match is one referee's, over
    all its connections. ``options`` are the session's own.
    """
    played = make(journals=journals or MemoryJournals(), log=log or fake_log())
    scripts = [] if nobody else [script or says(*frames), *again]
    under_way = 0

    async def admit(stream: Stream) -> None:
        try:
            hello = decode(service.MatchUp, await stream.receive()).hello
            place = (hello.match, hello.attempt)
            referee = played.referees.setdefault(place, new_referee())
            referee.prove = referee.prove or played.prove
            referee.accepted = played.accepted
            await referee.admit(stream, hello)
        except (Broken, trio.EndOfChannel):
            return

    @asynccontextmanager
    async def open_match(nursery: trio.Nursery, address: str) -> AsyncIterator[Stream]:
        nonlocal under_way
        assert address == ""
        if unreachable:
            raise Unavailable("nobody is there")
        under_way += 1
        played.at_once = max(played.at_once, under_way)
        async with dial(nursery, admit) as stream:
            yield stream
        under_way -= 1

    @asynccontextmanager
    async def open_control(nursery: trio.Nursery) -> AsyncIterator[Stream]:
        played.dialled.append(trio.current_time())
        said = scripts.pop(0) if scripts else None
        if said is None:
            raise Unavailable("nobody is there")
        mine, theirs = remembering_pair()
        played.control = Server(theirs, played.log)
        nursery.start_soon(said, played.control, played)
        yield mine
        mine.abort()
        played.connections.append([decode(service.ControlUp, data) for data in mine.sent])

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            try:
                played.outcome = await play_session(
                    partial(open_control, nursery),
                    IDENTITY,
                    bot or load("random", bytes(32)),
                    open_match=partial(open_match, nursery),
                    reports=played.reports,
                    now_us=lambda: now_us,
                    journals=played.journals,
                    patience=patience,
                    capacity=capacity,
                    run_choice=think,
                    **options,
                )
            except AboveboardError as error:
                played.error = error
            played.seconds = trio.current_time()
            nursery.cancel_scope.cancel()

    run(main)
    return played
