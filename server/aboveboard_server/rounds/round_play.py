"""Plays the matches of a round: tickets for their bots, attempts until one counts, no fault
that stops others.
"""

import logging
from collections.abc import Awaitable, Callable
from functools import partial

import trio

from aboveboard_client.errors import WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import Refused, encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.host.host import MatchHost
from aboveboard_referee.host.journal import Journal, JournalError
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.interrupted import finish_interrupted
from aboveboard_referee.tournament.matches import PlannedMatch, all_matches
from aboveboard_referee.tournament.plan import MOST_ATTEMPTS
from aboveboard_server.config import Config
from aboveboard_server.keys import ServerKeys
from aboveboard_server.lobby import Lobby
from aboveboard_server.progress import Progress
from aboveboard_server.rounds.places import Places
from aboveboard_server.store.book import MATCH, Book, is_close, match_topic
from aboveboard_server.store.store import EventStore

log = logging.getLogger(__name__)

RETURN_SECONDS = 60
"""How long a restarted server waits for entrants to come back, at least."""


class RoundPlay:
    """The matches of whatever round is under way.

    What an earlier process left open goes on from where it was. ``wait_for_return`` gives
    bots the time to dial in again after a restart. ``on_over`` is called whenever an attempt
    has ended.
    """

    def __init__(
        self,
        config: Config,
        keys: ServerKeys,
        store: EventStore,
        book: Book,
        journal: Journal,
        lobby: Lobby,
        host: MatchHost,
        progress: Progress,
        now_us: Callable[[], int],
        wait_for_return: Callable[[], Awaitable[None]],
        on_over: Callable[[], Awaitable[None]],
    ) -> None:
        self._config = config
        self._keys = keys
        self._store = store
        self._book = book
        self._ledger = book.ledger
        self._journal = journal
        self._lobby = lobby
        self._host = host
        self._progress = progress
        self._now_us = now_us
        self._wait_for_return = wait_for_return
        self._on_over = on_over
        clock = book.ledger.manifest.clock
        self._return_us = max(clock.start_us, RETURN_SECONDS * 1_000_000)
        self._under_way = self._left_open()
        for match, attempt in book.closed_attempts():
            host.ended(book.ledger.tournament, match, attempt)

    async def play(self, pairings: pb.Pairings) -> None:
        """Play every match of the round that is owed, and those that come of their results."""
        places = Places(self._lobby.capacity, self._config.matches_at_once)
        # What was under way goes on at once, for its bots wait for it; it counts before any
        # other match begins.
        for match in all_matches(pairings):
            if match.match in self._under_way:
                places.hold(match.entrants)
        async with trio.open_nursery() as watching:
            watching.start_soon(self._watch_capacities, places)
            async with trio.open_nursery() as nursery:
                for pairing in pairings.pairings:
                    if self._book.owed(pairings, pairing):
                        nursery.start_soon(self._play_pairing, pairings, pairing, places)
            watching.cancel_scope.cancel()

    async def _watch_capacities(self, places: Places) -> None:
        """A bot that has come back can play more at a time than before."""
        while True:
            await self._lobby.changed.wait()
            places.look()

    async def _play_pairing(
        self, pairings: pb.Pairings, pairing: pb.Pairing, places: Places
    ) -> None:
        """Play a pairing until it is decided: all its matches, or one as the other has ended."""
        while owed := self._book.owed(pairings, pairing):
            await self._play_matches(owed, places)

    async def _play_matches(self, matches: list[PlannedMatch], places: Places) -> None:
        """Begin matches of a pairing in turn, no more at a time than its bots all play."""
        under_way = [match for match in matches if match.match in self._under_way]
        async with trio.open_nursery() as nursery:
            for match in under_way:
                nursery.start_soon(self._play_match, match, places)
            await self._wait_for_return()
            for match in matches:
                if match in under_way:
                    continue
                # A ticket that waits at a bot for room could run out there.
                await places.take(match.entrants)
                nursery.start_soon(self._play_match, match, places)

    async def _play_match(self, match: PlannedMatch, places: Places) -> None:
        """Play a match whose places are taken, and leave them."""
        try:
            await self._play(match)
        finally:
            places.leave(match.entrants)

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
                about = {"match": match.match, "attempt": attempt}
                log.exception("match %(match)s, attempt %(attempt)s, failed", about, extra=about)
                failures += 1
                if failures == MOST_ATTEMPTS and self._book.result(match.match) is None:
                    # Not even an opening came of it, so there is nothing to close.
                    raise
            finally:
                for entrant in match.entrants:
                    self._lobby.uninvite(entrant, match.match)
            if self._book.result(match.match) is None:
                await self._on_over()
        self._progress.match_over(match, close, self._ledger.field.names)
        await self._on_over()

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
