"""Whether a match that holds in itself is the one that the tournament paired."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.result import is_void
from aboveboard_referee.tournament.matches import PlannedMatch
from aboveboard_referee.tournament.plan import game_named
from aboveboard_referee.verify.match import VerifiedMatch
from aboveboard_referee.verify.report import Report


def find_stranger(
    match: VerifiedMatch,
    manifest: pb.TournamentManifest,
    report: Report,
    planned: PlannedMatch,
    attempt: int,
) -> str | None:
    """The first thing in a match's terms that is not as paired, or ``None``."""
    wire = match.terms.wire
    entrants = list(planned.entrants)
    comparisons = (
        ("the tournament", wire.tournament, report.tournament),
        ("the match", wire.match, planned.match),
        ("the attempt", wire.attempt, attempt),
        ("a referee of the manifest", wire.referee_key in report.referee_keys, True),
        ("the game and its rules", wire.game, game_named(manifest, planned.game)),
        ("the entrants by seat", [seat.entrant for seat in wire.seats], entrants),
        (
            "the entry keys by seat",
            [seat.entry_key for seat in wire.seats],
            [report.entry_keys[entrant] for entrant in entrants],
        ),
        ("the clock", wire.clock, manifest.clock),
        ("the first seat", wire.first, manifest.first),
        ("the tier", wire.tier, manifest.tier),
        ("the chains' length", wire.chain_length, manifest.chain_length),
    )
    return next((what for what, found, expected in comparisons if found != expected), None)


def must_be_repeated(match: VerifiedMatch) -> bool:
    """``is_void`` of a match that was verified."""
    return is_void(match.close.reason, match.entropy_asked)
