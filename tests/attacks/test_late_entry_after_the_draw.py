"""An organiser knows how a round is drawn, and lets a bot of its own in before it is paired."""

from tests.fakes.attack_defence import Defence
from tests.fakes.attack_matches import must_not
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun

ROW = Row(
    "late entry after the draw",
    "organiser",
    Outcome.PREVENTED,
    (
        Defence(
            "tournament.form_rounds:question",
            "entrant in linked",
            "entrant in linked or entrant >= len(draw.links)",
        ),
    ),
)


def test_who_has_no_link_in_the_draw_is_not_paired_by_it() -> None:
    season = begun("after the draw", entrants=3, rounds=2)
    season.say("draw-reveal", season.reveal())
    season.enter_late(3, round_=2)
    pairings = season.ledger.next_pairings()
    playing = {entrant for pairing in pairings.pairings for entrant in pairing.entrants}
    must_not(
        3 in playing | {bye.entrant for bye in pairings.given},
        "it plays in a round that was drawn before",
    )
