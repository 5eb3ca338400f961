"""An organiser makes up the table of a round while a match of it was never played."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, must_blame

ROW = Row(
    "match left out",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rounds:take_standings",
            "missing is not None",
        ),
    ),
)


def test_a_table_before_every_result_is_found() -> None:
    season = begun("left out", entrants=4)
    first, _ = season.draw()
    season.attempt(first, EARLY)
    with ROW.without():
        season.standings()
        archive = season.published()
    must_blame(archive, Check.STANDINGS, "a result of r1-b2 before the standings")
