"""An organiser lets its favourite meet another opponent than the draw gives it."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, copy, finished, must_blame

ROW = Row(
    "pairing altered",
    "organiser",
    Outcome.PROVED,
    (Defence("tournament.ledger.rounds:take_pairings", "pairings != expected"),),
)


def test_pairings_that_do_not_follow_from_the_draw_are_found() -> None:
    season = begun("paired", entrants=4)
    with ROW.without():
        season.say("draw-reveal", season.reveal())
        pairings = copy(season.ledger.next_pairings())
        one, two = pairings.pairings
        one.entrants[1], two.entrants[1] = two.entrants[1], one.entrants[1]
        season.say("pairings", pairings)
        archive = finished(season)
    must_blame(archive, Check.PAIRINGS)
