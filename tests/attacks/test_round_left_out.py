"""An organiser ends a tournament while its favourite leads."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, must_blame

ROW = Row(
    "round left out",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rounds:take_close",
            "ledger.tables != len(ledger.rounds) or not ledger.over",
        ),
    ),
)


def test_a_tournament_has_as_many_rounds_as_its_manifest_says() -> None:
    season = begun("cut short", rounds=2)
    (planned,) = season.draw()
    season.attempt(planned, EARLY)
    season.standings()
    with ROW.without():
        archive = season.published()
    must_blame(archive, Check.STANDINGS, "all of 2 rounds before the end")
