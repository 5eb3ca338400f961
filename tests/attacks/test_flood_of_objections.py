"""A bot objects and objects, to fill the log up or to hide what others object to."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.ledger.words import OBJECTIONS
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.leaves import Leaves, signed

ROW = Row(
    "flood of objections",
    "bot",
    Outcome.REFUSED,
    (
        Defence("tournament.ledger.words:take_objection", "len(before) == OBJECTIONS"),
        Defence("tournament.ledger.words:take_objection", "body in before"),
    ),
)


def objections(number: int) -> tuple[Leaves, bytes]:
    """A log with so many of one seat, and the last of them, which is not in it."""
    home = Leaves()
    home.close_entries()
    first, _ = home.draw()
    home.open(first)
    made = [
        signed(
            "objection",
            pb.Objection(
                tournament=home.tournament, match=first.match, attempt=1, seat=0, sequence=sequence
            ),
            home.keys[first.entrants[0]],
        )
        for sequence in range(1, number + 1)
    ]
    for objection in made[:-1]:
        home.add(objection)
    return home, made[-1]


def test_a_seat_has_so_many_objections_to_an_attempt_and_no_more() -> None:
    home, last = objections(OBJECTIONS + 1)
    must_be_illegal(home, last, "one more")


def test_the_same_objection_counts_once() -> None:
    home, objection = objections(1)
    home.add(objection)
    must_be_illegal(home, objection, "the same again")
