"""Somebody has an objection stand before another one in an archive."""

from aboveboard_referee.verify.report import ALTERED, Check
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import NO_TREE, must_find, with_leaves, wordy

ROW = Row("leaves reordered", "anybody", Outcome.REFUSED, NO_TREE)


def test_two_leaves_in_each_others_place_are_noticed() -> None:
    archive = wordy()
    leaves = list(archive.leaves)
    one, two = (archive.leaf("objection", number) for number in (0, 1))
    leaves[one], leaves[two] = leaves[two], leaves[one]
    must_find(archive, Check.LOG, ALTERED, "the root", files=with_leaves(archive, leaves))
