"""Matches of one pairing, and results of them as wished."""

from collections.abc import Callable, Mapping

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.matches import PlannedMatch, matches_of
from aboveboard_referee.tournament.results import Result

WON = Result((2, 0), (1, 2), frozenset())
DRAWN = Result((1, 1), (1, 1), frozenset())
LOST = Result((0, 2), (2, 1), frozenset())


def planned(
    matches: int, deciders: int = 0, entrants: tuple[int, ...] = (0, 1)
) -> tuple[PlannedMatch, ...]:
    """A pairing ``m`` of these entrants, who move one seat on from match to match."""
    pairing = pb.Pairing(match="m", entrants=entrants)
    given = [
        pb.PairingMatch(
            suffix=f"{place + 1}" if place < matches else f"d{place - matches + 1}",
            game="cribbage",
            rotation=place,
            decider=place >= matches,
        )
        for place in range(matches + deciders)
    ]
    return matches_of(pb.Pairings(matches=given), pairing)


def results_of(results: Mapping[str, Result]) -> Callable[[str], Result | None]:
    """What asks for a match's result by its name."""
    return results.get
