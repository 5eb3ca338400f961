"""An organiser publishes another course of a match under the opening that is in the log."""

from aboveboard_referee.verify.report import Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import (
    OTHERWISE,
    Apart,
    begun,
    finished,
    must_blame,
    played,
    publish,
)

ROW = Row(
    "transcript swapped",
    "organiser",
    Outcome.PROVED,
    (Defence("verify.attempts:Transcripts._check_leaves", "self._log.tree.leaf(leaf) != found"),),
)


def test_a_good_transcript_of_another_course_is_not_the_one_in_the_log() -> None:
    season = begun("swapped")
    (planned,) = season.draw()
    season.add(played(season, planned)[-1])
    publish(season, planned, played(season, planned, OTHERWISE, log=Apart(season)))
    must_blame(finished(season), Check.MATCHES, "the close that is leaf")
