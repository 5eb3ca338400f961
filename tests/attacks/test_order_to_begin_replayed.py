"""An organiser begins by an order that somebody gave for another tournament."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.tournament.ledger.entries import entry_digest
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.leaves import Leaves, signed

ROW = Row(
    "order to begin replayed",
    "organiser",
    Outcome.REFUSED,
    (
        Defence(
            "tournament.ledger.state:LedgerState.of_here",
            'getattr(message, "tournament", None) != self.tournament',
        ),
    ),
)


def season(rounds: int) -> Leaves:
    """All of them have the same organiser and arbiter."""
    form = pb.Form(bye=2)
    return Leaves(2, rounds, "replayed", system="swiss", form=form, arbiters=["zoe"])


def test_an_order_begins_one_tournament() -> None:
    earlier, home = season(rounds=1), season(rounds=2)
    assert earlier.tournament != home.tournament
    order = earlier.order(earlier.key_of("zoe"))
    entries = [leaf for leaf in home.all if b"aboveboard/entry/v1" in leaf[:40]]
    closed = pb.EntriesClosed(
        tournament=home.tournament,
        entries=[entry_digest(parse_signed(leaf)) for leaf in entries],
        time_us=home.now(),
        order=order,
    )
    leaf = signed("entries-closed", closed, home.organiser)
    must_be_illegal(home, leaf, "that of another tournament")
