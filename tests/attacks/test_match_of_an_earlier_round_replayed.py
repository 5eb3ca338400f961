"""A service leaves a match as a tie, and plays it again when the rest of the table is known."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, VOID, begun, finished, must_blame

ROW = Row(
    "match of an earlier round replayed",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.rounds:take_match_open",
            "ledger.current.get(wire.match)",
            "ledger.matches.get(wire.match)",
        ),
    ),
)


def test_a_match_of_an_earlier_round_is_not_opened_again() -> None:
    season = begun("old round", rounds=2)
    (first,) = season.draw()
    season.attempt(first, VOID)
    season.standings()
    (second,) = season.draw()
    season.attempt(second, EARLY)
    with ROW.without():
        season.attempt(first, EARLY)
        archive = finished(season)
    must_blame(archive, Check.MATCHES, "a match of the round that is played")
