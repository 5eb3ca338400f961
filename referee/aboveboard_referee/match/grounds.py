"""Whether a seat went out for the reason that was given."""

from typing import TYPE_CHECKING, NoReturn

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Deviation, Step
from aboveboard_referee.match.duty import OweOut
from aboveboard_referee.match.judge import ANSWER_LIMIT, Fault
from aboveboard_referee.match.result import reason_text

if TYPE_CHECKING:
    from aboveboard_referee.match.fold import Fold


def check_grounds(fold: "Fold", wire: pb.SeatOut) -> None:
    """Hold the reason for which a seat went out against its evidence.

    That a bot was gone or silent is the referee's word, with its times. Bytes that the
    seat did not sign are its word as well: anybody can make malformed ones. What the
    seat signed is proof.
    """
    owed = fold.owed.get(wire.seat)
    place = (owed.phase, owed.asked) if owed else (pb.PHASE_UNSPECIFIED, 0)
    absent = fold.terms.seats[wire.seat] is None
    foul = fold.need.seat == wire.seat if isinstance(fold.duty, OweOut) else False
    if (wire.phase, wire.asked) != ((pb.PHASE_ACCEPT, 0) if absent else place):
        _no_ground(fold, f"phase and question {place}", f"({wire.phase}, {wire.asked})")
    if len(wire.evidence) > ANSWER_LIMIT + 1:
        _no_ground(fold, f"evidence of at most {ANSWER_LIMIT + 1} bytes", f"{len(wire.evidence)}")
    late = _check_timing(fold, wire)
    if isinstance(fold.duty, OweOut) and not foul:
        _no_ground(fold, f"seat {fold.need.seat}, whose foul it is", f"seat {wire.seat}")
    match wire.reason:
        case pb.END_REASON_NO_SHOW:
            grounded = absent and not wire.evidence and not wire.away_us
        case _ if fold.unnamed:
            grounded = False  # nobody is asked anything before they are named who never came
        case pb.END_REASON_DISCONNECTED:
            gone = fold.presence.has_stayed_away(wire.seat, wire.away_us)
            grounded = gone and not wire.evidence and not late
        case _ if wire.away_us:
            grounded = False
        case pb.END_REASON_TIME_OUT:
            # While the referee is to blame for its absence, a seat's clock stands still.
            grounded = late and not fold.presence.is_excused(wire.seat)
        case pb.END_REASON_ILLEGAL_MOVE if foul:
            grounded = not wire.evidence
        case _:
            verdict = fold.judge(wire.seat, wire.evidence)
            if isinstance(verdict, Fault):
                accepted = fold.was_accepted(wire.evidence)
                grounded = verdict.reason == wire.reason and not accepted and not late
            else:
                # Whoever does not know that seat's cards cannot tell a move illegal.
                exact = fold.decks.all_known or wire.seat == fold.holder
                a_move = owed is not None and owed.phase in (pb.PHASE_MOVE, pb.PHASE_OPENING)
                illegal = wire.reason == pb.END_REASON_ILLEGAL_MOVE
                grounded = illegal and a_move and not exact and not late
    if not grounded:
        _no_ground(fold, "an end reason that its evidence bears out", reason_text(wire.reason))


def _check_timing(fold: "Fold", wire: pb.SeatOut) -> bool:
    """Whether the seat was late, by sums that must be right; where nothing was owed, none."""
    owed = fold.owed.get(wire.seat)
    if owed is None:
        if wire.HasField("timing"):
            _no_ground(fold, "no times where nothing was owed", "some")
        return False
    if not fold.clocks.agrees(wire.seat, owed.phase, wire.timing):
        _no_ground(fold, "rightly summed times", f"{wire.timing.charged_us} us charged")
    return fold.clocks.is_late(wire.timing)


def _no_ground(fold: "Fold", expected: str, found: str) -> NoReturn:
    raise Deviation(Step.CLOCK, fold.sequence, expected, found)
