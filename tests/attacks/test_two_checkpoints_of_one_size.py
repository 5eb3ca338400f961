"""A log's key signs two roots of one size, one for each half of the world."""

from aboveboard_referee.log.fork import LogView
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import Histories, must_convict_log
from tests.fakes.attack_rows import Outcome, Row

ROW = Row(
    "two checkpoints of one size",
    "organiser",
    Outcome.PROVED,
    (Defence("log.fork:_same_size", "first.checkpoint.root != second.checkpoint.root"),),
)


def test_both_convict_the_key_without_a_single_leaf() -> None:
    log = Histories()
    notes = [LogView((log.note(history, 8),)) for history in "ab"]
    must_convict_log(log.organiser, *map(log.evidence, notes))
