"""An organiser spares a bot of its own the suspension that others get."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.leaves import Leaves, signed

ROW = Row(
    "suspension left out",
    "organiser",
    Outcome.REFUSED,
    (Defence("tournament.ledger.rounds:take_standings", "due_suspensions(ledger)", "[]"),),
)


def test_there_is_no_table_before_everybody_is_suspended_who_has_to_be() -> None:
    form = pb.Form(bye=2, suspend_after=1)
    home = Leaves(2, 3, "spared", system="swiss", form=form)
    home.close_entries()
    (planned,) = home.draw()
    home.open(planned)
    close = home.closing(planned.match)
    close.seats[1].reason = pb.END_REASON_TIME_OUT
    home.add(signed("match-close", close, home.referee))
    table = pb.Standings(tournament=home.tournament, round=1, rows=home.ledger.rows())
    must_be_illegal(home, signed("standings", table, home.organiser), "before the standings")
