"""An organiser has a match played again because of how it went."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import (
    EARLY,
    OTHERWISE,
    begun,
    finished,
    must_blame,
    played,
    publish,
)

ROW = Row(
    "attempt re-run without an abort",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.opens:Attempts.why_not",
            "earlier and earlier[-1].close is not None and earlier[-1].close.reason not in SERVICE",
        ),
        Defence(
            "tournament.ledger.opens:Attempts.why_not", "earlier and earlier[-1].close is None"
        ),
        Defence(
            "verify.attempts:Transcripts._check_repeated",
            "not again and attempt.attempt < newest",
        ),
    ),
)


def test_a_match_that_counts_cannot_be_played_again() -> None:
    season = begun("again")
    (planned,) = season.draw()
    season.attempt(planned, EARLY)
    with ROW.without():
        season.attempt(planned, OTHERWISE)
        archive = finished(season)
    must_blame(archive, Check.MATCHES, "no attempt after one that counts")


def test_a_match_that_is_still_played_cannot_be_begun_again() -> None:
    season = begun("twice at once")
    (planned,) = season.draw()
    publish(season, planned, played(season, planned))
    with ROW.without():
        season.attempt(planned, OTHERWISE)
        archive = finished(season)
    must_blame(archive, Check.MATCHES, "a close of attempt 1 first")
