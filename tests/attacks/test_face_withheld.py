"""A referee says that it has shown a seat its cards, and does not show one of them."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.false_deals import deal_with
from tests.fakes.scripted import Script

ROW = Row(
    "face withheld",
    "referee",
    Outcome.PROVED,
    (
        Defence("match.fold:Fold._shown", "set(private) != own"),
        # Without it a bot stumbles over the missing face; here, it plays without.
        Defence(
            "match.fold:Fold._shown",
            "self.decks.check_face(slot, private[slot], self.sequence)",
            "self.decks.check_face(slot, private[slot], self.sequence)"
            " if slot in private else None",
        ),
    ),
)


def _one_less(show: pb.PrivateShow, _script: Script) -> None:
    if show.seat == 0:
        del show.faces[-1]


def test_a_private_show_that_lacks_a_granted_face_convicts_the_referee() -> None:
    script = deal_with(_one_less)
    must_refuse(script, {0}, Step.FACE)
    must_convict(script, 0, "referee")
