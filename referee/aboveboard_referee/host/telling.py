"""Turns in JSON for those seats of a match whose bots asked for them, and for no others."""

from collections.abc import Sequence

from aboveboard_referee.games.contract import Seat
from aboveboard_referee.host.connection import Connection
from aboveboard_referee.host.frames import turn_frame
from aboveboard_referee.host.seats import Seats
from aboveboard_referee.match.referee import Referee
from aboveboard_referee.match.told import Told


class Telling:
    """Who is told what it is asked. What it takes is done when such a seat is asked alone."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats
        # Kept over connections, so that who comes back does not cost the whole match again.
        self._told: dict[Seat, Told] = {}

    def questions(self, referee: Referee, seats: Sequence[Seat], waited_us: int = 0) -> None:
        """Send each of these seats its question, whose records it has been sent."""
        for seat in seats:
            connection = self._asking(seat)
            if connection is not None:
                question = self._up_to_date(referee, seat).question(waited_us)
                if question is not None:
                    connection.send(turn_frame(*question))

    def close(self, referee: Referee, seat: Seat) -> None:
        """Send this seat what it is asked to sign, which it has been sent."""
        connection = self._asking(seat)
        if connection is not None:
            closing = self._up_to_date(referee, seat).closing(referee.close_wire)
            connection.send(turn_frame(*closing))

    def _asking(self, seat: Seat) -> Connection | None:
        """The seat's connection, if it has one that asked for turns."""
        connection = self._seats.at(seat)
        return connection if connection is not None and connection.turns else None

    def _up_to_date(self, referee: Referee, seat: Seat) -> Told:
        told = self._told.setdefault(seat, Told(seat))
        told.take(referee.since(seat, told.records))
        return told
