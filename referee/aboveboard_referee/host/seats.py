"""Who sits at a table: the connection of each seat, and what is known of those that are gone."""

from contextlib import suppress

import trio

from aboveboard_protos.bridge import Broken
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.host.connection import HELD_SECONDS, Connection

CONNECTIONS = 200
"""Most connections of one seat in a match: each of them costs records."""

PING_SECONDS = 5.0


class Seats:
    """The connections of one match. A newer one with the same right takes an older's place."""

    def __init__(self, seats: int, referee_key: bytes) -> None:
        self.keys = [b""] * seats  # match keys; once the match has begun they are for good
        self.begun = False
        self.gone: dict[Seat, float] = {}  # seats that lost their connection, since when
        self._at: list[Connection | None] = [None] * seats
        self._dialled = [0] * seats
        self._referee_key = referee_key
        self._ping_at = 0.0

    def claim(self, seat: Seat, key: bytes) -> str | None:
        """Count a bot with this certified match key in, whose connection is then ``put``.

        Or why it cannot have the seat, in a line. From here on the key is the seat's, so
        that two bots who come at one time cannot both have it.
        """
        if self._dialled[seat] >= CONNECTIONS:
            return f"{CONNECTIONS} connections to one seat are enough"
        if self.begun and key != self.keys[seat]:
            return "the match has begun with another match key in this seat"
        others = [other for at, other in enumerate(self.keys) if at != seat]
        if key == self._referee_key or key in others:
            return "every seat needs a match key of its own"
        self._dialled[seat] += 1
        if not self.begun:
            self.keys[seat] = key
        return None

    def at(self, seat: Seat) -> Connection | None:
        return self._at[seat]

    @property
    def connected(self) -> list[Connection]:
        return [connection for connection in self._at if connection is not None]

    @property
    def all_here(self) -> bool:
        return all(self._at)

    def is_current(self, connection: Connection) -> bool:
        """Whether it has not been replaced, and has not ended."""
        return self._at[connection.seat] is connection

    def put(self, connection: Connection) -> None:
        self.clear(connection.seat)
        self._at[connection.seat] = connection
        if not self.begun:
            # An older one's end can have come between this one's claim and now.
            self.keys[connection.seat] = connection.key

    def clear(self, seat: Seat) -> None:
        """Make room for a newer connection; whoever has the older one is told."""
        older, self._at[seat] = self._at[seat], None
        if older is not None:
            older.turn_away(
                service.REFUSAL_CODE_REPLACED, "a newer connection has come for this seat"
            )

    def lose(self, connection: Connection, at: float) -> None:
        """Its connection is gone; before the match begins somebody else may still come."""
        self._at[connection.seat] = None
        if self.begun:
            self.gone[connection.seat] = at
        else:
            self.keys[connection.seat] = b""

    def tend(self, now: float, *, taken: bool) -> None:
        """Called often: send what was held back for long enough, and ping now and then.

        ``taken`` if no frame of theirs waits to be looked at.
        """
        for connection in self.connected:
            connection.release(now - HELD_SECONDS)
            if taken:
                connection.unasked = 0
        if now >= self._ping_at:
            self._ping_at = now + PING_SECONDS
            for connection in self.connected:
                connection.ping(now)

    def hang_up(self) -> None:
        for connection in self.connected:
            connection.stream.abort("the match is over")

    async def say_goodbye(self) -> None:
        """End each stream in order, within a second; what remains is for ``hang_up``."""
        with trio.move_on_after(1):
            async with trio.open_nursery() as nursery:
                for connection in self.connected:
                    nursery.start_soon(_end, connection)


async def _end(connection: Connection) -> None:
    with suppress(Broken):
        await connection.stream.aclose()
