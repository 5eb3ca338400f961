"""A referee shows a seat's card to everybody, proof and all."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games.contract import Slot
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, lie, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS

ROW = Row(
    "face shown to another seat",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.fold:Fold._shown",
            "grant.HasField('face') != (audience is None)",
        ),
    ),
)


def test_an_open_face_of_a_card_that_is_one_seats_convicts_the_referee() -> None:
    script = STANDS["entropy"]()
    script.step()

    def openly(event: pb.Event) -> None:
        grant = event.shown.grants[0]
        slot = Slot(grant.deck, grant.position)
        grant.face.CopyFrom(script.referee.fold.decks.wire_face(slot))

    lie(script, "shown", openly)
    must_refuse(script, EVERYBODY, Step.FACE)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
