"""Runs a tournament from its first entry to its archive.

Everything that happens is a leaf of the log or a record of a match before anybody is told,
and what is to be done next follows from these alone: started on the store of a tournament
that was interrupted, the scheduler goes on where that one stopped.
"""

import logging
import math
from collections.abc import Callable
from functools import partial

import trio
from google.protobuf.message import Message

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import Journal, JournalError
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.interrupted import finish_interrupted
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from aboveboard_server.book import MATCH, Book, is_close, match_topic
from aboveboard_server.config import Config
from aboveboard_server.keys import ServerKeys, organiser_chain
from aboveboard_server.lobby import Lobby
from aboveboard_server.manifest import schedule_note
from aboveboard_server.progress import Progress
from aboveboard_server.public_log import PublicLog
from aboveboard_server.store import EventStore

log = logging.getLogger(__name__)

START_LOOK_SECONDS = 1.0

RETURN_SECONDS = 60
"""How long a restarted server waits for entrants to come back, at least."""


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
    ) -> None:
        self._config = config
        self._keys = keys
        self._store = store
        self._book = book
        self._ledger = book.ledger
        self._manifest = book.ledger.manifest
        self._log = public_log
        self._journal = journal
        self._lobby = lobby
        self._host = host
        self._progress = progress
        self._now_us = now_us
        restarted = len(self._ledger.field) > 0
        self._return_by = trio.current_time() + RETURN_SECONDS if restarted else -math.inf
        self._return_us = max(self._manifest.clock.start_us, RETURN_SECONDS * 1_000_000)
        self._under_way = self._left_open()

    async def run(self) -> None:
        """Play until no round follows. Raises ``StoreError`` or ``JournalError`` if the disk fails.

        Called again, it goes on if a ruling or a return has made it necessary since.
        """
        ledger, book = self._ledger, self._book
        for match, attempt in book.closed_attempts():
            self._host.ended(ledger.tournament, match, attempt)
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
        # After a restart the pairings can be on disk without anybody having been shown them.
        await self._log.covering(self._ledger.size - 1)
        await self._play_owed(pairings)
        while await self._reviewed(pairings):
            await self._play_owed(pairings)
        rows = self._ledger.rows()
        table = pb.Standings(tournament=self._ledger.tournament, round=pairings.round, rows=rows)
        await self._append("standings", table)
        self._progress.round_over(self._manifest, pairings.round, rows, self._ledger.field.names)

    async def _play_owed(self, pairings: pb.Pairings) -> None:
        """Play every match of the round that is owed, and those that come of their results."""
        # What was under way goes on at once: its bots wait for it.
        at_once = trio.CapacityLimiter(max(self._config.matches_at_once, len(self._under_way)))
        async with trio.open_nursery() as nursery:
            for pairing in pairings.pairings:
                if self._book.owed(pairings, pairing):
                    nursery.start_soon(self._play_pairing, pairings, pairing, at_once)

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

    async def _play_pairing(
        self, pairings: pb.Pairings, pairing: pb.Pairing, at_once: trio.CapacityLimiter
    ) -> None:
        """Play a pairing until it is decided: all its matches, or one as the other has ended."""
        while owed := self._book.owed(pairings, pairing):
            await self._play_matches(owed, at_once)

    async def _play_matches(
        self, matches: list[PlannedMatch], at_once: trio.CapacityLimiter
    ) -> None:
        """Begin matches of a pairing in turn, no more at a time than its bots all play."""
        under_way = [match for match in matches if match.match in self._under_way]
        room = trio.CapacityLimiter(max(1, len(under_way)))
        async with trio.open_nursery() as nursery:
            for match in under_way:
                room.acquire_on_behalf_of_nowait(match)
                nursery.start_soon(self._play_match, match, room, at_once)
            await self.wait_for_return()
            for match in matches:
                if match in under_way:
                    continue
                # A ticket that waits at a bot for room could run out there.
                room.total_tokens = min(map(self._lobby.capacity, match.entrants))
                await room.acquire_on_behalf_of(match)
                nursery.start_soon(self._play_match, match, room, at_once)

    async def _play_match(
        self, match: PlannedMatch, room: trio.CapacityLimiter, at_once: trio.CapacityLimiter
    ) -> None:
        try:
            async with at_once:
                await self._play(match)
        finally:
            room.release_on_behalf_of(match)

    async def _play(self, match: PlannedMatch) -> None:
        """One match until it has a result, in as many attempts as that takes."""
        self._progress.match_begins(match, self._ledger.field.names)
        failures = 0
        while (close := self._book.result(match.match)) is None:
            records = self._under_way.pop(match.match, None)
            attempt = self._ledger.attempts.newest(match.match) + (records is None)
            opening = self._ledger.opening(match, attempt)
            for seat, entrant in enumerate(match.entrants):
                self._lobby.invite(entrant, match.match, partial(self._ticket, opening, seat))
            try:
                if records is None:
                    await self._host.play(opening)
                else:
                    self._progress.note(f"{match.match} goes on from where it was")
                    await self._host.resume(records, self._return_us)
            except JournalError:
                raise
            except Exception:
                await self._settle(
                    match.match, attempt, pb.END_REASON_REFEREE_FAULT, "a fault of its own"
                )
                log.exception("match %s, attempt %s, failed", match.match, attempt)
                failures += 1
                if failures == MOST_ATTEMPTS and self._book.result(match.match) is None:
                    # Not even an opening came of it, so there is nothing to close.
                    raise
            finally:
                for entrant in match.entrants:
                    self._lobby.uninvite(entrant, match.match)
        self._progress.match_over(match, close, self._ledger.field.names)

    def _ticket(self, opening: pb.MatchOpen, seat: int) -> bytes:
        ticket = pb.Ticket(
            tournament=opening.tournament,
            match=opening.match,
            attempt=opening.attempt,
            seat=seat,
            referee_key=self._keys.referee.public.raw,
            expires_us=self._now_us() + opening.clock.start_us,
            game=opening.game,
        )
        return sign(type_of("ticket"), encode(ticket), self._keys.referee).to_bytes()

    # --- Matches that the service interrupted ---------------------------------------------------

    async def _settle(self, match: str, attempt: int, reason: pb.EndReason, text: str) -> None:
        """Close an attempt that this referee cannot carry on, from its records."""
        topic = match_topic(match, attempt)
        records = [event.body for event in self._store.events(topic) if event.topic == topic]
        if not records or is_close(records[-1]):
            return
        try:
            added = finish_interrupted(
                records, self._keys.referee, self._keys.stored, reason, text, self._now_us()
            )
        except (Refused, Deviation) as error:
            raise WrongUse(
                f"{match} cannot go on: in {self._config.state} referee.key or referee.secret "
                f"is another one than before, or tournament.db is damaged ({error})"
            ) from error
        await self._journal.append(match, attempt, added)

    def _left_open(self) -> dict[str, list[bytes]]:
        """By match, the records of each attempt that an earlier process did not close."""
        topics = {
            match_topic(attempt.match, attempt.attempt): attempt.match
            for attempt in self._ledger.attempts.under_way
        }
        left: dict[str, list[bytes]] = {}
        for event in self._store.events(MATCH) if topics else ():
            if event.topic in topics:
                left.setdefault(topics[event.topic], []).append(event.body)
        return left

    # --- Leaves --------------------------------------------------------------------------

    async def _append(self, kind: str, body: Message) -> int:
        """Sign as the organiser, and put it into the log; its index."""
        data = sign(type_of(kind), encode(body), self._keys.organiser).to_bytes()
        return await self._log.append(data)
