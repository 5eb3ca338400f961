"""An organiser enters with the key of its referee, whose signatures then say two things."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.leaves import Leaves, signed

ROW = Row(
    "one key in two roles",
    "organiser",
    Outcome.REFUSED,
    (
        Defence(
            "tournament.ledger.entrants:_enter",
            "entry.key in ledger.servers_keys",
        ),
    ),
)


def test_no_key_of_a_server_enters() -> None:
    for server in ("organiser", "referee", "log"):
        home = Leaves()
        holder = getattr(home, server)
        entry = pb.Entry(
            tournament=home.tournament,
            name=server,
            key=holder.public.raw,
            tip=home.chain(holder).tip,
        )
        must_be_illegal(home, signed("entry", entry, holder), "a key of a server's")
