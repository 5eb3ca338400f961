"""What each round brings to Buchholz and Sonneborn-Berger (C.07: 8.1, 9.1, 14 and 16.4 to 16.5)."""

from dataclasses import dataclass

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.standings.parts import Kind, Part
from aboveboard_referee.tournament.standings.past import Past

MEAN = 60
"""An opponent's score counts in sixtieths of a unit, so that means over one to six are whole."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """One round's opponent: ``score`` in sixtieths of a unit, met with ``part.units``.

    Where a round was not played, that is a dummy (16.4), and ``limit`` is what its score may
    not pass; ``limit`` is None for those who were met.
    """

    part: Part
    score: int
    limit: int | None = None

    @property
    def product(self) -> int:
        """What it adds to Sonneborn-Berger."""
        return self.score * self.part.units


def contributions_to(past: Past, entrant: Entrant) -> list[Contribution]:
    """One for each round that counts, in order.

    Those of a table are one opponent, whose score is the mean of theirs. What is not decided
    does not count; nor does a free round where pairings were predetermined (15.2).
    """
    found = []
    own = MEAN * past.units[entrant]
    drawing = MEAN * past.draw * past.rounds
    for part in past.parts[entrant]:
        if part.kind is Kind.PLAYED:
            found.append(Contribution(part, _mean(past, part.others)))
        elif part.kind is not Kind.OPEN and not past.predetermined:
            limit = _mean(past, part.others) if part.others else drawing
            found.append(Contribution(part, min(own, limit), limit))
    return found


def _mean(past: Past, entrants: tuple[Entrant, ...]) -> int:
    return MEAN * sum(past.adjusted[entrant] for entrant in entrants) // len(entrants)


def cut(contributions: list[Contribution], low: int, high: int) -> list[Contribution]:
    """Which of them a cut takes: the ``low`` lowest scores, and then the ``high`` highest.

    As long as one is left that its entrant chose not to play, the lowest of those goes first
    (16.5). Of equal ones it is the earliest.
    """
    left = list(contributions)
    taken = []
    for _ in range(min(low, len(left))):
        voluntary = [one for one in left if one.part.voluntary]
        taken.append(min(voluntary or left, key=_score))
        left.remove(taken[-1])
    for _ in range(min(high, len(left))):
        taken.append(max(left, key=_score))
        left.remove(taken[-1])
    return taken


def _score(contribution: Contribution) -> int:
    return contribution.score
