"""A referee closes a match and keeps a deck closed for good."""

from functools import partial

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Outbox
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import REFEREE, must_deviate
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.bad_answers import STANDS
from tests.fakes.forging import edited
from tests.fakes.scripted import Watcher, event_of

ROW = Row(
    "deck never opened",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.standing:Standing._settle",
            "OweOpening(unopened[0]) if unopened else OweClose()",
            "OweClose()",
        ),
    ),
)


def _without_the_opening(_watcher: Watcher, outbox: Outbox) -> Outbox:
    kept = [r for r in outbox.records if not event_of(r).HasField("deck_opened")]
    return Outbox((*kept[:-1], edited(kept[-1], lambda _: None, REFEREE)), outbox.shows)


def test_no_bot_signs_a_close_while_a_deck_is_closed() -> None:
    script = STANDS["move"]()
    script.tamper = _without_the_opening
    script.stop()
    assert not script.refusals
    told = script.players[0].fold

    def after_what_was_told(close: pb.MatchClose) -> None:
        close.sequence, close.head = told.sequence, told.head

    close = edited(script.referee.close(script.now), after_what_was_told, REFEREE)
    for seat, player in script.players.items():
        must_deviate(partial(player.sign_close, close), Step.CLOSE)
        must_convict(script, seat, "referee", others=[close])
