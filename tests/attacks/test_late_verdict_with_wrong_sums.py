"""A referee calls a bot late by times that do not add up."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, REFEREE, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import next_event

ROW = Row(
    "late verdict with wrong sums",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.grounds:_check_timing",
            "not fold.clocks.agrees(wire.seat, owed.phase, wire.timing)",
        ),
    ),
)


def test_a_charge_beyond_what_was_waited_convicts_the_referee() -> None:
    script = STANDS["move"]()
    fold = script.referee.fold
    owed = fold.owed[0]
    timing = fold.clocks.timing(0, owed.phase, 1_000, 0, 0)
    timing.charged_us = timing.left_us + 1
    out = pb.SeatOut(
        seat=0,
        reason=pb.END_REASON_TIME_OUT,
        phase=owed.phase,
        asked=owed.asked,
        timing=timing,
    )
    script.hand_over(Outbox((next_event(fold, REFEREE, seat_out=out),)))
    must_refuse(script, EVERYBODY, Step.CLOCK)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
