"""An organiser tries links until the pairings suit it, once it has those of the entrants."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_blame
from tests.fakes.keys import secret

ROW = Row(
    "draw bent by the organiser's link",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rounds:take_draw_reveal",
            "not fits(context, key, reveal.round, reveal.organiser_link, *ledger.organiser_link)",
        ),
    ),
)


def test_a_link_that_is_not_of_the_chain_in_the_manifest_is_found() -> None:
    season = begun("bent", entrants=4)
    reveal = season.reveal()
    reveal.organiser_link = secret("a better one")
    with ROW.without():
        season.say("draw-reveal", reveal)
        season.say("pairings", season.ledger.next_pairings())
        archive = finished(season)
    must_blame(archive, Check.PAIRINGS, "a link that is not of the organiser's chain")
