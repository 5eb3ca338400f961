"""Matches that stand where both, or all, seats owe an answer of a phase."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.scripted import Script, Setup, owes

PLACES = {
    "accept": ("cribbage", pb.PHASE_ACCEPT),
    "entropy": ("cribbage", pb.PHASE_ENTROPY),
    "move": ("cribbage", pb.PHASE_MOVE),
    "commitment": ("nebraska:family", pb.PHASE_COMMITMENT),
    "opening": ("nebraska:family", pb.PHASE_OPENING),
}


def standing(place: str, seats: int = 2, clock: pb.Clock | None = None) -> Script:
    """A match of the game of a place, right when everybody owes its phase's answer."""
    game, phase = PLACES[place]
    setup = Setup(game, seats) if clock is None else Setup(game, seats, clock=clock)
    script = Script(setup).until(owes(phase))
    assert set(script.referee.owed) == set(range(seats))
    return script
