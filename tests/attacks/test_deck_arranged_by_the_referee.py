"""A referee commits to a deck in an order of its own instead of that of all entropy."""

from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.games.contract import Card
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.forging import dealing
from tests.fakes.scripted import Script, Setup

ROW = Row(
    "deck arranged by the referee",
    "referee",
    Outcome.PROVED,
    (Defence("match.decks:Decks.open", "deck.root != committed.root"),),
)


def _swapped_stock(deck: Deck) -> tuple[Card, ...]:
    """The last two cards, which nobody sees, exchanged."""
    return (*deck.order[:-2], deck.order[-1], deck.order[-2])


def test_an_arranged_deck_is_found_when_it_is_opened() -> None:
    script = Script(Setup(), dealing(_swapped_stock))
    script.until(lambda s: any(event.HasField("deck_opened") for event in s.events()))
    must_refuse(script, EVERYBODY, Step.DECK)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
