"""An organiser has all links of a draw, and then tries keys of a bot of its own by them."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, finished, must_blame

ROW = Row(
    "puppet's chain begun too late",
    "organiser",
    Outcome.PROVED,
    (
        Defence("tournament.field:Member.check_link", "round_ < self.chain_from"),
        Defence("tournament.field:Member.draws", "self.chain_from <= round_", "True"),
    ),
)


def test_a_chain_that_was_begun_after_the_table_has_no_part_in_the_draw_after_it() -> None:
    season = begun("puppet", entrants=4, rounds=2)
    for planned in season.draw():
        season.attempt(planned, EARLY)
    season.standings()
    season.rotate(0)
    with ROW.without():
        archive = finished(season)
    must_blame(archive, Check.PAIRINGS, "too late for this draw")
