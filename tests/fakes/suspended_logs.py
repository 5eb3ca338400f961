"""A tournament's log in which one entrant has failed and is suspended for it."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.leaves import Leaves, signed


def play_first_round(made: Leaves, suspended: int) -> None:
    """Play round 1, in which an entrant is out of time, to its table.

    The form must suspend after one failure.
    """
    made.close_entries()
    for planned in made.draw():
        made.open(planned)
        close = made.closing(planned.match)
        for entrant, seat in zip(planned.entrants, close.seats, strict=True):
            if entrant == suspended:
                seat.reason = pb.END_REASON_TIME_OUT
        made.add(signed("match-close", close, made.referee))
    made.rule(suspended=pb.Suspension(entrant=suspended, failures=1))
    made.standings()
