"""A referee takes more grace from a bot that came back than it was gone."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, REFEREE, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_setups import with_grace
from tests.fakes.forging import edited
from tests.fakes.scripted import Script, Setup, owes

ROW = Row(
    "seat back with wrong grace",
    "referee",
    Outcome.PROVED,
    (Defence("match.fold:Fold._seat_back", "wire != expected"),),
)


def test_grace_that_is_not_what_was_left_convicts_the_referee() -> None:
    script = Script(Setup(clock=with_grace())).until(owes(pb.PHASE_MOVE))
    script.lost(0)

    def less(event: pb.Event) -> None:
        event.seat_back.grace_left_us -= 5_000_000

    script.tamper = lambda _, outbox: Outbox(
        tuple(edited(record, less, REFEREE) for record in outbox.records)
    )
    script._deliver(script.referee.came_back(0, 1_000_000, script.measured()))
    must_refuse(script, EVERYBODY, Step.CLOCK)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
