"""A service ends a match whose deck it can compute by then, to have another one dealt."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import DEALT, EARLY, begun, finished, must_blame

ROW = Row(
    "attempt re-run after entropy",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "verify.attempts:Transcripts._check_repeated",
            "not again and attempt.attempt < newest",
        ),
    ),
)


def test_an_attempt_after_one_whose_entropy_was_asked_for_is_found() -> None:
    season = begun("dealt again")
    (planned,) = season.draw()
    season.attempt(planned, DEALT)
    season.attempt(planned, EARLY)
    must_blame(finished(season), Check.MATCHES, "no attempt after one that counts")
