"""Who is connected, as the referee says, and how much grace each seat has left.

A seat's connection may break. While it is gone its clock runs on, and so does its
grace: one budget a match, however often it goes. Where the referee itself was gone
nobody is to blame for having lost it, and coming back costs nothing.
"""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Seat


class Presence:
    """Every seat of one match, kept alike by every holder. Microseconds."""

    def __init__(self, grace_us: int, seats: int) -> None:
        self.graceful = grace_us > 0
        self._left = [grace_us] * seats
        self._away: dict[Seat, bool] = {}  # whether the referee's own absence excuses it

    def is_away(self, seat: Seat) -> bool:
        return seat in self._away

    def is_excused(self, seat: Seat) -> bool:
        """Whether it is away because the referee was: its grace and clock stand still."""
        return self._away.get(seat, False)

    def grace_left(self, seat: Seat) -> int:
        return self._left[seat]

    def has_stayed_away(self, seat: Seat, away_us: int) -> bool:
        """Whether that puts a seat out: ``away_us`` is all its grace or more.

        Where a match has no grace, a seat whose connection breaks is out at once.
        """
        if not self.graceful:
            return away_us == 0 and not self.is_excused(seat)
        return self.is_away(seat) and not self.is_excused(seat) and away_us >= self._left[seat]

    def can_go(self, seat: Seat) -> bool:
        return self.graceful and not self.is_away(seat)

    def go(self, seat: Seat) -> None:
        self._away[seat] = False

    def returning(self, seat: Seat, away_us: int) -> pb.SeatBack | None:
        """The record of a seat's coming back; ``None`` if it cannot after so long."""
        if not self.is_away(seat):
            return None
        charged = 0 if self.is_excused(seat) else away_us
        if charged > self._left[seat]:
            return None
        return pb.SeatBack(seat=seat, away_us=charged, grace_left_us=self._left[seat] - charged)

    def come_back(self, wire: pb.SeatBack) -> None:
        self._left[wire.seat] = wire.grace_left_us
        del self._away[wire.seat]

    def excuse(self, seats: list[Seat]) -> None:
        """The referee itself was away, and so all of these are."""
        for seat in seats:
            self._away[seat] = True

    def forget(self, seat: Seat) -> None:
        """A seat that is out is expected no more."""
        self._away.pop(seat, None)
