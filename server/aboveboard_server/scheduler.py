"""Runs a tournament from its first entry to its archive.

Everything that happens is an event in the store before anybody is told, and what is to
be done next follows from the events alone: started on the store of a tournament that
was interrupted, the scheduler goes on where that one stopped.
"""

import logging
import math
from collections.abc import Callable
from functools import partial

import trio

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import JournalError
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.interrupted import finish_interrupted
from aboveboard_referee.tournament.entries import entry_digest
from aboveboard_referee.tournament.matches import PlannedMatch, matches_of, per_pairing
from aboveboard_referee.tournament.plan import (
    MOST_ATTEMPTS,
    game_named,
    pairings_after,
    standings_after,
)
from aboveboard_server.book import MATCH, TOURNAMENT, Book, match_topic
from aboveboard_server.config import Config
from aboveboard_server.keys import ServerKeys
from aboveboard_server.lobby import Lobby
from aboveboard_server.progress import Progress
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
        lobby: Lobby,
        host: MatchHost,
        progress: Progress,
        now_us: Callable[[], int],
    ) -> None:
        assert book.manifest is not None
        self._config = config
        self._keys = keys
        self._store = store
        self._book = book
        self._manifest = book.manifest
        self._lobby = lobby
        self._host = host
        self._progress = progress
        self._now_us = now_us
        restarted = bool(book.entries)
        self._return_by = trio.current_time() + RETURN_SECONDS if restarted else -math.inf
        self._return_us = max(self._manifest.clock.start_us, RETURN_SECONDS * 1_000_000)
        self._under_way = self._left_open()

    async def run(self) -> None:
        """Play to the end. Raises ``StoreError`` or ``JournalError`` if the disk fails."""
        book = self._book
        for match, attempt in book.closes:
            self._host.ended(book.tournament, match, attempt)
        if not book.closed:
            await self._wait_for_start()
            await self._close_entries()
        while True:
            if self._open_matches():
                await self._play_round(book.rounds[-1])
            if len(book.rounds) == self._manifest.rounds:
                return
            await self._pair_round()

    # --- Before the first round ----------------------------------------------------------

    async def _wait_for_start(self) -> None:
        while not self._may_start():
            # A time of day can be set back and forth, so it is looked at again and again.
            with trio.move_on_after(START_LOOK_SECONDS):
                await self._lobby.changed.wait()

    def _may_start(self) -> bool:
        entered = len(self._book.entries)
        if self._config.entrants is not None:
            return entered >= self._config.entrants or (self._lobby.order.is_set())
        if self._config.start_at_us is not None and self._now_us() >= self._config.start_at_us:
            return entered >= 2
        return self._lobby.order.is_set() and entered >= 2

    async def _close_entries(self) -> None:
        await self._lobby.close_entries()
        closed = pb.EntriesClosed(
            tournament=self._book.tournament,
            entries=[entry_digest(signed) for signed in self._book.signed_entries],
            time_us=self._now_us(),
        )
        await self._record("entries-closed", encode(closed))
        self._lobby.begun.set()

    async def wait_for_return(self) -> None:
        """After a restart: give bots the time to dial in again before they are missed."""
        with trio.move_on_at(self._return_by):
            while not self._lobby.all_here():
                await self._lobby.changed.wait()

    # --- Rounds --------------------------------------------------------------------------

    def _open_matches(self) -> list[list[PlannedMatch]]:
        """The matches of the newest round that have no result, by pairing."""
        if not self._book.rounds:
            return []
        pairings = self._book.rounds[-1]
        left = [
            [m for m in matches_of(pairings, pairing) if self._book.result(m.match) is None]
            for pairing in pairings.pairings
        ]
        return [matches for matches in left if matches]

    async def _pair_round(self) -> None:
        book = self._book
        pairings = pairings_after(self._manifest, book.tournament, book.keys, book.played())
        data = await self._record("pairings", encode(pairings))
        self._lobby.tell_all(service.ControlDown(pairings=data))
        self._progress.paired(pairings, book.names)
        if not pairings.pairings:
            # Two entrants at least, so there is always a pair.
            raise AssertionError("a round without a match")

    async def _play_round(self, pairings: pb.Pairings) -> None:
        """Play every match of the round that has no result; no fault in one stops others."""
        # What was under way goes on at once: its bots wait for it.
        at_once = trio.CapacityLimiter(max(self._config.matches_at_once, len(self._under_way)))
        async with trio.open_nursery() as nursery:
            for matches in self._open_matches():
                nursery.start_soon(self._play_pairing, matches, at_once)
        rows = standings_after(self._manifest, len(self._book.entries), self._book.played())
        self._progress.round_over(
            pairings.round, rows, self._book.names, per_pairing(self._manifest)
        )

    async def _play_pairing(
        self, matches: list[PlannedMatch], at_once: trio.CapacityLimiter
    ) -> None:
        """Begin matches of a pairing in turn, no more at a time than its bots both play."""
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
        failures = 0
        while (close := self._book.result(match.match)) is None:
            records = self._under_way.pop(match.match, None)
            attempt = self._book.attempts.get(match.match, 0) + (records is None)
            opening = self._opening(match, attempt)
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
        self._progress.match_over(match, close, self._book.names)

    def _opening(self, match: PlannedMatch, attempt: int) -> pb.MatchOpen:
        manifest = self._manifest
        return pb.MatchOpen(
            tournament=self._book.tournament,
            match=match.match,
            attempt=attempt,
            game=game_named(manifest, match.game),
            seats=[
                pb.SeatTerms(entrant=entrant, entry_key=self._book.entries[entrant].key)
                for entrant in match.entrants
            ],
            first=manifest.first,
            tier=manifest.tier,
            clock=manifest.clock,
            chain_length=manifest.chain_length,
        )

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
        if not records or (match, attempt) in self._book.closes:
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
        rows = [(topic, "record", record) for record in added]
        await self._store.append(rows)
        for row in rows:
            self._book.apply(*row)

    def _left_open(self) -> dict[str, list[bytes]]:
        """By match, the records of each attempt that an earlier process did not close."""
        topics = {
            match_topic(*place): place[0]
            for place in self._book.attempts.items()
            if place not in self._book.closes
        }
        left: dict[str, list[bytes]] = {}
        for event in self._store.events(MATCH) if topics else ():
            if event.topic in topics:
                left.setdefault(topics[event.topic], []).append(event.body)
        return left

    # --- Events --------------------------------------------------------------------------

    async def _record(self, kind: str, body: bytes) -> bytes:
        """Sign as the organiser, write, and only then believe it."""
        data = sign(type_of(kind), body, self._keys.organiser).to_bytes()
        await self._store.append([(TOURNAMENT, kind, data)])
        self._book.apply(TOURNAMENT, kind, data)
        return data
