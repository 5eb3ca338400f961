"""A referee commits to the deck of all entropy and then deals from one that it arranged."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import BOTS, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.false_deals import deal_with
from tests.fakes.forging import stacked
from tests.fakes.scripted import Script

ROW = Row(
    "deck swapped after the root",
    "referee",
    Outcome.PROVED,
    (Defence("match.decks:Decks.check_face", "not fits_deck"),),
)


def _from_another_deck(show: pb.PrivateShow, script: Script) -> None:
    fold = script.referee.fold
    deck = fold.decks._decks[1].deck
    assert deck is not None
    arranged = stacked(deck, fold.terms.head0, deck.order[::-1])
    for face in show.faces:
        face.card = arranged.order[face.position]
        face.path[:] = arranged.path(face.position)


def test_cards_of_another_whole_deck_are_not_under_the_root() -> None:
    script = deal_with(_from_another_deck)
    must_refuse(script, BOTS, Step.FACE)
    for seat in BOTS:
        must_convict(script, seat, "referee")
