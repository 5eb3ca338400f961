"""What a tournament has come to so far: its rounds, as read from the published files."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Entrant = int
"""An entrant's index in Entry order, from 0."""

WIN = 2
"""Half points of a match won, and of a bye."""

_RESULTS = frozenset({(WIN, 0), (0, WIN), (1, 1), (0, 0)})


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
    """One round. An entrant named nowhere in it took no part, as the absent did."""

    number: int
    matches: tuple[Played, ...]
    byes: tuple[Entrant, ...]
    absent: tuple[Entrant, ...] = ()


def check_rounds(entrants: int, rounds: Sequence[Round]) -> None:
    """Refuse rounds that cannot be those of a two-seat tournament of so many entrants.

    Raises ValueError naming the round: rounds must ascend, a match has two entrants and
    one of the four results, and nobody has two places in one round.
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
            if match.half_points is not None and match.half_points not in _RESULTS:
                raise ValueError(
                    f"round {played.number}: match {match.match} cannot have given"
                    f" {match.half_points} half points"
                )
        places = [entrant for match in played.matches for entrant in match.entrants]
        places += [*played.byes, *played.absent]
        _check_places(entrants, places, f"round {played.number}")


def _check_places(entrants: int, places: Iterable[Entrant], where: str) -> None:
    seen: set[Entrant] = set()
    for entrant in places:
        if not 0 <= entrant < entrants:
            raise ValueError(f"{where}: there is no entrant {entrant}")
        if entrant in seen:
            raise ValueError(f"{where}: entrant {entrant} has two places")
        seen.add(entrant)
