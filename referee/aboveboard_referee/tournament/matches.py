"""Which matches a pairing is: one, or every game once from each first seat."""

from collections.abc import Sequence
from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.history import Entrant

EACH = "each"
ROTATE = "rotate"
ORDERS = (ROTATE, EACH)
"""Every order of games that a tournament may have."""


@dataclass(frozen=True, slots=True)
class PlannedMatch:
    """A match as it is to be played; ``entrants`` are by seat."""

    match: str
    game: str
    entrants: tuple[Entrant, ...]
    decider: bool = False


def per_pairing(manifest: pb.TournamentManifest) -> int:
    """How many matches a pairing is. A round's score is their sum divided by this."""
    return 2 * len(manifest.games) if manifest.order == EACH else 1


def every_game(games: Sequence[pb.Game]) -> list[pb.PairingMatch]:
    """Each game in its turn, as the pairing sits and then with seats exchanged.

    ``1a`` and ``1b`` are those of the first game, ``2a`` and ``2b`` of the second.
    """
    return [
        pb.PairingMatch(suffix=f"{number}{letter}", game=game.name, swapped=letter == "b")
        for number, game in enumerate(games, start=1)
        for letter in "ab"
    ]


def matches_of(pairings: pb.Pairings, pairing: pb.Pairing) -> tuple[PlannedMatch, ...]:
    """All matches of one pairing, in the order in which they are begun.

    Nothing but the round's pairings is needed to know them.
    """
    seated = tuple(pairing.entrants)
    if not pairings.matches:
        return (PlannedMatch(pairing.match, pairings.game, seated),)
    return tuple(
        PlannedMatch(
            f"{pairing.match}-{match.suffix}",
            match.game,
            seated[::-1] if match.swapped else _rotated(seated, match.rotation),
            match.decider,
        )
        for match in pairings.matches
    )


def all_matches(pairings: pb.Pairings) -> tuple[PlannedMatch, ...]:
    """The matches of every pairing of a round, pairing by pairing."""
    return tuple(match for p in pairings.pairings for match in matches_of(pairings, p))


def _rotated(seated: tuple[Entrant, ...], places: int) -> tuple[Entrant, ...]:
    first = places % len(seated)
    return seated[first:] + seated[:first]
