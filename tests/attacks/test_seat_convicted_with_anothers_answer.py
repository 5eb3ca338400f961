"""A referee puts a bot out for an illegal move that another seat has signed."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, REFEREE, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import edited, next_event
from tests.fakes.refusing import out_now

ROW = Row(
    "seat convicted with another's answer",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.grounds:check_grounds",
            "verdict.reason == wire.reason and not accepted and not late",
            "True",
        ),
    ),
)


def test_evidence_that_the_seat_did_not_sign_bears_no_illegal_move_out() -> None:
    script = STANDS["move"]()
    fold = script.referee.fold

    def of_seat_0(answer: pb.Answer) -> None:
        answer.seat = 0
        answer.move.text = "discard 50 51"

    evidence = edited(script.honest(1), of_seat_0, own_key(script, 1))
    out = out_now(script, 0, pb.END_REASON_ILLEGAL_MOVE, evidence=evidence)
    script.hand_over(Outbox((next_event(fold, REFEREE, seat_out=out),)))
    must_refuse(script, EVERYBODY, Step.CLOCK)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
