"""An honest match into which the referee puts one event that must not be there."""

from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.referee import Outbox
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.forging import next_event
from tests.fakes.keys import key
from tests.fakes.scripted import Script, Watcher

VERIFIER = -1
"""Who verifies the records, up to the event in question, beside those who watch."""


def refusers(script: Script, **payload: Any) -> set[Watcher]:
    """Who refuses the referee's next event, each of them for that event and the referee's sake."""
    place = script.referee.fold.sequence + 1
    event = next_event(script.referee.fold, key(f"{script.setup.seed} referee"), **payload)
    found = dict(script.hand_over(Outbox((event,))))
    try:
        # The last record stands for a close, and is not looked at if those before do not hold.
        verify_match(join((*script.records, event, event)))
    except Deviation as deviation:
        if deviation.sequence == place and deviation.step.name != "CLOSE":
            found[VERIFIER] = deviation
    for refusal in found.values():
        assert (refusal.sequence, refusal.blame) == (place, "referee")
    return set(found)


def everybody(script: Script) -> set[Watcher]:
    return {None, VERIFIER, *script.players}


def out_now(
    script: Script, seat: Seat, reason: pb.EndReason, wait_us: int = 1_000_000, **fields: Any
) -> pb.SeatOut:
    """A SeatOut with right sums, ``wait_us`` after the question."""
    wire = pb.SeatOut(seat=seat, reason=reason, **fields)
    owed = script.referee.owed.get(seat)
    if owed is not None:
        timing = script.referee.fold.clocks.timing(seat, owed.phase, wait_us, 0, 0)
        wire.MergeFrom(pb.SeatOut(phase=owed.phase, asked=owed.asked, timing=timing))
    return wire
