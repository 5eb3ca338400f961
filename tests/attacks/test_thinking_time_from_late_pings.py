"""A bot answers pings late, so that its thinking passes for the network's time."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.local import CLOCK
from tests.fakes.attack_defence import WHOLE, Defence
from tests.fakes.attack_matches import must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.scripted import Script, Setup, owes

ROW = Row(
    "thinking time from late pings",
    "bot",
    Outcome.PREVENTED,
    (Defence("match.clock:Clocks.refund", WHOLE, "return min(wait_us, round_trip_us)"),),
)


def test_no_more_than_a_cap_is_refunded_whatever_the_round_trip() -> None:
    clock = pb.Clock()
    clock.CopyFrom(CLOCK)
    clock.move_us, clock.refund_cap_us, clock.refund_budget_us = 1_000_000, 100_000, 500_000
    script = Script(Setup(clock=clock)).until(owes(pb.PHASE_MOVE))
    data = script.honest(0)
    script.send(0, data, wait_us=1_100_001, round_trip_us=1_100_001)
    must_go_out(script, 0, pb.END_REASON_TIME_OUT)
