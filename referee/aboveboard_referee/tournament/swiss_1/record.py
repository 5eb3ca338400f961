"""What a tournament has come to so far: its rounds, as read from the published files.

A *match* is one game from open to close. A *pairing* is its matches: all those of a round
between the same two entrants, of which there are equally many in every pairing of a
tournament. Scores are added up in half points of matches, a bye counting like a pairing all
of whose matches were won, so that whole numbers are exact; the score in points is that
number divided by two and by the number of matches a pairing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Entrant = int
"""An entrant's index in Entry order, from 0."""

WIN = 2
"""Half points of a match won."""

RESULTS = frozenset({(WIN, 0), (0, WIN), (1, 1), (0, 0)})
"""The half points by seat that a two-seat match can give."""


@dataclass(frozen=True, slots=True)
class Played:
    """A two-seat match that was paired.

    ``entrants`` are by seat, the first seat first. ``half_points`` are by seat too:
    2:0, 0:2, 1:1, or 0:0 where both bots were out; None while the match is not finished.
    """

    match: str
    entrants: tuple[Entrant, ...]
    half_points: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Round:
    """One round. An entrant named nowhere in it took no part, as the absent did.

    The matches of one pairing may stand anywhere among the ``matches``.
    """

    number: int
    matches: tuple[Played, ...]
    byes: tuple[Entrant, ...]
    absent: tuple[Entrant, ...] = ()

    @property
    def pairings(self) -> dict[tuple[Entrant, Entrant], list[Played]]:
        """The matches of each pairing, by its entrants, the lower first."""
        found: dict[tuple[Entrant, Entrant], list[Played]] = {}
        for match in self.matches:
            first, second = match.entrants
            found.setdefault((min(first, second), max(first, second)), []).append(match)
        return found


def check_rounds(entrants: int, rounds: Sequence[Round], per_pairing: int = 1) -> None:
    """Refuse rounds that cannot be those of a two-seat tournament of so many entrants.

    Raises ValueError naming the round: rounds must ascend, a match has two entrants and
    one of the four results, nobody has two places in one round, and each pairing is so
    many matches.
    """
    for earlier, later in pairwise(rounds):
        if later.number <= earlier.number:
            raise ValueError(f"round {later.number} follows round {earlier.number}")
    for played in rounds:
        for match in played.matches:
            if len(match.entrants) != 2:
                raise ValueError(
                    f"round {played.number}: match {match.match} has"
                    f" {len(match.entrants)} entrants, not two"
                )
            if match.half_points is not None and match.half_points not in RESULTS:
                raise ValueError(
                    f"round {played.number}: match {match.match} cannot have given"
                    f" {match.half_points} half points"
                )
        places = [entrant for pair in played.pairings for entrant in pair]
        places += [*played.byes, *played.absent]
        _check_places(entrants, places, f"round {played.number}")
        for (a, b), matches in played.pairings.items():
            if len(matches) != per_pairing:
                raise ValueError(
                    f"round {played.number}: entrants {a} and {b} have {len(matches)}"
                    f" matches, not {per_pairing}"
                )


def _check_places(entrants: int, places: Iterable[Entrant], where: str) -> None:
    seen: set[Entrant] = set()
    for entrant in places:
        if not 0 <= entrant < entrants:
            raise ValueError(f"{where}: there is no entrant {entrant}")
        if entrant in seen:
            raise ValueError(f"{where}: entrant {entrant} has two places")
        seen.add(entrant)
