"""A referee exchanges two answers in the transcript that it publishes afterwards."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import BOTS, REFEREE, must_deviate
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.forging import follow, rechained
from tests.fakes.scripted import Script, owes

ROW = Row(
    "event reordered",
    "referee",
    Outcome.PROVED,
    (Defence("match.judge:judge", "(answer.asked, answer.head) != (owed.asked, owed.head)"),),
)


def test_answers_given_later_do_not_fit_a_history_in_another_order() -> None:
    script = Script().until(owes(pb.PHASE_MOVE))
    first = len(script.records)
    for _ in range(3):
        script.step()
    before, (one, two, *later) = script.records[:first], script.records[first:]
    exchanged = rechained((two, one, *later), follow(before), REFEREE, renumber=True)
    must_deviate(lambda: follow((*before, *exchanged)), Step.ANSWER)
    for seat in BOTS:
        must_convict(script, seat, "referee", others=[exchanged[0]])
