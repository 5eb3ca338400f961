"""A referee says of a bot that is in the match that it never came."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, REFEREE, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import next_event

ROW = Row(
    "no-show of a bot that came",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.grounds:check_grounds",
            "absent and not wire.evidence and not wire.away_us",
            "True",
        ),
    ),
)


def test_a_seat_whose_match_key_is_in_the_opening_is_no_no_show() -> None:
    script = STANDS["accept"]()
    fold = script.referee.fold
    out = pb.SeatOut(
        seat=0,
        reason=pb.END_REASON_NO_SHOW,
        phase=pb.PHASE_ACCEPT,
        timing=fold.clocks.timing(0, pb.PHASE_ACCEPT, 1_000, 0, 0),
    )
    script.hand_over(Outbox((next_event(fold, REFEREE, seat_out=out),)))
    must_refuse(script, EVERYBODY, Step.CLOCK)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
