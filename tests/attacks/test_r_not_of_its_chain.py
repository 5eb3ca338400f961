"""A referee draws its link anew once it knows those of the seats, until it likes the deck."""

from aboveboard_referee.match.deviation import Step
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_evidence import must_convict
from tests.fakes.attack_matches import EVERYBODY, must_refuse
from tests.fakes.attack_referees import drawing_anew
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.scripted import Script, Setup

ROW = Row(
    "r not of its chain",
    "referee",
    Outcome.PROVED,
    (
        Defence(
            "match.decks:Decks.open",
            "not fits(terms.context, terms.referee.raw, k, link, known, known_link)",
        ),
    ),
)


def test_a_deck_of_a_link_drawn_anew_is_found_when_it_is_opened() -> None:
    script = Script(Setup(), drawing_anew)
    script.until(lambda s: any(event.HasField("deck_opened") for event in s.events()))
    must_refuse(script, EVERYBODY, Step.ENTROPY)
    for watcher in EVERYBODY:
        must_convict(script, watcher, "referee")
