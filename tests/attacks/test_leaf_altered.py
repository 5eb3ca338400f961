"""An organiser rewrites a ruling once everybody has read it."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.log.fork import LogView
from aboveboard_referee.log.tree import leaf_hash
from aboveboard_referee.verify.archive import CHECKPOINT
from aboveboard_referee.verify.evidence_log import archive_view, make_log_evidence
from aboveboard_referee.verify.report import ALTERED, Check
from tests.fakes.attack_defence import Defence
from tests.fakes.attack_logs import must_convict_log
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import NO_TREE, must_find, with_leaves, wordy

ROW = Row(
    "leaf altered",
    "organiser",
    Outcome.PROVED,
    (
        *NO_TREE,
        Defence("log.fork:_same_size", "first.checkpoint.root != second.checkpoint.root"),
    ),
)


def rewritten() -> list[bytes]:
    archive = wordy()
    leaves, place = list(archive.leaves), archive.leaf("ruling")
    leaves[place] = archive.edited(place, pb.Ruling, lambda ruling: setattr(ruling, "text", "no"))
    return leaves


def test_under_the_checkpoints_that_were_shown_it_does_not_fit() -> None:
    must_find(wordy(), Check.LOG, ALTERED, "the root", files=with_leaves(wordy(), rewritten()))


def test_under_a_new_checkpoint_both_archives_convict_the_log() -> None:
    archive = wordy()
    before = LogView((archive.files[CHECKPOINT],), b"".join(map(leaf_hash, archive.leaves)))
    kept = make_log_evidence(archive.leaves[0], before, "as it was")
    must_convict_log(archive.organiser, kept, archive_view(archive.relogged(rewritten())))
