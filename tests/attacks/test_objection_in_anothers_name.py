"""Somebody objects in the name of a seat that has nothing to object to."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.leaves import Leaves, signed

ROW = Row(
    "objection in another's name",
    "anybody",
    Outcome.REFUSED,
    (
        Defence(
            "tournament.ledger.words:take_objection",
            'verify_sole(signed, "objection", key_of(ledger.field[planned.entrants[body.seat]]))',
            "None",
        ),
    ),
)


def test_an_objection_is_by_the_entry_key_of_its_seat() -> None:
    home = Leaves()
    home.close_entries()
    first, _ = home.draw()
    home.open(first)
    body = pb.Objection(tournament=home.tournament, match=first.match, attempt=1, seat=0)
    rival = home.keys[first.entrants[1]]
    must_be_illegal(home, signed("objection", body, rival), "objection")
