"""The matches of one bot in one tournament: each attempt once, so many at a time."""

from collections import deque
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import partial

import trio

from aboveboard_client.line_bots.line_bot import LineBot
from aboveboard_client.public_log.log_watch import LogWatch
from aboveboard_client.session.desk import Desk
from aboveboard_client.session.greeting import Tournament
from aboveboard_client.session.match_session import end_match, play_seat
from aboveboard_client.session.tickets import BadTicket, referee_address
from aboveboard_client.state.journal import Place
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb


class Matches:
    """Plays the tickets that it is given, in tasks of ``nursery``; ``ends`` are those so far."""

    def __init__(
        self,
        open_match: Callable[[str], AbstractAsyncContextManager[Stream]],
        desk: Desk,
        capacity: int,
    ) -> None:
        self.nursery: trio.Nursery | None = None
        self.ends: list[MatchEnd] = []
        self._open_match = open_match
        self._desk = desk
        self._capacity = capacity
        self._waiting: deque[pb.Ticket] = deque()  # for room, in order of arrival
        self._playing: dict[Place, trio.CancelScope] = {}
        self._attempts: dict[str, int] = {}  # the latest of each match
        self._tournament: Tournament | None = None
        self._stopped = False
        self._left = ""  # why all were left, once they are

    def belong_to(self, tournament: Tournament, log: LogWatch) -> None:
        """Play by the clock of this tournament alone, and what is in its public log."""
        self._tournament = tournament
        manifest = tournament.manifest
        self._desk = replace(self._desk, clock=manifest.clock, manifest=tournament.signed, log=log)

    def take(self, ticket: pb.Ticket) -> None:
        """Play by this ticket, unless it came before; raises ``BadTicket``.

        Whoever comes back is sent its tickets again. A later attempt puts an end to an
        earlier one, which cannot be what the referee plays any more.
        """
        latest = self._attempts.get(ticket.match, 0)
        if ticket.attempt == latest:
            return
        if ticket.attempt < latest:
            raise BadTicket(f"for {ticket.match}, attempt {ticket.attempt}, after {latest}")
        if self._desk.journals.over(Place.of(ticket)):
            raise BadTicket(f"for {ticket.match}, attempt {ticket.attempt}, which is over")
        self._attempts[ticket.match] = ticket.attempt
        for place, scope in self._playing.items():
            if place.match == ticket.match:
                scope.cancel()
        self._waiting = deque(other for other in self._waiting if other.match != ticket.match)
        self._waiting.append(ticket)
        self._start_waiting()

    def stop(self) -> None:
        """Begin no further match."""
        self._stopped = True

    def leave(self, why: str) -> None:
        """Leave all matches at once, and begin none."""
        self.stop()
        self._left = why
        for scope in self._playing.values():
            scope.cancel()

    def _start_waiting(self) -> None:
        assert self.nursery is not None
        while self._waiting and len(self._playing) < self._capacity and not self._stopped:
            ticket = self._waiting.popleft()
            scope = self._playing[Place.of(ticket)] = trio.CancelScope()
            self.nursery.start_soon(self._play, ticket, scope)

    async def _play(self, ticket: pb.Ticket, scope: trio.CancelScope) -> None:
        reports = self._desk.reports
        reports.match_begins(ticket)
        end = MatchEnd(ticket, None)
        with scope:
            assert self._tournament is not None, "tickets are of the tournament that was entered"
            address = referee_address(ticket, self._tournament)
            open_stream = partial(self._open_match, address)
            end = await play_seat(open_stream, ticket, self._desk)
        if scope.cancelled_caught and self._left:
            reports.match_trouble(ticket, f"left, for {self._left}")
        elif scope.cancelled_caught:
            reports.match_trouble(ticket, "left, for the match is played again")
            await end_match(ticket, self._desk)
        if isinstance(self._desk.bot, LineBot):
            self._desk.bot.over(ticket.match, ticket.seat, end.close)
        self.ends.append(end)
        reports.match_ended(end)
        del self._playing[Place.of(ticket)]
        self._start_waiting()
