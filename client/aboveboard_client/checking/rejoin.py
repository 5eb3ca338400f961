"""A match whose connection breaks under the bot, or in which the bot is started anew.

It is played by the match host and the sessions that a tournament has, over streams in
memory. Seats without a bot are played by a script over sessions of their own.
"""

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import trio

from aboveboard_client.bot import Bot
from aboveboard_client.checking.asking import Asker, CaseFailed
from aboveboard_client.checking.moments import Asked, met_now
from aboveboard_client.checking.table import Table
from aboveboard_client.checking.untold import Untold
from aboveboard_client.session.desk import Desk
from aboveboard_client.session.identity import Identity
from aboveboard_client.session.match_session import play_seat
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.state.journal import MemoryJournals
from aboveboard_protos.bridge import Stream, memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import MemoryJournal
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.wire import game_to_wire

CUTS = (3, 7, 12)
"""The bot's questions, counted from 0, at which its connection breaks or it is ended."""

QUESTIONS = 20
"""What is asked of the bot in such a case."""

RECONNECTED = "the match's connection broke before, and was made anew"
RESTARTED = (
    "the bot was killed before and started anew in the middle of this match: the state has "
    "all that went before"
)

SECOND_US = 1_000_000
NAME = "check"


@dataclass
class Rejoining:
    """One case: with ``anew`` the bot's process is ended at each cut as well."""

    table: Table
    asker: Asker
    anew: bool
    _asked: int = 0
    _cuts: int = 0  # that were made
    _history: list[Asked] = field(default_factory=list)
    _stream: Stream | None = None  # the bot's newest
    _life: trio.CancelScope = field(default_factory=trio.CancelScope)  # of the bot's session
    _failed: CaseFailed | None = None

    def play(self) -> None:
        """Raises ``CaseFailed``."""
        trio.run(self._run)
        if self._failed is not None:
            raise self._failed

    async def _run(self) -> None:
        table = self.table
        key = PrivateKey(table.secret("referee"))
        host = MatchHost(
            key,
            table.secret("deck"),
            MemoryJournal(),
            now_us=lambda: time.time_ns() // 1000,
            challenge=lambda: secrets.token_bytes(32),
        )
        opening = pb.MatchOpen(
            tournament=bytes(32),
            match=NAME,
            attempt=1,
            game=game_to_wire(table.game),
            first=pb.FIRST_SEAT0,
            tier=pb.TIER_SIGNED,
            clock=self._clock(),
            chain_length=1024,
        )
        for seat in range(table.seats):
            entry = self._identity(seat).key.public.raw
            opening.seats.add(entrant=seat, entry_key=entry)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.sweep)
            nursery.start_soon(host.play, opening)
            for seat in range(table.seats):
                if seat != table.seat:
                    desk = self._desk(seat, _Scripted(table, seat))
                    nursery.start_soon(
                        play_seat, partial(self._dial, host, nursery), self._ticket(seat, key), desk
                    )
            await self._live(host, nursery, self._ticket(table.seat, key))
            nursery.cancel_scope.cancel()

    async def _live(self, host: MatchHost, nursery: trio.Nursery, ticket: pb.Ticket) -> None:
        """All lives of the bot, from one state folder, so to speak."""
        desk = self._desk(self.table.seat, _Asking(self))
        while True:
            cuts = self._cuts
            with trio.CancelScope() as self._life:
                await play_seat(partial(self._dial_own, host, nursery), ticket, desk)
            over = self._failed is not None or self._asked >= QUESTIONS
            if over or not (self.anew and self._cuts > cuts):
                return
            self.asker.restart()
            self.asker.situation = RESTARTED

    # --- What the bot does ---------------------------------------------------------------

    def choose(self, turn: Turn) -> Any:
        """Ask the bot, in a thread. What it does wrong ends the case."""
        number = self._asked
        self._asked += 1
        if number >= QUESTIONS:
            trio.from_thread.run_sync(self._life.cancel)
            return turn.legal[0]
        try:
            if number in CUTS:
                self._cuts += 1
                self.asker.situation = RECONNECTED
                trio.from_thread.run_sync(self._cut)
                if self.anew:
                    return turn.legal[0]  # which nobody hears any more
            self._note(turn)
            return self.asker.ask(turn)
        except CaseFailed as failed:
            self._failed = failed
            trio.from_thread.run_sync(self._life.cancel)
            return turn.legal[0]

    def _cut(self) -> None:
        if self._stream is not None:
            self._stream.abort("cut by the check")
        if self.anew:
            self._life.cancel()

    def _note(self, turn: Turn) -> None:
        met = self.asker.result.met
        self._history.append(Asked(turn.game, turn.state, turn.seat, turn.legal))
        met.update(met_now(self._history, self.table.seats))
        if self._cuts:
            met["restarted" if self.anew else "reconnected"] += 1

    # --- Who is who ----------------------------------------------------------------------

    def _identity(self, seat: Seat) -> Identity:
        secret = self.table.secret
        return Identity(
            f"seat-{seat}", PrivateKey(secret(f"entry {seat}")), secret(f"stored {seat}")
        )

    def _desk(self, seat: Seat, bot: Bot) -> Desk:
        return Desk(
            self._identity(seat),
            bot,
            Untold(),
            MemoryJournals(),
            Patience(total=30.0, first=0.02, most=0.1),
            clock=self._clock(),
        )

    def _ticket(self, seat: Seat, key: PrivateKey) -> pb.Ticket:
        return pb.Ticket(
            tournament=bytes(32),
            match=NAME,
            attempt=1,
            seat=seat,
            game=game_to_wire(self.table.game),
            referee_key=key.public.raw,
        )

    def _clock(self) -> pb.Clock:
        """Wide enough for a bot that takes all that it may, and for its being started anew."""
        move_us = int(self.asker.move_s * SECOND_US) + 60 * SECOND_US
        return pb.Clock(
            move_us=move_us,
            protocol_us=60 * SECOND_US,
            start_us=60 * SECOND_US,
            grace_us=120 * SECOND_US,
            lag_us=SECOND_US,
        )

    @asynccontextmanager
    async def _dial(self, host: MatchHost, nursery: trio.Nursery) -> AsyncIterator[Stream]:
        mine, theirs = memory_pair()
        nursery.start_soon(host.admit, theirs)
        try:
            yield mine
        finally:
            mine.abort()

    @asynccontextmanager
    async def _dial_own(self, host: MatchHost, nursery: trio.Nursery) -> AsyncIterator[Stream]:
        async with self._dial(host, nursery) as stream:
            self._stream = stream
            yield stream


class _Asking:
    """The bot as its session sees it."""

    games: tuple[str, ...] = ()

    def __init__(self, case: Rejoining) -> None:
        self._case = case

    def choose(self, turn: Turn) -> Any:
        return self._case.choose(turn)


class _Scripted:
    """A seat without a bot."""

    games: tuple[str, ...] = ()

    def __init__(self, table: Table, seat: Seat) -> None:
        self._script = table.script
        self._seat = seat
        self._before = 0

    def choose(self, turn: Turn) -> Any:
        self._before += 1
        return self._script.move(turn.game, turn.state, self._seat, turn.legal, self._before)
