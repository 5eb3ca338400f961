"""A bot does not open its bet once it has seen the others'."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.local import CLOCK
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict_nobody
from tests.fakes.attack_matches import EVERYBODY, must_go_out
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS

ROW = Row(
    "reveal withheld",
    "bot",
    Outcome.VISIBLE,
    (Defence("match.clock:Clocks.is_late", "timing.charged_us > timing.left_us"),),
)


def test_a_bet_that_is_not_opened_loses_as_a_time_out_in_that_phase() -> None:
    script = STANDS["opening"]()
    script.send(1, script.honest(1))
    script.overdue(0, wait_us=CLOCK.protocol_us + 1)
    out = must_go_out(script, 0, pb.END_REASON_TIME_OUT)
    assert out.phase == pb.PHASE_OPENING
    assert [seat.half_points for seat in script.finish().seats] == [0, 2]
    # That it did not come is the referee's word: it convicts nobody.
    for watcher in EVERYBODY:
        must_convict_nobody(script, watcher)
