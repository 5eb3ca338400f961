"""A referee that was restarted calls a bot late for the time that it was gone itself."""

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
    "late verdict for the referee's own absence",
    "referee",
    Outcome.PROVED,
    (Defence("match.grounds:check_grounds", "not fold.presence.is_excused(wire.seat)", "True"),),
)


def test_a_time_out_of_a_bot_that_the_referee_itself_lost_convicts_the_referee() -> None:
    script = STANDS["move"]()
    script._deliver(script.referee.resumed(3_600_000_000, script.now))
    fold = script.referee.fold
    owed = fold.owed[0]
    out = pb.SeatOut(
        seat=0,
        reason=pb.END_REASON_TIME_OUT,
        phase=owed.phase,
        asked=owed.asked,
        timing=fold.clocks.timing(0, owed.phase, 3_600_000_000, 0, 0),
    )
    script.hand_over(Outbox((next_event(fold, REFEREE, seat_out=out),)))
    must_refuse(script, EVERYBODY, Step.CLOCK)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
