"""A service ends a match before it began, and leaves it at the tie that nobody played for."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import VOID, begun, finished, must_blame

ROW = Row(
    "void attempt left as a tie",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "verify.attempts:Transcripts._check_repeated",
            "again and attempt.attempt == newest and attempt.match in self._over",
        ),
    ),
)


def test_an_attempt_that_had_no_entropy_must_be_followed_by_another() -> None:
    season = begun("left")
    (planned,) = season.draw()
    season.attempt(planned, VOID)
    must_blame(finished(season), Check.MATCHES, "another attempt, as none had entropy")
