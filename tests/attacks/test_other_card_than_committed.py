"""A referee turns up another card than lies under the root."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, lie, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS

ROW = Row(
    "other card than committed",
    "referee",
    Outcome.PROVED,
    (Defence("match.decks:Decks.check_face", "not fits_deck"),),
)


def test_a_starter_that_is_not_under_the_root_convicts_the_referee() -> None:
    script = STANDS["move"]()
    script.step()
    deck = script.referee.fold.decks._decks[1].deck
    assert deck is not None
    unseen = deck.order[-1]

    def another(event: pb.Event) -> None:
        event.shown.grants[0].face.card = unseen

    lie(script, "shown", another)
    must_refuse(script, EVERYBODY, Step.FACE)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
