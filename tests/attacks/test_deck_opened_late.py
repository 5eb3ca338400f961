"""A referee keeps a finished deck closed and would have the entropy of the next one first."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import REFEREE, must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.forging import edited
from tests.fakes.scripted import Script, Watcher, event_of

ROW = Row(
    "deck opened late",
    "referee",
    Outcome.PREVENTED,
    (Defence("match.standing:Standing._settle", "closes and unopened"),),
)


def _closed_still(_watcher: Watcher, outbox: Outbox) -> Outbox:
    """The records up to where the deck is opened, the last of them signed."""
    kept = [r for r in outbox.records if not event_of(r).HasField("deck_opened")]
    return Outbox((*kept[:-1], edited(kept[-1], lambda _: None, REFEREE)), outbox.shows)


def test_no_bot_gives_entropy_for_a_deck_while_the_one_before_is_closed() -> None:
    ahead = Script().until(lambda s: s.referee.fold.shuffle == 2)
    script = Script().until(lambda s: len(s.inputs) == len(ahead.inputs) - 1)
    script.tamper = _closed_still
    script.step()
    assert not script.refusals
    for player in script.players.values():
        assert player.fold.decks.unopened == (1,)
        must_not(player.owed is not None, "the bot gives its link")
        assert player.protocol_answer() is None
    assert script.referee.fold.phase == pb.PHASE_ENTROPY
