"""Rules that no score survives, and whom an altered file convicts."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.tournament.matches import all_matches
from aboveboard_referee.verify.report import ALTERED
from tests.fakes.archive import Running
from tests.fakes.audit import audit
from tests.fakes.troubles import short


def test_rules_that_would_outgrow_a_score_cannot_be_played() -> None:
    def edit(opening: pb.MatchOpen) -> None:
        next(rule for rule in opening.game.rules if rule.name == "pair").number = 2**63 - 1

    drawn = short().pairings[0]
    with pytest.raises(Deviation, match="number beyond"):
        Running.of(short().organiser, all_matches(drawn)[0], edit=edit)


@pytest.mark.parametrize("path", ["standings.csv", "matches/r3-b1.1.records"])
@pytest.mark.parametrize("how", ["cut", "gone"])
def test_nothing_in_an_altered_file_blames_anybody_by_name(path: str, how: str) -> None:
    data = short().files[path][:-1] if how == "cut" else None
    report = audit(short().altered({path: data}))
    assert {finding.blame for finding in report.findings} == {ALTERED}


def test_a_transcript_that_somebody_added_blames_nobody_by_name() -> None:
    foreign = short().files["matches/r3-b1.1.records"]
    report = audit(short().altered({"matches/r3-b1.2.records": foreign}))
    assert {finding.blame for finding in report.findings} == {ALTERED}
