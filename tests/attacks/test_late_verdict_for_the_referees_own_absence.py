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
from tests.fakes.refusing import out_now

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
    out = out_now(script, 0, pb.END_REASON_TIME_OUT, wait_us=3_600_000_000)
    script.hand_over(Outbox((next_event(fold, REFEREE, seat_out=out),)))
    must_refuse(script, EVERYBODY, Step.CLOCK)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
