"""Bots at a host's match streams that do as a test wants."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import trio

from aboveboard_protos.bridge import Broken, Stream, memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode, encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games import registry
from aboveboard_referee.host.frames import PROTOCOL
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.log.follower import Follower
from aboveboard_referee.match.local import certificate
from aboveboard_referee.match.player import Expected, Player, Turn
from aboveboard_referee.match.wire import game_to_wire
from tests.fakes.keys import key, secret

NOW = 1_800_000_000_000_000
REFEREE = key("referee")
TOURNAMENT = secret("tournament")
CLOCK = pb.Clock(
    move_us=10_000_000,
    bank_us=60_000_000,
    protocol_us=5_000_000,
    start_us=20_000_000,
    lag_us=1_000_000,
)
Act = Callable[["Robot"], Awaitable[None]]


def opening(match: str = "r1-b1", game: str = "cribbage", **fields: Any) -> pb.MatchOpen:
    """A match between entrants 0 and 1, as the scheduler hands it to the host."""
    made = pb.MatchOpen(
        tournament=TOURNAMENT,
        match=match,
        attempt=fields.pop("attempt", 1),
        game=game_to_wire(registry.game(game)),
        seats=[pb.SeatTerms(entrant=n, entry_key=entry_key(n).public.raw) for n in (0, 1)],
        first=pb.FIRST_SEAT0,
        tier=pb.TIER_SIGNED,
        clock=CLOCK,
        chain_length=256,
    )
    for name, value in fields.items():
        setattr(made.clock, name, value)
    return made


def entry_key(entrant: int) -> PrivateKey:
    return key(f"entry {entrant}")


def up(**frame: Any) -> bytes:
    return service.MatchUp(**frame).SerializeToString()


def hello(opening: pb.MatchOpen, seat: int, **fields: Any) -> bytes:
    frame = service.Hello(
        protocol=PROTOCOL,
        tournament=opening.tournament,
        match=opening.match,
        attempt=opening.attempt,
        seat=seat,
    )
    for name, value in fields.items():
        setattr(frame, name, value)
    return up(hello=frame)


def chance(turn: Turn, seed: str) -> Any:
    """A move by lot, always the same in the same position of the same match."""
    return Random(f"{seed} {turn.state!r}").choice(turn.legal)


@dataclass(eq=False)
class Robot:
    """The bot of one seat: honest, but for what it does ``instead``.

    ``instead`` is done once, at the question of ``phase`` that comes after so many
    answers to earlier ones of it, ``sign`` in place of signing the close. Both may send
    what they like by ``stream``, or nothing.
    """

    opening: pb.MatchOpen
    seat: int
    instead: Act | None = None
    phase: pb.Phase = pb.PHASE_MOVE
    after: int = 0
    sign: Act | None = None
    thinks: float = 0.0  # seconds, for each decision
    comes: float = 0.0  # seconds after the match's tickets
    stays: float = math.inf  # seconds, and then it leaves
    leave: Act | None = None
    pair: Callable[[], tuple[Stream, Stream]] = memory_pair
    entry_by: PrivateKey | None = None  # its entry key, if that was rotated
    public_log: Follower | None = None  # in which the match's opening has to be
    turns: bool = False  # whether it asks to be told what it owes
    got: list[tuple[float, bytes]] = field(default_factory=list)  # frames with their times
    pongs: list[tuple[float, int]] = field(default_factory=list)
    refusal: service.Refusal = field(default_factory=service.Refusal)
    close_data: bytes = b""
    ending: str = ""  # how the stream ended: "in order", or what broke it
    ended_at: float = math.nan

    def __post_init__(self) -> None:
        terms = self.opening
        self.entry = self.entry_by or entry_key(terms.seats[self.seat].entrant)
        self.key = key(f"{terms.match} {terms.attempt} seat {self.seat}")
        self.certificate = certificate(self.entry, self.match_key())
        self.player = self.new_player()
        self.answered: dict[pb.Phase, int] = {}
        self._answering: Any = None
        self.in_log = False

    @property
    def place(self) -> dict[str, Any]:
        terms = self.opening
        return {
            "tournament": terms.tournament,
            "match": terms.match,
            "attempt": terms.attempt,
            "seat": self.seat,
        }

    def match_key(self, **fields: Any) -> pb.MatchKey:
        return pb.MatchKey(**{**self.place, "key": self.key.public.raw, **fields})

    def new_player(self) -> Player:
        expected = Expected(
            **self.place,
            referee_key=REFEREE.public.raw,
            game=self.opening.game,
            certificate=self.certificate,
            clock=self.opening.clock,
            in_log=self.public_log is not None,
        )
        return Player(expected, self.key, secret(f"stored of {self.place}"))

    def admission(self, challenge: bytes, by: PrivateKey | None = None, **fields: Any) -> bytes:
        body = pb.Admission(
            **{
                **self.place,
                "challenge": challenge,
                "referee_key": REFEREE.public.raw,
                **fields,
            }
        )
        return sign(type_of("admission"), encode(body), by or self.key).to_bytes()

    # --- On a stream ---------------------------------------------------------------------

    async def play(self, host: MatchHost, doors: trio.Nursery) -> None:
        """Come, take the seat, and stay to the stream's end."""
        await trio.sleep(self.comes)
        self.dial(host, doors)
        await self.stay()

    async def stay(self) -> None:
        """From hello to the end of ``stream``."""
        try:
            with trio.move_on_after(self.stays):
                await self.enter()
                await self.follow()
            await (self.leave or vanish)(self)
            await self.follow()
        except trio.EndOfChannel:
            self.ending = "in order"
        except Broken as error:
            self.ending = str(error)
        self.ended_at = trio.current_time()

    def dial(self, host: MatchHost, doors: trio.Nursery) -> None:
        self.stream, theirs = self.pair()
        doors.start_soon(door, host, theirs)

    async def enter(self, have: int = 0) -> None:
        """Prove who is there. Whether that was enough shows in what comes next."""
        self.stream.send(hello(self.opening, self.seat))
        frame = await self.frame()
        if not frame.HasField("challenge"):
            await self.follow()
        self.stream.send(
            up(
                entrance=service.Entrance(
                    certificate=self.certificate,
                    admission=self.admission(frame.challenge.challenge),
                    have=have,
                    turns=self.turns,
                )
            )
        )

    async def frame(self) -> service.MatchDown:
        data = await self.stream.receive()
        self.got.append((trio.current_time(), data))
        frame = decode(service.MatchDown, data)
        if frame.HasField("refusal"):
            self.refusal = frame.refusal
        return frame

    async def follow(self) -> None:
        while True:
            frame = await self.frame()
            match frame.WhichOneof("frame"):
                case "records":
                    self.player.take(frame.records.records, frame.records.shows)
                    if not frame.records.past:
                        await self._answer()
                case "logged":
                    self._logged(frame.logged)
                    await self._answer()
                case "back":
                    await self._answer()
                case "close":
                    self.close_data = frame.close
                    await (self.sign or sign_close)(self)
                case "pong":
                    self.pongs.append((trio.current_time(), frame.pong.number))

    def _logged(self, receipt: service.Receipt) -> None:
        if self.public_log is not None:
            self.public_log.check_logged(
                self.player.opening, receipt.index, receipt.path, receipt.checkpoint
            )
            self.player.logged(self.public_log.bare(receipt.checkpoint))
            self.in_log = True

    @property
    def waits_for_log(self) -> bool:
        """Whether it owes an acceptance, and does not know its opening to be in the log."""
        owed = self.player.owed
        accepts = owed is not None and owed.phase == pb.PHASE_ACCEPT
        return accepts and self.public_log is not None and not self.in_log

    async def _answer(self) -> None:
        owed = self.player.owed
        if owed is None or owed == self._answering:
            return
        if self.waits_for_log:
            return
        self._answering = owed
        done = self.answered.get(owed.phase, 0)
        self.answered[owed.phase] = done + 1
        if self.instead is not None and (owed.phase, done) == (self.phase, self.after):
            await self.instead(self)
        else:
            await answer(self)

    # --- What it was sent ------------------------------------------------------------------

    @property
    def records(self) -> list[bytes]:
        """Every record that it was sent, in order."""
        return [record for _, data in self.got for record in records_in(data)]

    @property
    def told(self) -> list[service.Turn]:
        """Every turn that it was sent, in order."""
        frames = [decode(service.MatchDown, data) for _, data in self.got]
        return [frame.turn for frame in frames if frame.HasField("turn")]

    @property
    def shows(self) -> list[bytes]:
        return [
            show for _, data in self.got for show in decode(service.MatchDown, data).records.shows
        ]


def records_in(frame: bytes) -> list[bytes]:
    return list(decode(service.MatchDown, frame).records.records)


# --- What a robot may do -------------------------------------------------------------------


async def answer(robot: Robot) -> None:
    """What an honest bot does."""
    robot.stream.send(up(answer=await honest(robot)))


async def honest(robot: Robot) -> bytes:
    """The honest answer to what is owed, after the time that the bot thinks."""
    data = robot.player.protocol_answer()
    if data is not None:
        return data
    await trio.sleep(robot.thinks)
    turn = robot.player.turn
    assert turn is not None
    return robot.player.decide(chance(turn, f"{robot.place}"))


async def nothing(robot: Robot) -> None:
    await trio.lowlevel.checkpoint()


async def hang_up(robot: Robot) -> None:
    await robot.stream.aclose()


async def vanish(robot: Robot) -> None:
    await trio.lowlevel.checkpoint()
    robot.stream.abort()


async def resign(robot: Robot) -> None:
    await trio.lowlevel.checkpoint()
    robot.stream.send(up(answer=robot.player.resign()))


async def sign_close(robot: Robot) -> None:
    await trio.lowlevel.checkpoint()
    robot.stream.send(up(close_signature=robot.player.sign_close(robot.close_data)))


def sends(*frames: bytes) -> Act:
    """Sends just these frames."""

    async def act(robot: Robot) -> None:
        await trio.lowlevel.checkpoint()
        for frame in frames:
            robot.stream.send(frame)

    return act


def after(seconds: float, act: Act) -> Act:
    async def later(robot: Robot) -> None:
        await trio.sleep(seconds)
        await act(robot)

    return later


async def door(host: MatchHost, stream: Stream) -> None:
    """As the bridge does: when the handler returns, its stream is closed."""
    await host.admit(stream)
    await stream.aclose()
