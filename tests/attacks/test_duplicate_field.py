"""Somebody signs a body that has a field twice: readers may take the first or the last."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_bodies import with_field_twice
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, REFEREE, must_go_out, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import next_event, resigned

ROW = Row(
    "duplicate field",
    "bot or referee",
    Outcome.PROVED,
    (Defence("fairplay.body:decode", "refuses: is not the canonical encoding", "False"),),
)


def test_an_answer_with_a_field_twice_convicts_its_seat() -> None:
    script = STANDS["move"]()
    honest = script.honest(0)
    body = with_field_twice(parse_signed(honest).body)
    script.send(0, resigned(honest, body, own_key(script, 0)))
    must_go_out(script, 0, pb.END_REASON_MALFORMED_MESSAGE)
    script.step()
    for watcher in EVERYBODY:
        must_convict(script, watcher, "seat 0")


def test_an_event_with_a_field_twice_convicts_the_referee() -> None:
    script = STANDS["move"]()
    stopped = pb.Stopped(reason=pb.END_REASON_INTERRUPTED, text="no reason given")
    event = next_event(script.referee.fold, REFEREE, stopped=stopped)
    body = with_field_twice(parse_signed(event).body)
    script.hand_over(Outbox((resigned(event, body, REFEREE),)))
    must_refuse(script, EVERYBODY, Step.CHAIN)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
