"""Attempts that must follow, rules that no score survives, and whom an altered file convicts."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.tournament.matches import all_matches
from aboveboard_referee.verify.tournament import ALTERED
from tests.fakes.archive import Organiser, Running
from tests.fakes.audit import audit
from tests.fakes.troubles import Trouble, interrupted, short

STOP = Trouble(interrupted, pb.PHASE_ACCEPT, seats=(1,))


@pytest.mark.parametrize(("stops", "good"), [(1, True), (2, True), (3, True)])
def test_a_match_stopped_before_any_entropy_is_played_again(stops: int, good: bool) -> None:
    """The first attempts end so; a further one is played, unless there were three."""
    archive = Organiser("given up", 2, 1).play(
        {("r1-b1", number): STOP for number in range(1, stops + 1)}
    )
    report = audit(archive.files)
    assert report.good is good
    assert report.counts.matches == min(stops + 1, 3)


@pytest.mark.parametrize("last", [1, 2])
def test_a_match_left_at_an_early_stop_is_found(last: int) -> None:
    archive = Organiser("given up", 2, 1).play({("r1-b1", number): STOP for number in (1, 2, 3)})
    gone = {f"matches/r1-b1.{number}.records": None for number in range(last + 1, 4)}
    findings = {(f.step, f.place) for f in audit(archive.sealed(gone)).findings}
    assert ("5 (matches)", f"matches/r1-b1.{last + 1}.records") in findings


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
