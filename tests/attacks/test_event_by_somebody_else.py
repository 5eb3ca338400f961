"""Somebody on the line slips an event of his own in between the referee's."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict_nobody
from tests.fakes.attack_matches import EVERYBODY, REFEREE, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import next_event, with_signatures
from tests.fakes.keys import key

ROW = Row(
    "event by somebody else",
    "anybody",
    Outcome.REFUSED,
    (
        Defence("match.terms:check_referee", "key != terms.referee.raw"),
        Defence("match.terms:check_referee", "terms.referee.verify(value, signed.pae)", "None"),
    ),
)


def test_an_event_that_the_referee_did_not_sign_ends_no_match() -> None:
    stopped = pb.Stopped(reason=pb.END_REASON_INTERRUPTED)
    for claims_to_be_the_referee in (False, True):
        script = STANDS["move"]()
        event = next_event(script.referee.fold, key("somebody"), stopped=stopped)
        if claims_to_be_the_referee:
            event = with_signatures(event, (REFEREE.public.raw, key("somebody").sign(event)))
        script.hand_over(Outbox((event,)))
        must_refuse(script, EVERYBODY, Step.CHAIN)
        for watcher in EVERYBODY:
            must_convict_nobody(script, watcher)
