"""A referee takes a friend's move after its time has run out."""

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
    "late answer accepted",
    "referee",
    Outcome.PROVED,
    (Defence("match.fold:Fold._answered", "self.clocks.is_late(timing)"),),
)


def test_an_answer_that_was_late_by_the_referees_own_figures_convicts_it() -> None:
    script = STANDS["move"]()
    fold = script.referee.fold
    phase = fold.owed[0].phase
    late = fold.clocks.timing(0, phase, fold.clocks.left(0, phase) + 1, 0, 0)
    answered = pb.Answered(answer=script.honest(0), timing=late)
    script.hand_over(Outbox((next_event(fold, REFEREE, answered=answered),)))
    must_refuse(script, EVERYBODY, Step.CLOCK)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
