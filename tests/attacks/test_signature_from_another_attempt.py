"""A referee puts down for a seat what it signed in an earlier attempt at the same match."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, must_refuse, tell_instead_of_answer
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_setups import Attempt
from tests.fakes.bad_answers import STANDS
from tests.fakes.scripted import Script, owes

ROW = Row(
    "signature from another attempt",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.judge:judge",
            "(answer.match, answer.seat) != (question.match, question.seat)",
        ),
        Defence("match.judge:judge", "(answer.asked, answer.head) != (owed.asked, owed.head)"),
    ),
)


def test_an_answer_of_an_earlier_attempt_is_none_in_this_though_its_key_is_the_same() -> None:
    earlier = STANDS["move"]()
    script = Script(Attempt(attempt=2)).until(owes(pb.PHASE_MOVE))
    tell_instead_of_answer(script, lambda _: earlier.honest(0))
    must_refuse(script, EVERYBODY, Step.ANSWER)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
