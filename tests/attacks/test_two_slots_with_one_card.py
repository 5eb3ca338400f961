"""A referee commits to a deck that has a card twice, and deals both to one seat."""

from aboveboard_referee.fairplay.deck import Deck
from aboveboard_referee.games.contract import Card
from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import must_refuse
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.forging import TwoFacedDecks, dealing
from tests.fakes.scripted import Script, Setup

ROW = Row(
    "two slots with one card",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.decks:Decks.check_face",
            "wire.card in committed.seen.values() and committed.seen.get(slot.pos) != wire.card",
        ),
        Defence("games.cribbage.state:learn", "face in table"),
    ),
)


def _twice(deck: Deck) -> tuple[Card, ...]:
    """Slots 0 to 5 are dealt to seat 1."""
    return (*deck.order[:5], deck.order[0], *deck.order[6:])


def test_a_seat_that_is_dealt_one_card_twice_can_prove_it() -> None:
    script = Script(Setup(), dealing(_twice, TwoFacedDecks))
    script.until(lambda s: any(event.HasField("shown") for event in s.events()))
    must_refuse(script, {1}, Step.FACE)
    must_convict(script, 1, "referee")
