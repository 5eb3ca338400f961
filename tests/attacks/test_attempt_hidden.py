"""An organiser keeps an attempt at a match to itself and publishes the next one."""

from aboveboard_referee.verify.archive import match_file
from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import (
    EARLY,
    VOID,
    begun,
    finished,
    must_blame,
    played,
    publish,
)

ROW = Row(
    "attempt hidden",
    "organiser",
    Outcome.PROVED,
    (
        Defence(
            "tournament.ledger.opens:Attempts.why_not",
            "attempt != len(earlier) + 1 or attempt > MOST_ATTEMPTS",
        ),
        Defence("verify.attempts:Transcripts.there", "path not in self._listed.altered"),
    ),
)


def test_a_second_attempt_without_the_first_in_the_log_is_found() -> None:
    season = begun("hidden")
    (planned,) = season.draw()
    with ROW.without():
        records = played(season, planned, attempt=2)
        season.add(records[-1])
        publish(season, planned, records, attempt=2)
        archive = finished(season)
    must_blame(archive, Check.MATCHES, "expected attempt 1 of r1-b1")


def test_an_attempt_in_the_log_whose_transcript_is_not_published_is_found() -> None:
    season = begun("hidden transcript")
    (planned,) = season.draw()
    season.attempt(planned, VOID)
    season.attempt(planned, EARLY)
    del season.files[match_file(planned.match, 1)]
    must_blame(finished(season), Check.MATCHES, "the transcript of an attempt in the log")
