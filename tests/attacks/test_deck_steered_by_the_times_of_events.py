"""A referee tries times for its events until the next deck suits it."""

from aboveboard_referee.games.contract import Card
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.scripted import Script

ROW = Row(
    "deck steered by the times of events",
    "referee",
    Outcome.PREVENTED,
    (
        # No head but head_0 enters a deck; here, the newest one does.
        Defence(
            "match.standing:Standing._continue",
            "self._given.get(seat)",
            "__import__('hashlib').sha256(self.head + self._given[seat]).digest()",
        ),
    ),
)


def _second_deck(wait_us: int) -> tuple[Card, ...]:
    script = Script()
    script.send(0, script.honest(0), wait_us=wait_us)
    script.until(lambda s: s.referee.fold.shuffle == 2)
    script.until(lambda s: s.events()[-1].HasField("shown"))
    deck = script.referee.fold.decks._decks[2].deck
    assert deck is not None
    return deck.order


def test_the_next_deck_is_the_same_whatever_times_the_referee_writes() -> None:
    decks = {_second_deck(wait_us) for wait_us in (1_000, 1_001, 2_000)}
    must_not(len(decks) > 1, f"{len(decks)} decks to choose from")
