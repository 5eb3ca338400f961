"""A referee puts down for a seat what it signed in another match."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, must_refuse, tell_instead_of_answer
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.scripted import Script, Setup, owes

ROW = Row(
    "signature from another match",
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


def test_an_answer_of_another_match_is_none_in_this_though_its_key_is_the_same() -> None:
    script = STANDS["move"]()
    other = Script(Setup(match="m2")).until(owes(pb.PHASE_MOVE))
    tell_instead_of_answer(script, lambda _: other.honest(0))
    must_refuse(script, EVERYBODY, Step.ANSWER)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
