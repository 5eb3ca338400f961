"""An organiser suspends a bot that it does not like, though the bot has failed in nothing."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import EARLY, begun, finished, must_blame

ROW = Row(
    "suspension without failures",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.suspensions:suspend",
            "body.entrant not in due_suspensions(ledger)",
        ),
    ),
)


def test_nobody_is_suspended_who_has_not_failed_so_often() -> None:
    season = begun("disliked", entrants=4, rounds=2)
    (first, *others) = season.draw()
    season.attempt(first, EARLY)
    winner = first.entrants[1]
    with ROW.without():
        season.rule("It failed.", suspended=pb.Suspension(entrant=winner, failures=0))
        for planned in others:
            season.attempt(planned, EARLY)
        season.standings()
        archive = finished(season)
    must_blame(archive, Check.WORDS, "suspension")
