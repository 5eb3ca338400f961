"""Somebody has a rival withdrawn."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.leaves import Leaves, signed

ROW = Row(
    "withdrawal by somebody else",
    "anybody",
    Outcome.REFUSED,
    (
        Defence(
            "tournament.ledger.entrants:take_withdraw",
            'verify_sole(signed, "withdraw", key_of(member))',
            "None",
        ),
    ),
)


def test_who_withdraws_is_who_signs() -> None:
    for signer in ("organiser", "rival"):
        home = Leaves()
        home.close_entries()
        body = pb.Withdraw(tournament=home.tournament, entrant=0, round=1)
        key = home.organiser if signer == "organiser" else home.keys[1]
        must_be_illegal(home, signed("withdraw", body, key), "withdraw")
