"""Somebody takes a ruling out of an archive."""

from aboveboard_referee.verify.report import ALTERED, Check
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import NO_TREE, must_find, with_leaves, wordy

ROW = Row("leaf deleted", "anybody", Outcome.REFUSED, NO_TREE)


def test_a_leaf_that_nothing_hangs_on_is_missed() -> None:
    archive = wordy()
    leaves = list(archive.leaves)
    del leaves[archive.leaf("ruling", -1)]
    must_find(archive, Check.LOG, ALTERED, "leaves", files=with_leaves(archive, leaves))
