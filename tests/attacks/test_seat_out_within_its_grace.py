"""A referee puts a bot out as disconnected although it has grace left."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, REFEREE, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_setups import with_grace
from tests.fakes.forging import next_event
from tests.fakes.scripted import Script, Setup, owes

ROW = Row(
    "seat out within its grace",
    "referee",
    Outcome.PROVED,
    (Defence("match.grounds:check_grounds", "gone and not wire.evidence and not late", "True"),),
)


def test_a_disconnection_shorter_than_the_grace_convicts_the_referee() -> None:
    script = Script(Setup(clock=with_grace(10_000_000))).until(owes(pb.PHASE_MOVE))
    script.lost(0)
    fold = script.referee.fold
    owed = fold.owed[0]
    out = pb.SeatOut(
        seat=0,
        reason=pb.END_REASON_DISCONNECTED,
        phase=owed.phase,
        asked=owed.asked,
        timing=fold.clocks.timing(0, owed.phase, 1_000, 0, 0),
        away_us=9_999_999,
    )
    script.hand_over(Outbox((next_event(fold, REFEREE, seat_out=out),)))
    must_refuse(script, EVERYBODY, Step.CLOCK)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
