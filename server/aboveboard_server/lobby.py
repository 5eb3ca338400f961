"""The lobby: bots enter and stay connected here, and hear from here where to play."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

import trio
from google.protobuf.message import DecodeError

from aboveboard_protos.bridge import Broken, Overflow, Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed, verify_sole
from aboveboard_referee.fairplay.keys import BadKey, BadSignature, PublicKey
from aboveboard_referee.host.frames import FRAME_LIMIT, PROTOCOL, other_protocol
from aboveboard_referee.tournament.entries import check_entry, clash, reserved_keys
from aboveboard_server.book import TOURNAMENT, Book
from aboveboard_server.store import EventStore

log = logging.getLogger(__name__)

MakeTicket = Callable[[], bytes]

CONTROL = "/aboveboard.v1.Lobby/Control"
INTRODUCTION_SECONDS = 30

PING_SECONDS = 20
SILENT_PINGS = 3
"""A bot is pinged after so much silence, and lost when so many pings had no answer."""


class _NotWelcome(Exception):
    def __init__(self, code: service.RefusalCode, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(eq=False)
class _Connection:
    stream: Stream
    epoch: int


class Lobby:
    """Handles every control stream.

    ``changed`` is set, and is another event from then on, whenever somebody entered, came
    back, or gave the order to begin.
    """

    def __init__(
        self,
        book: Book,
        store: EventStore,
        organiser: PublicKey,
        *,
        challenge: Callable[[], bytes],
        on_entry: Callable[[str], None],
        on_presence: Callable[[str, bool], None],
    ) -> None:
        self.open = not book.closed
        self.order = trio.Event()  # the organiser's word to begin
        self.begun = trio.Event()  # to be set when the end of entries is on disk
        self.changed = trio.Event()
        self._book = book
        self._store = store
        self._organiser = organiser
        self._challenge = challenge
        self._on_entry = on_entry
        self._on_presence = on_presence
        self._connections: dict[bytes, _Connection] = {}  # by entry key
        self._epochs: dict[bytes, int] = {}
        self._capacities: dict[bytes, int] = {}  # as each bot said when it last came
        self._tickets: dict[bytes, dict[str, MakeTicket]] = {}  # by entry key and match
        self._entrance = trio.Lock()
        self._ending = False

    # --- What the scheduler calls --------------------------------------------------------

    def tell(self, entrant: int, frame: service.ControlDown) -> None:
        """Send a frame to an entrant if it is connected."""
        connection = self._connections.get(self._book.entries[entrant].key)
        if connection is not None:
            self._send(connection, frame)

    def tell_all(self, frame: service.ControlDown) -> None:
        """Send a frame to every entrant that is connected."""
        for connection in list(self._connections.values()):
            self._send(connection, frame)

    def invite(self, entrant: int, match: str, ticket: MakeTicket) -> None:
        """Hand out a ticket, now and at every reconnection until ``uninvite``.

        It is made whenever it is handed out: a match lasts longer than a ticket is good for.
        """
        self._tickets.setdefault(self._book.entries[entrant].key, {})[match] = ticket
        self.tell(entrant, service.ControlDown(ticket=ticket()))

    def uninvite(self, entrant: int, match: str) -> None:
        """The match has ended: its ticket is of no more use."""
        self._tickets.get(self._book.entries[entrant].key, {}).pop(match, None)

    def all_here(self) -> bool:
        """Whether every entrant is connected."""
        return all(entry.key in self._connections for entry in self._book.entries)

    def capacity(self, entrant: int) -> int:
        """How many matches the entrant's bot plays at once, at least one."""
        return max(1, self._capacities.get(self._book.entries[entrant].key, 1))

    async def close_entries(self) -> None:
        """Let nobody in from here on; returns once nobody is half in."""
        self.open = False
        async with self._entrance:
            # Whoever had the door has been let in by now.
            return

    async def say_goodbye(self, frame: service.ControlDown) -> None:
        """Send a last frame to everybody and end the streams in order, within a second."""
        self._ending = True
        self.tell_all(frame)
        with trio.move_on_after(1):
            async with trio.open_nursery() as nursery:
                for connection in list(self._connections.values()):
                    nursery.start_soon(self._end, connection.stream)

    # --- One control stream --------------------------------------------------------------

    async def handle(self, stream: Stream) -> None:
        """Serve a bot's control stream from the greeting to its end."""
        try:
            challenge = self._challenge()
            stream.send(
                _bytes(
                    greeting=service.Greeting(
                        protocol=PROTOCOL,
                        challenge=challenge,
                        manifest=self._book.signed_manifest,
                    )
                )
            )
            with trio.fail_after(INTRODUCTION_SECONDS):
                frame = self._introduction(await stream.receive())
            if frame.WhichOneof("frame") == "start":
                self._take_order(frame.start.start, challenge)
                # A restarted server must know of what was promised.
                await self.begun.wait()
                stream.send(_bytes(notice=service.Notice(text="the tournament begins")))
                await self._end(stream)
                return
            entrant, key = await self._welcome(frame, challenge)
            await self._serve(stream, entrant, key)
        except _NotWelcome as refused:
            log.info("a control stream was refused: %s", refused)
            await self._refuse(stream, refused.code, str(refused))
        except trio.TooSlowError:
            await self._refuse(
                stream, service.REFUSAL_CODE_MALFORMED, "took too long to introduce itself"
            )
        except trio.EndOfChannel:
            stream.abort()
        except (Broken, Overflow) as lost:
            stream.abort(str(lost))

    async def _serve(self, stream: Stream, entrant: int, key: bytes) -> None:
        name = self._book.entries[entrant].name
        older = self._connections.get(key)
        epoch = self._epochs.get(key, 0) + 1
        self._epochs[key] = epoch
        connection = _Connection(stream, epoch)
        # The welcome comes first, whatever else there is to be told.
        stream.send(_bytes(welcome=service.Welcome(entrant=entrant, epoch=epoch)))
        for ticket in self._tickets.get(key, {}).values():
            stream.send(_bytes(ticket=ticket()))
        self._connections[key] = connection
        if older is not None:
            await self._refuse(
                older.stream,
                service.REFUSAL_CODE_REPLACED,
                "a newer connection has come with this key",
            )
        self._on_presence(name, True)
        self._change()
        try:
            while True:
                frame = await self._receive_or_ping(stream)
                kind = frame.WhichOneof("frame")
                if kind == "ping":
                    stream.send(_bytes(pong=service.Ping(number=frame.ping.number)))
                elif kind != "pong":
                    raise _NotWelcome(
                        service.REFUSAL_CODE_MALFORMED, f"{kind} after the introduction"
                    )
        finally:
            if self._connections.get(key) is connection:
                del self._connections[key]
                if not self._ending:
                    self._on_presence(name, False)

    async def _welcome(self, frame: service.ControlUp, challenge: bytes) -> tuple[int, bytes]:
        """Admit who asks to join: the entrant's number and key, its entry on disk."""
        join = frame.join
        if frame.WhichOneof("frame") != "join":
            raise _NotWelcome(service.REFUSAL_CODE_MALFORMED, "the first frame must be a join")
        if join.protocol != PROTOCOL:
            raise _NotWelcome(service.REFUSAL_CODE_PROTOCOL, other_protocol(join.protocol))
        try:
            signed = parse_signed(join.entry)
            entry = check_entry(signed, self._book.tournament)
            self._check_login(parse_signed(join.login), entry, challenge)
        except (Refused, BadKey, BadSignature) as error:
            raise _NotWelcome(service.REFUSAL_CODE_BAD_PROOF, str(error)) from error
        # One at a time: whether a name is free must not change before it is on disk.
        async with self._entrance:
            entrant = await self._enter(signed, entry)
        self._capacities[entry.key] = join.capacity
        return entrant, entry.key

    def _check_login(self, login: Signed, entry: pb.Entry, challenge: bytes) -> None:
        verify_sole(login, "login", PublicKey.parse(entry.key))
        body = decode(pb.Login, login.body)
        if (body.challenge, body.tournament) != (challenge, self._book.tournament):
            raise Refused("the login is for another connection or tournament")
        if body.organiser_key != self._organiser.raw or body.key != entry.key:
            raise Refused("the login names another organiser or key")

    async def _enter(self, signed: Signed, entry: pb.Entry) -> int:
        book = self._book
        assert book.manifest is not None
        if entry.key in reserved_keys(book.manifest):
            raise _NotWelcome(
                service.REFUSAL_CODE_BAD_PROOF, "this key is the server's; an entry needs its own"
            )
        earlier = clash(book.entries, entry)
        if earlier is not None:
            if (earlier.key, earlier.name) == (entry.key, entry.name):
                # It comes back; what it said of itself when it entered stands.
                return book.entries.index(earlier)
            if earlier.key == entry.key:
                raise _NotWelcome(
                    service.REFUSAL_CODE_OTHER_ENTRY,
                    f"this key has entered already, as {earlier.name}",
                )
            raise _NotWelcome(
                service.REFUSAL_CODE_NAME_TAKEN,
                f"the name {entry.name} is taken by another key",
            )
        if not self.open:
            raise _NotWelcome(service.REFUSAL_CODE_ENTRIES_CLOSED, "entries are closed")
        most = book.manifest.entrants_max
        if most and len(book.entries) >= most:
            raise _NotWelcome(service.REFUSAL_CODE_FULL, f"all {most} places are taken")
        body = signed.to_bytes()
        # Shielded: a bot that hangs up now has entered or not, but never half.
        with trio.CancelScope(shield=True):
            await self._store.append([(TOURNAMENT, "entry", body)])
            book.apply(TOURNAMENT, "entry", body)
        self._on_entry(entry.name)
        self._change()
        return len(book.entries) - 1

    def _take_order(self, data: bytes, challenge: bytes) -> None:
        try:
            signed = parse_signed(data)
            verify_sole(signed, "start", self._organiser)
            body = decode(pb.StartOrder, signed.body)
        except (Refused, BadSignature) as error:
            raise _NotWelcome(service.REFUSAL_CODE_BAD_PROOF, str(error)) from error
        if (body.challenge, body.tournament) != (challenge, self._book.tournament):
            raise _NotWelcome(
                service.REFUSAL_CODE_BAD_PROOF, "an order for another connection or tournament"
            )
        if not self.open:
            raise _NotWelcome(service.REFUSAL_CODE_ENTRIES_CLOSED, "it has begun already")
        if len(self._book.entries) < 2:
            raise _NotWelcome(
                service.REFUSAL_CODE_MALFORMED,
                f"{len(self._book.entries)} entered so far; a tournament needs two",
            )
        self.order.set()
        self._change()

    def _introduction(self, data: bytes) -> service.ControlUp:
        """A bot's first frame. Another version may have further fields, so its number
        comes before the form.
        """
        if len(data) <= FRAME_LIMIT:
            try:
                said = service.ControlUp.FromString(data).join.protocol
            except DecodeError as error:
                raise _NotWelcome(service.REFUSAL_CODE_MALFORMED, "not a frame") from error
            if said not in (0, PROTOCOL):
                raise _NotWelcome(service.REFUSAL_CODE_PROTOCOL, other_protocol(said))
        return self._read(data)

    def _change(self) -> None:
        self.changed.set()
        self.changed = trio.Event()

    # --- Streams -------------------------------------------------------------------------

    async def _receive_or_ping(self, stream: Stream) -> service.ControlUp:
        """What the bot says next. A stream can be dead without an end: then it is aborted."""
        for number in range(1, SILENT_PINGS + 2):
            with trio.move_on_after(PING_SECONDS):
                return self._read(await stream.receive())
            if number <= SILENT_PINGS:
                stream.send(_bytes(ping=service.Ping(number=number)))
        raise Broken(f"{SILENT_PINGS} pings had no answer")

    def _read(self, data: bytes) -> service.ControlUp:
        try:
            return decode(service.ControlUp, data, limit=FRAME_LIMIT)
        except Refused as error:
            raise _NotWelcome(service.REFUSAL_CODE_MALFORMED, str(error)) from error

    def _send(self, connection: _Connection, frame: service.ControlDown) -> None:
        try:
            connection.stream.send(frame.SerializeToString())
        except Overflow:
            connection.stream.abort("it does not read what it is sent")
        except Broken:
            # Its own task finds out and takes it off the list.
            log.debug("a control stream broke while it was written to")

    async def _refuse(self, stream: Stream, code: service.RefusalCode, text: str) -> None:
        try:
            stream.send(_bytes(refusal=service.Refusal(code=code, text=text)))
            await self._end(stream)
        except (Broken, Overflow):
            stream.abort()

    async def _end(self, stream: Stream) -> None:
        with trio.move_on_after(1):
            try:
                await stream.aclose()
            except Broken:
                log.debug("a control stream broke while it was closed")
        stream.abort()


def _bytes(**frame: object) -> bytes:
    return service.ControlDown(**frame).SerializeToString()  # type: ignore[arg-type]  # oneof
