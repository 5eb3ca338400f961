"""A bot that was drawn against a strong one withdraws from the round before."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.leaves import Leaves, signed

ROW = Row(
    "withdrawal dated back",
    "bot",
    Outcome.REFUSED,
    (Defence("tournament.ledger.entrants:take_withdraw", "body.round < ledger.next_round"),),
)


def test_nobody_withdraws_from_a_round_that_is_drawn_already() -> None:
    home = Leaves()
    home.close_entries()
    home.say("draw-reveal", home.reveal(1))
    body = pb.Withdraw(tournament=home.tournament, entrant=0, round=1)
    must_be_illegal(home, signed("withdraw", body, home.keys[0]), "not drawn yet")
