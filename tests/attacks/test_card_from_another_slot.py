"""A referee gives a seat the card of another slot, proof and all, for the one it is owed."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Slot
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.false_deals import deal_with
from tests.fakes.scripted import Script

ROW = Row(
    "card from another slot",
    "referee",
    Outcome.PROVED,
    (Defence("match.decks:Decks.check_face", "not fits_deck"),),
)


def _from_the_stock(show: pb.PrivateShow, script: Script) -> None:
    if show.seat == 0:
        owed = show.faces[0].position
        show.faces[0].CopyFrom(script.referee.fold.decks.wire_face(Slot(1, 40)))
        show.faces[0].position = owed


def test_a_card_of_another_slot_does_not_open_the_one_that_is_owed() -> None:
    script = deal_with(_from_the_stock)
    must_refuse(script, {0}, Step.FACE)
    must_convict(script, 0, "referee")
