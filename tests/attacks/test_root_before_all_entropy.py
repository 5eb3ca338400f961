"""A referee commits to a deck before a seat has given its part of the entropy."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, REFEREE, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import next_event
from tests.fakes.keys import secret

ROW = Row(
    "root before all entropy",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.fold:Fold._deal_root",
            "self.duty",
            "OweRoot(self.shuffle, self.need.cards, tuple(self._links))",
        ),
    ),
)


def test_a_root_is_refused_while_a_seat_owes_its_link() -> None:
    script = STANDS["entropy"]()
    script.step()
    assert set(script.referee.owed) == {1}
    root = pb.DealRoot(cards=52, root=secret("root"))
    script.hand_over(Outbox((next_event(script.referee.fold, REFEREE, deal_root=root),)))
    must_refuse(script, EVERYBODY, Step.CHAIN)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
