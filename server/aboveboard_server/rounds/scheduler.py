"""Runs a tournament from its first entry to its archive.

Everything that happens is a leaf of the log or a record of a match before anybody is told,
and what is to be done next follows from these alone: started on the store of a tournament
that was interrupted, the scheduler goes on where that one stopped.
"""

import math
from collections.abc import Callable

import trio
from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import Journal
from aboveboard_server.config import Config
from aboveboard_server.keys import ServerKeys, organiser_chain
from aboveboard_server.lobby import Lobby
from aboveboard_server.log.public_log import PublicLog
from aboveboard_server.manifest import schedule_note
from aboveboard_server.progress import Progress
from aboveboard_server.rounds.round_play import RETURN_SECONDS, RoundPlay
from aboveboard_server.rounds.suspending import Suspending
from aboveboard_server.store.book import Book
from aboveboard_server.store.store import EventStore

START_LOOK_SECONDS = 1.0


class Scheduler:
    """One tournament; ``run`` plays what of it is left."""

    def __init__(
        self,
        config: Config,
        keys: ServerKeys,
        store: EventStore,
        book: Book,
        public_log: PublicLog,
        journal: Journal,
        lobby: Lobby,
        host: MatchHost,
        progress: Progress,
        now_us: Callable[[], int],
        suspending: Suspending,
    ) -> None:
        self._config = config
        self._keys = keys
        self._book = book
        self._suspending = suspending
        self._ledger = book.ledger
        self._manifest = book.ledger.manifest
        self._log = public_log
        self._lobby = lobby
        self._progress = progress
        self._now_us = now_us
        restarted = len(self._ledger.field) > 0
        self._return_by = trio.current_time() + RETURN_SECONDS if restarted else -math.inf
        self._matches = RoundPlay(
            config,
            keys,
            store,
            book,
            journal,
            lobby,
            host,
            progress,
            now_us,
            self.wait_for_return,
            suspending.match_over,
        )

    async def run(self) -> None:
        """Play until no round follows. Raises ``StoreError`` or ``JournalError`` if the disk fails.

        Called again, it goes on if a ruling or a return has made it necessary since.
        """
        ledger = self._ledger
        if not ledger.closed:
            await self._wait_for_start()
            await self._close_entries()
        while len(ledger.rounds) > ledger.tables or not ledger.over:
            if len(ledger.rounds) == ledger.tables:
                await self._pair_round()
            if len(ledger.rounds) > ledger.tables:
                await self._play_round(ledger.rounds[-1])
        await self._while_paused()

    async def _while_paused(self) -> None:
        """Until an arbiter lets the tournament go on, if one holds it."""
        while self._ledger.paused:
            await self._lobby.changed.wait()

    # --- Before the first round ----------------------------------------------------------

    async def _wait_for_start(self) -> None:
        while not self._may_start():
            # A time of day can be set back and forth, so it is looked at again and again.
            with trio.move_on_after(START_LOOK_SECONDS):
                await self._lobby.changed.wait()

    def _may_start(self) -> bool:
        if self._ledger.paused:
            return False
        entered = len(self._ledger.field)
        if self._config.entrants is not None:
            return entered >= self._config.entrants or (self._lobby.order.is_set())
        if self._config.start_at_us is not None and self._now_us() >= self._config.start_at_us:
            return entered >= 2
        return self._lobby.order.is_set() and entered >= 2

    async def _close_entries(self) -> None:
        await self._lobby.close_entries()
        closed = pb.EntriesClosed(
            tournament=self._ledger.tournament,
            entries=[member.digest for member in self._ledger.field],
            # A clock that was set back must not stop the tournament.
            time_us=max(self._now_us(), self._ledger.time_us),
            order=self._lobby.word,
        )
        await self._append("entries-closed", closed)
        entered = len(self._ledger.field)
        said = schedule_note(self._manifest, entered)
        if said is not None and entered != self._config.entrants:
            # Where it was not known when the tournament was made.
            self._progress.note(said)
        self._lobby.begun.set()

    async def wait_for_return(self) -> None:
        """After a restart: give bots the time to dial in again before they are missed."""
        with trio.move_on_at(self._return_by):
            while not self._lobby.all_here(self._ledger.round):
                await self._lobby.changed.wait()

    # --- Rounds --------------------------------------------------------------------------

    async def _pair_round(self) -> None:
        """Draw the next round, unless that is in the log already, and pair it.

        Nothing is drawn if the field has shrunk to nothing meanwhile.
        """
        ledger = self._ledger
        if ledger.draw is None:
            await self.wait_for_return()
            with trio.move_on_after(RETURN_SECONDS):
                while not self._lobby.enough_here(ledger.round) and not ledger.over:
                    await self._lobby.changed.wait()
            # No bot gives a link before it can see that nothing else can change any more.
            await self._log.covering(ledger.before_draw[0])
            links = await self._links()
            if ledger.over:
                return
            reveal = pb.DrawReveal(
                tournament=ledger.tournament,
                round=ledger.round,
                links=links,
                organiser_link=organiser_chain(self._keys, self._manifest).link(ledger.round),
            )
            await self._append("draw-reveal", reveal)
        pairings = ledger.next_pairings()
        index = await self._append("pairings", pairings)
        # No ticket leaves before everybody can prove who was drawn against whom.
        await self._log.covering(index)
        self._lobby.tell_all(service.ControlDown(pairings=self._log.leaf(index)))
        self._progress.paired(self._manifest, pairings, ledger.field.names)

    async def _links(self) -> list[bytes]:
        """Everybody's links for the draw, of a time in which nothing is paused."""
        while True:
            await self._while_paused()
            links = await self._lobby.draw_links(self._manifest.clock.protocol_us / 1e6)
            if not self._ledger.paused:
                return links

    async def _play_round(self, pairings: pb.Pairings) -> None:
        """Play a round to its table; no fault in one match stops others."""
        await self._matches.play(pairings)
        await self._suspending.match_over()
        # Nothing is awaited between the last look and the table.
        while await self._reviewed(pairings) or self._suspending.is_due:
            await self._matches.play(pairings)
            await self._suspending.match_over()
        rows = self._ledger.rows()
        table = pb.Standings(tournament=self._ledger.tournament, round=pairings.round, rows=rows)
        await self._append("standings", table)
        self._progress.round_over(self._manifest, pairings.round, rows, self._ledger.field.names)

    async def _reviewed(self, pairings: pb.Pairings) -> bool:
        """Hold the table for an arbiter's rulings; whether one has made further matches due."""

        def owed() -> bool:
            return any(self._book.owed(pairings, pairing) for pairing in pairings.pairings)

        seconds = self._config.review_us / 1e6
        if seconds:
            self._progress.note(f"The table of round {pairings.round} is held for {seconds:g} s")
        with trio.move_on_after(seconds):
            while not owed():
                await self._lobby.changed.wait()
        while self._ledger.paused and not owed():
            await self._lobby.changed.wait()
        return owed()

    # --- Leaves --------------------------------------------------------------------------

    async def _append(self, kind: str, body: Message) -> int:
        """Sign as the organiser, and put it into the log; its index."""
        data = sign(type_of(kind), encode(body), self._keys.organiser).to_bytes()
        return await self._log.append(data)
