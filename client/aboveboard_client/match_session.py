"""One seat of one match: the bot's side of a match stream.

    up      Hello       ► down  Challenge
    up      Entrance    ► down  Records …         until somebody must answer
    up      Answer      ► down  Records …         and so on
                          down  MatchClose        checked against all that came before
    up      signature   ► the stream ends

The bot's decisions run in a thread, so that records are followed and pings answered
while it thinks.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import trio

from aboveboard_client.bot import Bot
from aboveboard_client.evidence import save_evidence
from aboveboard_client.identity import Identity, admission
from aboveboard_client.output import printable
from aboveboard_client.reports import MatchEnd, Reports
from aboveboard_protos.bridge import Broken, Overflow, Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.host.frames import PROTOCOL
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.judge import Owed
from aboveboard_referee.match.player import Expected, Player, Turn

ENTRY_SECONDS = 30
"""How long a referee may take to let a bot in."""


@dataclass(frozen=True)
class Choice:
    """What came of asking a bot: a legal move, or in words why there is none."""

    move: Any = None
    failure: str = ""
    error: BaseException | None = None


RunChoice = Callable[[Callable[[], Choice]], Awaitable[Choice]]
"""Runs a bot's decision without holding up the event loop."""


async def in_thread(choose: Callable[[], Choice]) -> Choice:
    """Run it in a thread. One that never returns is left behind when the match is over."""
    return await trio.to_thread.run_sync(choose, abandon_on_cancel=True)


@dataclass(frozen=True)
class Desk:
    """What all matches of one bot have in common. The bot is asked in them by turns."""

    identity: Identity
    bot: Bot
    reports: Reports
    new_key: Callable[[], PrivateKey]  # a fresh one for every match
    evidence: Path | None = None
    run_choice: RunChoice = in_thread
    clock: pb.Clock | None = None  # as the manifest has it; None: whatever a match has
    by_turns: trio.Lock = field(default_factory=trio.Lock)


async def play_seat(stream: Stream, ticket: pb.Ticket, desk: Desk) -> MatchEnd:
    """Play the ticket's seat over ``stream`` to its end, which the result describes.

    Nothing that referee or bot do wrong is raised: it is reported, and the match is
    left or resigned. Who opened the stream closes it.
    """
    return await _Seat(stream, ticket, desk).play()


class _Left(Exception):
    """The match cannot go on for this seat; why, in a line."""


class _Seat:
    def __init__(self, stream: Stream, ticket: pb.Ticket, desk: Desk) -> None:
        key = desk.new_key()
        certificate = desk.identity.certify(ticket, key)
        self._stream = stream
        self._ticket = ticket
        self._desk = desk
        self._key = key
        self._certificate = certificate
        self._player = Player(
            Expected(
                tournament=ticket.tournament,
                match=ticket.match,
                attempt=ticket.attempt,
                seat=ticket.seat,
                referee_key=ticket.referee_key,
                game=ticket.game,
                certificate=certificate,
                clock=desk.clock,
            ),
            key,
            desk.identity.stored,
        )
        self._records: list[bytes] = []
        self._shows: list[bytes] = []
        self._answering: Owed | None = None
        self._bot_failed = False
        self._close: pb.MatchClose | None = None

    async def play(self) -> MatchEnd:
        deviated = False
        try:
            await self._enter()
            async with trio.open_nursery() as nursery:
                trouble = await self._follow(nursery)
                # A bot that still thinks does so about a match that is over.
                nursery.cancel_scope.cancel()
            if trouble is not None:
                raise trouble
        except Deviation as deviation:
            deviated = True
            self._desk.reports.match_deviated(
                self._ticket, deviation, self._save_evidence(deviation)
            )
        except _Left as left:
            self._desk.reports.match_trouble(self._ticket, str(left))
        return MatchEnd(self._ticket, self._close, deviated, self._bot_failed)

    # --- Getting in ----------------------------------------------------------------------

    async def _enter(self) -> None:
        ticket = self._ticket
        hello = service.Hello(
            protocol=PROTOCOL,
            tournament=ticket.tournament,
            match=ticket.match,
            attempt=ticket.attempt,
            seat=ticket.seat,
        )
        self._send(hello=hello)
        try:
            with trio.fail_after(ENTRY_SECONDS):
                frame = await self._frame()
        except trio.TooSlowError:
            raise _Left(f"the referee did not answer within {ENTRY_SECONDS} s") from None
        if frame.WhichOneof("frame") != "challenge":
            self._unexpected(frame)
        if frame.challenge.referee_key != ticket.referee_key:
            raise _Left("another referee answers than the one who signed the ticket")
        proof = admission(ticket, frame.challenge.challenge, self._key)
        self._send(entrance=service.Entrance(certificate=self._certificate, admission=proof))

    # --- Playing -------------------------------------------------------------------------

    async def _follow(self, nursery: trio.Nursery) -> Deviation | _Left | None:
        """To the stream's end. Trouble is returned, for a nursery would wrap it."""
        try:
            while True:
                frame = await self._frame()
                match frame.WhichOneof("frame"):
                    case "records":
                        self._take(frame.records)
                        self._act(nursery)
                    case "close" if self._records:
                        self._sign_close(frame.close)
                    case "ping":
                        self._send(pong=service.Ping(number=frame.ping.number))
                    case "pong":
                        pass
                    case _:
                        self._unexpected(frame)
        except Deviation as deviation:
            return deviation
        except _Left as left:
            # Whatever happens to the connection after the close changes nothing.
            return None if self._close is not None else left

    def _take(self, wire: service.Records) -> None:
        self._records.extend(wire.records)
        self._shows.extend(wire.shows)
        self._player.take(wire.records, wire.shows)

    def _act(self, nursery: trio.Nursery) -> None:
        """Answer what is owed, if that has not been begun already."""
        owed = self._player.owed
        if owed is None or owed == self._answering:
            return
        self._answering = owed
        answer = self._player.protocol_answer()
        if answer is not None:
            self._send(answer=answer)
        else:
            nursery.start_soon(self._decide, owed)

    async def _decide(self, owed: Owed) -> None:
        turn = self._player.turn
        assert turn is not None
        desk = self._desk
        async with desk.by_turns:
            begun = trio.current_time()
            choice = await desk.run_choice(partial(_choose, desk.bot, turn))
            thought_us = int((trio.current_time() - begun) * 1e6)
        if choice.failure:
            self._bot_failed = True
            desk.reports.bot_failed(self._ticket, choice.failure, choice.error)
        if self._player.owed != owed:
            # The time ran out, or the match was stopped, while the bot was thinking.
            return
        if choice.failure:
            self._send(answer=self._player.resign())
        else:
            self._send(answer=self._player.decide(choice.move, thought_us))

    def _sign_close(self, data: bytes) -> None:
        if self._close is not None:
            raise _Left("the referee closes the match a second time")
        signature = self._player.sign_close(data)
        self._close = decode(pb.MatchClose, parse_signed(data).body)
        self._send(close_signature=signature)

    def _save_evidence(self, deviation: Deviation) -> Path | None:
        folder = self._desk.evidence
        if folder is None:
            return None
        try:
            return save_evidence(folder, self._ticket, deviation, self._records, self._shows)
        except OSError as error:
            why = f"the evidence cannot be written to {folder}: {error.strerror}"
            self._desk.reports.match_trouble(self._ticket, why)
            return None

    # --- Frames --------------------------------------------------------------------------

    async def _frame(self) -> service.MatchDown:
        try:
            data = await self._stream.receive()
            frame = decode(service.MatchDown, data)
        except trio.EndOfChannel:
            raise _Left("the referee ended the match stream before the match's end") from None
        except Broken as error:
            raise _Left(f"the connection to the referee is lost: {error}") from error
        except Refused as error:
            raise _Left(f"the referee does not keep to the protocol: {error}") from error
        if frame.WhichOneof("frame") == "refusal":
            raise _Left(f"the referee refuses the bot: {printable(frame.refusal.text)}")
        return frame

    def _send(self, **frame: Any) -> None:
        try:
            self._stream.send(service.MatchUp(**frame).SerializeToString())
        except Overflow:
            self._stream.abort("the referee does not read what it is sent")
        except Broken:
            # Whoever receives finds out as well and knows what to do.
            return

    def _unexpected(self, frame: service.MatchDown) -> NoReturn:
        raise _Left(f"the referee sent {frame.WhichOneof('frame') or 'an empty frame'} out of turn")


def _choose(bot: Bot, turn: Turn) -> Choice:
    """Ask the bot. Its mistakes come back as values: they cost it this match and no other."""
    try:
        move = bot.choose(turn)
        for legal in turn.legal:
            if legal == move:
                return Choice(legal)
        return Choice(failure=f"chose {move!r}, which is no legal move here")
    except (Exception, SystemExit) as error:  # noqa: BLE001  # a stranger's code may raise anything
        return Choice(failure=f"raised {type(error).__name__}", error=error)
