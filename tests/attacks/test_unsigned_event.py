"""A referee leaves its signature out, so that it can deny afterwards what it said."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict_nobody
from tests.fakes.attack_matches import BOTS, REFEREE, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import next_event, unsigned

ROW = Row(
    "unsigned event",
    "referee",
    Outcome.REFUSED,
    (Defence("match.player:Player.take", "signed and not signed[-1].signatures"),),
)


def test_no_bot_acts_on_what_the_referee_did_not_sign() -> None:
    script = STANDS["move"]()
    stopped = pb.Stopped(reason=pb.END_REASON_INTERRUPTED)
    event = unsigned(next_event(script.referee.fold, REFEREE, stopped=stopped))
    script.hand_over(Outbox((event,)))
    must_refuse(script, BOTS, Step.CHAIN)
    for seat in BOTS:
        must_convict_nobody(script, seat)
