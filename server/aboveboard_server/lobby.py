"""The lobby: bots enter and stay connected here, and hear from here where to play."""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import trio

from aboveboard_client.release import SOFTWARE
from aboveboard_protos.bridge import Broken, Overflow, Stream
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.host.frames import PROTOCOL
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ledger.illegal import Illegal
from aboveboard_server import streams
from aboveboard_server.door.entrance import Entrance, read_introduction, read_up
from aboveboard_server.door.not_welcome import NotWelcome
from aboveboard_server.door.tokens import Tokens
from aboveboard_server.log.news import news_since
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.operations.restored import Returns
from aboveboard_server.rounds.draw import LinkCall, LinkRefused
from aboveboard_server.rounds.suspending import Suspending
from aboveboard_server.streams import control

log = logging.getLogger(__name__)

MakeTicket = Callable[[], bytes]

CONTROL = "/aboveboard.v1.Lobby/Control"
INTRODUCTION_SECONDS = 30

ENTRY_NEWS_SECONDS = 0.25
"""How often those who have entered hear of others who enter: else n entrants cost n² frames."""


@dataclass(eq=False)
class _Connection:
    stream: Stream
    key: bytes  # that was proved
    epoch: int
    held: int  # leaves of the log of which it has the hashes


class Lobby:
    """Handles every control stream.

    ``changed`` is set, and is another event from then on, whenever somebody entered, came
    back, gave a link for the draw, brought a leaf to the log, or gave the order to begin.
    ``on_entry`` is told a name, and the round that a late one begins with.
    """

    def __init__(
        self,
        public_log: PublicLog,
        organiser: PrivateKey,
        *,
        now_us: Callable[[], int],
        challenge: Callable[[], bytes],
        on_entry: Callable[[str, int], None],
        on_presence: Callable[[str, bool], None],
        tokens: Tokens | None = None,
        on_proved: Callable[[Stream], None] = lambda _stream: None,
        suspending: Suspending,
        returns: Returns | None = None,
        most_entrants: int = 0,
    ) -> None:
        self.order = trio.Event()  # somebody's word to begin
        self.word = b""  # the first one, as it was signed
        self.begun = trio.Event()  # to be set when the end of entries is on disk
        self.changed = trio.Event()
        self._log = public_log
        self._field = public_log.ledger.field
        self._entrance = Entrance(
            public_log, organiser, now_us, self._entered, tokens, returns, most_entrants
        )
        self._call = LinkCall(public_log.ledger)
        self._challenge = challenge
        self._on_entry = on_entry
        self._on_presence = on_presence
        self._on_proved = on_proved
        self._connections: dict[Entrant, _Connection] = {}
        self._epochs: dict[Entrant, int] = {}
        self._capacities: dict[Entrant, int] = {}  # as each bot said when it last came
        self._tickets: dict[Entrant, dict[str, MakeTicket]] = {}  # by match
        self._ending = False
        self.refused: Counter[service.RefusalCode] = Counter()  # streams so far
        self._grown = trio.Event()
        public_log.on_shown = self._shown
        self._suspending = suspending
        suspending.tell = self.tell

    # --- What the scheduler calls --------------------------------------------------------

    def tell(self, entrant: Entrant, frame: service.ControlDown) -> None:
        """Send a frame to an entrant if it is connected."""
        connection = self._connections.get(entrant)
        if connection is not None:
            streams.send(connection.stream, frame.SerializeToString())

    def tell_all(self, frame: service.ControlDown) -> None:
        """Send a frame to every entrant that is connected."""
        for entrant in list(self._connections):
            self.tell(entrant, frame)

    def change(self) -> None:
        """Wake whoever waits for something to happen."""
        self.changed.set()
        self.changed = trio.Event()

    def invite(self, entrant: Entrant, match: str, ticket: MakeTicket) -> None:
        """Hand out a ticket, now and at every reconnection until ``uninvite``.

        It is made whenever it is handed out: a match lasts longer than a ticket is good for.
        """
        self._tickets.setdefault(entrant, {})[match] = ticket
        self.tell(entrant, service.ControlDown(ticket=ticket()))

    def uninvite(self, entrant: Entrant, match: str) -> None:
        """The match has ended: its ticket is of no more use."""
        self._tickets.get(entrant, {}).pop(match, None)

    @property
    def connected(self) -> int:
        """How many entrants are connected."""
        return len(self._connections)

    def all_here(self, round_: int) -> bool:
        """Whether every entrant that plays in this round is connected."""
        return all(entrant in self._connections for entrant in self._players(round_))

    def enough_here(self, round_: int) -> bool:
        """Whether two of those that play in this round are connected, or all of them."""
        players = self._players(round_)
        return len(self._connections.keys() & set(players)) >= min(2, len(players))

    def capacity(self, entrant: Entrant) -> int:
        """How many matches the entrant's bot plays at once, at least one."""
        return max(1, self._capacities.get(entrant, 1))

    async def close_entries(self) -> None:
        """Let nobody new in from here on; returns once nobody is half in."""
        await self._entrance.close()

    async def draw_links(self, seconds: float) -> list[bytes]:
        """Everybody's links for the next draw, in Entry order, of all who give one in time.

        Who had none in the draw before and is not here is not waited for again.
        """
        round_ = self._call.begin()
        for entrant in self._connections:
            self._ask_for_link(entrant)
        with trio.move_on_after(seconds):
            while self._awaited():
                await self.changed.wait()
        for entrant in self._call.missing():
            log.info("%s gave no link for round %s", self._field[entrant].entry.name, round_)
        return self._call.end()

    async def say_goodbye(self, frame: service.ControlDown) -> None:
        """Send a last frame to everybody and end the streams in order, within a second."""
        self._ending = True
        self.tell_all(frame)
        with trio.move_on_after(1):
            async with trio.open_nursery() as nursery:
                for connection in list(self._connections.values()):
                    nursery.start_soon(streams.end, connection.stream)

    # --- One control stream --------------------------------------------------------------

    async def handle(self, stream: Stream) -> None:
        """Serve a bot's control stream from the greeting to its end."""
        try:
            challenge = self._challenge()
            greeting = service.Greeting(
                protocol=PROTOCOL,
                challenge=challenge,
                manifest=self._log.ledger.signed_manifest,
                software=SOFTWARE,
                token_needed=self._entrance.token_needed,
            )
            stream.send(control(greeting=greeting))
            with trio.fail_after(INTRODUCTION_SECONDS):
                frame = read_introduction(await stream.receive())
            if frame.WhichOneof("frame") == "start":
                self._entrance.check_order(frame.start.start, challenge)
                self.word = self.word or frame.start.start
                self.order.set()
                self.change()
                # A restarted server must know of what was promised.
                await self.begun.wait()
                stream.send(control(notice=service.Notice(text="the tournament begins")))
                await streams.end(stream)
                return
            entrant, key = await self._entrance.admit(frame, challenge, stream.peer)
            self._on_proved(stream)
            self._capacities[entrant] = frame.join.capacity
            if frame.join.checked:
                await self._suspending.checked(entrant)
            await self._serve(stream, entrant, key, frame.join.log_size)
        except NotWelcome as refused:
            log.info("a control stream was refused: %s", str(refused))
            await self._refuse(stream, refused.code, str(refused), refused.retry_us)
        except trio.TooSlowError:
            await self._refuse(
                stream, service.REFUSAL_CODE_MALFORMED, "took too long to introduce itself"
            )
        except trio.EndOfChannel:
            stream.abort()
        except (Broken, Overflow) as lost:
            stream.abort(str(lost))

    async def _serve(self, stream: Stream, entrant: Entrant, key: bytes, held: int) -> None:
        name = self._field[entrant].entry.name
        epoch = self._epochs.get(entrant, 0) + 1
        self._epochs[entrant] = epoch
        # The welcome comes first, whatever else there is to be told.
        stream.send(control(welcome=service.Welcome(entrant=entrant, epoch=epoch)))
        held = await self._bring_up_to_date(stream, held)
        if self._epochs[entrant] != epoch:
            raise NotWelcome(
                service.REFUSAL_CODE_REPLACED, "a newer connection has come with this key"
            )
        connection = _Connection(stream, key, epoch, held)
        older = self._connections.get(entrant)
        self._connections[entrant] = connection
        try:
            for ticket in self._tickets.get(entrant, {}).values():
                stream.send(control(ticket=ticket()))
            for frame in self._suspending.owed(entrant):
                stream.send(frame.SerializeToString())
            self._ask_for_link(entrant)
            if older is not None:
                await self._refuse(
                    older.stream,
                    service.REFUSAL_CODE_REPLACED,
                    "a newer connection has come with this key",
                )
            self._on_presence(name, True)
            self.change()
            while True:
                said = read_up(await streams.receive_or_ping(stream))
                await self._take(stream, entrant, said)
        finally:
            if self._connections.get(entrant) is connection:
                del self._connections[entrant]
                if not self._ending:
                    self._on_presence(name, False)

    async def _take(self, stream: Stream, entrant: Entrant, frame: service.ControlUp) -> None:
        """What a bot says after its introduction."""
        match frame.WhichOneof("frame"):
            case "ping":
                stream.send(control(pong=service.Ping(number=frame.ping.number)))
            case "pong":
                pass
            case "draw_link":
                try:
                    self._call.take(frame.draw_link)
                    self.change()
                except LinkRefused as refused:
                    stream.send(control(notice=service.Notice(text=str(refused))))
            case "objection":
                try:
                    await self._log.submit(frame.objection, frozenset({"objection"}))
                except Illegal as illegal:
                    text = f"the objection is not taken: {illegal}"
                    stream.send(control(notice=service.Notice(text=text)))
            case "reported":
                self._suspending.reported(entrant, frame.reported)
            case kind:
                raise NotWelcome(service.REFUSAL_CODE_MALFORMED, f"{kind} after the introduction")

    def _entered(self, name: str, first_round: int) -> None:
        self._on_entry(name, first_round)
        self.change()

    def _players(self, round_: int) -> list[Entrant]:
        return [number for number, member in enumerate(self._field) if member.plays(round_)]

    # --- The log and the draw ------------------------------------------------------------

    async def _bring_up_to_date(self, stream: Stream, held: int) -> int:
        """Send all news there are, no faster than they are read; how many leaves that makes."""
        while True:
            size = self._log.size
            for frame in news_since(self._log, held):
                stream.send(frame)
                await stream.flush()
            held = size
            if size == self._log.size:
                return size

    async def gather_news(self) -> None:
        """Tell of those who enter, many at a time. To be run for as long as the lobby is."""
        while True:
            await self._grown.wait()
            await trio.sleep(ENTRY_NEWS_SECONDS)
            # Those who came meanwhile have heard it all.
            self._tell_news(but_for=self._log.size)

    def _shown(self) -> None:
        """The log shows more. Nothing waits for that before entries are closed."""
        for entrant, connection in list(self._connections.items()):
            if connection.key != self._field[entrant].key:
                self._turn_out(entrant, connection)
        if self._log.ledger.closed:
            self._tell_news()
        else:
            self._grown.set()

    def _tell_news(self, but_for: int | None = None) -> None:
        """Tell everybody of the log's growth, but for those who have so many of its leaves."""
        self._grown = trio.Event()
        frames: dict[int, list[bytes]] = {}
        for connection in list(self._connections.values()):
            if connection.held == but_for:
                continue
            if connection.held not in frames:
                frames[connection.held] = list(news_since(self._log, connection.held))
            streams.send(connection.stream, *frames[connection.held])
            connection.held = self._log.size

    def _turn_out(self, entrant: Entrant, connection: _Connection) -> None:
        """End a connection whose key is not in force any more."""
        name = self._field[entrant].entry.name
        connection.stream.abort(f"this key of {name} was revoked or replaced")

    def _awaited(self) -> list[Entrant]:
        rounds = self._log.ledger.rounds
        gone = set(rounds[-1].absent) - self._connections.keys() if rounds else set()
        return [entrant for entrant in self._call.missing() if entrant not in gone]

    def _ask_for_link(self, entrant: Entrant) -> None:
        if self._call.owes(entrant):
            index, leaf = self._log.ledger.before_draw
            call = service.DrawCall(round=self._call.round, index=index, leaf=leaf)
            self.tell(entrant, service.ControlDown(draw_call=call))

    async def _refuse(
        self, stream: Stream, code: service.RefusalCode, text: str, retry_us: int = 0
    ) -> None:
        self.refused[code] += 1
        refusal = service.Refusal(code=code, text=text, retry_us=retry_us)
        await streams.say_last(stream, control(refusal=refusal))
