"""A referee puts a bot out for a move that is legal, where nobody else sees its cards."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict, must_convict_nobody
from tests.fakes.attack_matches import REFEREE, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import next_event
from tests.fakes.refusing import out_now

ROW = Row(
    "legal move called illegal",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.grounds:check_grounds",
            "illegal and a_move and not exact and not late",
            "illegal and a_move and not late",
        ),
    ),
)


def test_the_seat_itself_sees_its_cards_and_can_prove_that_its_move_was_legal() -> None:
    script = STANDS["move"]()
    fold = script.referee.fold
    out = out_now(script, 0, pb.END_REASON_ILLEGAL_MOVE, evidence=script.honest(0))
    script.hand_over(Outbox((next_event(fold, REFEREE, seat_out=out),)))
    must_refuse(script, {0}, Step.CLOCK)
    must_convict(script, 0, "referee")
    # Whoever does not know the cards cannot tell until the deck is opened.
    must_convict_nobody(script, 1)
