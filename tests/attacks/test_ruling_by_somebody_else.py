"""An entrant, a stranger or another tournament's arbiter rules, or two do so together."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import must_be_illegal
from tests.fakes.leaves import Leaves, signed

ROW = Row(
    "ruling by somebody else",
    "anybody",
    Outcome.REFUSED,
    (
        Defence(
            "tournament.ledger.state:LedgerState.verify_office",
            "verify_sole(signed, kind, PublicKey.parse("
            "first if name else self.manifest.organiser_key))",
            "None",
        ),
    ),
)


def begun(name: str = "ruled", arbiter: str = "zoe") -> Leaves:
    return Leaves(2, 1, name, system="swiss", form=pb.Form(bye=2), arbiters=[arbiter])


def ruled_by(home: Leaves, *who: str) -> None:
    ruling = pb.Ruling(
        tournament=home.tournament,
        number=1,
        leaf=home.ledger.size,
        time_us=home.now(),
        text="mine",
    )
    must_be_illegal(home, signed("ruling", ruling, *map(home.key_of, who)), "a good ruling")


def test_no_ruling_is_an_entrants() -> None:
    ruled_by(begun(), "bot0")


def test_no_ruling_is_a_strangers() -> None:
    ruled_by(begun(), "somebody")


def test_no_ruling_is_an_arbiters_of_another_tournament() -> None:
    home, other = begun(), begun("elsewhere", "uma")
    holder = other.key_of("uma")
    ruling = pb.Ruling(
        tournament=home.tournament,
        number=1,
        leaf=home.ledger.size,
        time_us=home.now(),
        text="mine",
    )
    must_be_illegal(home, signed("ruling", ruling, holder), "a good ruling")


def test_no_ruling_has_two_signatures() -> None:
    ruled_by(begun(), "organiser", "zoe")
