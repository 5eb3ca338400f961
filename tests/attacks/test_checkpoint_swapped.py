"""Somebody puts an older checkpoint of the same log over an archive."""

from aboveboard_referee.match.transcript import split
from aboveboard_referee.verify.archive import CHECKPOINT, CHECKPOINTS
from aboveboard_referee.verify.report import ALTERED, Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import begun, finished, must_find

ROW = Row(
    "checkpoint swapped",
    "anybody",
    Outcome.REFUSED,
    (Defence("verify.log_files:_Checking._last", "checkpoint.size != self._tree.size"),),
)


def test_the_last_checkpoint_is_of_all_leaves() -> None:
    archive = finished(begun("checkpoint"))
    older, *_ = split(archive.files[CHECKPOINTS])
    files = {**archive.files, CHECKPOINT: older}
    must_find(archive, Check.LOG, ALTERED, "found one of", files=files)
