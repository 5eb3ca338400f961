"""Virtual points in the first rounds, so that leaders of a large field meet sooner."""

from collections.abc import Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.history import LATE_BYE, Entrant, History


@dataclass(frozen=True, slots=True)
class Acceleration:
    """The Baku acceleration (FIDE C.04.7) over the first ``rounds`` rounds.

    Of those who were there from round 1, the first half by initial rank, its number rounded
    up to an even one (twice the quarter of all, rounded up), are the ``upper``. They are
    paired as if they had a point more in the first half of those rounds, rounded up, and
    half a point more in the others. The points are in no table.
    """

    rounds: int
    entrants: int
    point: int
    upper: frozenset[Entrant]

    def virtual(self, number: int) -> Sequence[int]:
        """The virtual units of each entrant in a round."""
        if number > self.rounds:
            return [0] * self.entrants
        units = self.point if number <= (self.rounds + 1) // 2 else self.point // 2
        return [units if entrant in self.upper else 0 for entrant in range(self.entrants)]


def accelerate(history: History, rounds: int) -> Acceleration:
    """Who gets virtual points in a tournament's first ``rounds`` rounds, 0 for nobody.

    Whoever came late is not among them, so that nobody's group ever changes.
    """
    late = (
        {bye.entrant for bye in history.rounds[0].byes if bye.kind == LATE_BYE}
        if history.rounds
        else set()
    )
    early = [entrant for entrant in history.order if entrant not in late]
    upper = frozenset(early[: 2 * ((len(early) + 3) // 4)]) if rounds else frozenset()
    return Acceleration(rounds, history.entrants, history.point, upper)
