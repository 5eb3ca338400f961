"""The opening of a planned match: what the tournament says of it, and nothing else."""

from collections.abc import Sequence

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_referee.tournament.plan import game_named


def opening_of(
    manifest: pb.TournamentManifest,
    tournament: bytes,
    planned: PlannedMatch,
    attempt: int,
    keys: Sequence[bytes],
) -> pb.MatchOpen:
    """A MatchOpen with all that follows from the plan; the referee adds its own part.

    ``keys`` are the entrants' keys in force now, in Entry order.
    """
    return pb.MatchOpen(
        tournament=tournament,
        match=planned.match,
        attempt=attempt,
        game=game_named(manifest, planned.game),
        seats=[
            pb.SeatTerms(entrant=entrant, entry_key=keys[entrant]) for entrant in planned.entrants
        ],
        first=manifest.first,
        tier=manifest.tier,
        clock=manifest.clock,
        chain_length=manifest.chain_length,
    )


def find_stranger(wire: pb.MatchOpen, planned: pb.MatchOpen) -> str | None:
    """The first thing in a match's opening that is not as ``opening_of`` has it, or ``None``.

    Keys are not compared: a seat's can have been exchanged since.
    """
    comparisons = (
        ("the tournament", wire.tournament, planned.tournament),
        ("the match", wire.match, planned.match),
        ("the attempt", wire.attempt, planned.attempt),
        ("the game and its rules", wire.game, planned.game),
        (
            "the entrants by seat",
            [seat.entrant for seat in wire.seats],
            [seat.entrant for seat in planned.seats],
        ),
        ("the clock", wire.clock, planned.clock),
        ("the first seat", wire.first, planned.first),
        ("the tier", wire.tier, planned.tier),
        ("the chains' length", wire.chain_length, planned.chain_length),
    )
    return next((what for what, found, expected in comparisons if found != expected), None)
