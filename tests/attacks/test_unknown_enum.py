"""A referee ends a match for a reason that is not in the closed list."""

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
    "unknown enum",
    "referee",
    Outcome.PROVED,
    (
        Defence("fairplay.body:decode", "_check_enums(message, plan)", "None"),
        Defence("match.fold:Fold._stopped", "event.stopped.reason not in SERVICE"),
    ),
)


def test_a_reason_that_nobody_knows_ends_no_match() -> None:
    script = STANDS["move"]()
    stopped = pb.Stopped(reason=99)  # type: ignore[arg-type]  # unknown on purpose
    script.hand_over(Outbox((next_event(script.referee.fold, REFEREE, stopped=stopped),)))
    must_refuse(script, EVERYBODY, Step.CHAIN)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
