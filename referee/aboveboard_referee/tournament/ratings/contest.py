"""One contest as ratings and intervals see it: who met, how it ended, what it was worth."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from aboveboard_referee.tournament.history import Entrant


class Place(NamedTuple):
    """Where a contest stands in a tournament; contests are folded in ascending order."""

    round: int
    table: int  # its place in the round's list, from 0
    match: int = 0  # its place among the table's matches, from 0


@dataclass(frozen=True, slots=True)
class Contest:
    """A match between sides.

    ``sides`` are the entrants that play together, each side with its rank in ``ranks`` (from
    1, equal where they share a place) and its ``points`` from 0 to 1. A contest is worth
    ``worth`` of a point of its round. Contests over the same decks name the same
    ``deals``: they stand or fall together when an interval is made. In one that nobody
    ``contested``, somebody never came: it gives points, and says nothing about strength.
    """

    place: Place
    sides: tuple[tuple[Entrant, ...], ...]
    ranks: tuple[int, ...]
    points: tuple[float, ...]
    deals: str
    worth: float = 1.0
    contested: bool = True

    def gained(self) -> Iterable[tuple[Entrant, float]]:
        """Everybody in it with the points from 0 to 1 of its side."""
        return (
            (entrant, points)
            for side, points in zip(self.sides, self.points, strict=True)
            for entrant in side
        )
