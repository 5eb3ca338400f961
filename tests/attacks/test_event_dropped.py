"""A referee keeps an event back from one seat and goes on."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict_nobody
from tests.fakes.attack_matches import must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_setups import with_grace
from tests.fakes.scripted import Script, Setup, Watcher, owes

ROW = Row(
    "event dropped",
    "referee",
    Outcome.REFUSED,
    (
        Defence("match.fold:Fold.take_event", "event.sequence != place"),
        Defence("match.fold:Fold.take_event", "event.previous != self.head"),
    ),
)


def test_what_follows_an_event_that_was_kept_back_is_refused() -> None:
    script = Script(Setup(clock=with_grace())).until(owes(pb.PHASE_MOVE))

    def keep_back(watcher: Watcher, outbox: Outbox) -> Outbox:
        return Outbox() if watcher == 1 else outbox

    script.tamper = keep_back
    script.lost(0)  # changes nothing but who is connected, so that nothing else is amiss
    script.tamper = lambda _, outbox: outbox
    script.send(1, script.honest(1))
    must_refuse(script, {1}, Step.CHAIN)
    # Whoever holds the records can leave one out himself, so the gap proves nothing.
    must_convict_nobody(script, 1)
