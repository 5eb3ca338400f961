"""A bot puts an objection into an archive that it never brought to the log."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.verify.report import ALTERED, Check
from tests.fakes.attack_rows import Outcome, Row
from tests.fakes.attack_tournaments import NO_TREE, must_find, with_leaves, wordy
from tests.fakes.leaves import signed

ROW = Row("leaf added", "bot", Outcome.REFUSED, NO_TREE)


def test_a_leaf_that_could_be_there_and_was_not_is_noticed() -> None:
    archive = wordy()
    organiser, drawn = archive.organiser, archive.pairings[0].pairings[0]
    body = pb.Objection(
        tournament=organiser.tournament, match=drawn.match, attempt=1, seat=0, found="afterwards"
    )
    objection = signed("objection", body, organiser.entry_key(drawn.entrants[0]))
    leaves = [*archive.leaves[:-1], objection, archive.leaves[-1]]
    must_find(archive, Check.LOG, ALTERED, "leaves", files=with_leaves(archive, leaves))
