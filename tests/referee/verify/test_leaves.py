"""No leaf of a log can be deleted, doubled, moved, altered or added without being found."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.log.checkpoint import Checkpoint, sign_checkpoint
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.tournament.ledger.ledger import KINDS
from aboveboard_referee.verify.archive import CHECKPOINT, CHECKPOINTS, LEAVES
from aboveboard_referee.verify.report import ALTERED, ANOTHER, LOG_KEY, Finding, Report
from tests.fakes.audit import audit, illegal_leaf, only_finding
from tests.fakes.eventful import eventful
from tests.fakes.troubles import tiny

LAST = len(eventful().leaves) - 1
UNSEEN = eventful().leaf("key-revoke")
"""Nobody accepted a match after this leaf, so that no bot signed a root over it."""

every_leaf = pytest.mark.parametrize(
    "index", range(LAST + 1), ids=lambda i: f"{i}-{eventful().kind(i)}"
)


def by_nobody(leaves: list[bytes]) -> Report:
    """Without any key: leaves are others, and checkpoints as they were."""
    return audit(eventful().altered({LEAVES: join(leaves)}), eventful().organiser.key.public)


def by_the_log(leaves: list[bytes]) -> Report:
    """By whoever holds the log's key: every checkpoint is signed anew."""
    return audit(eventful().relogged(leaves), eventful().organiser.key.public)


def log_findings(report: Report) -> list[Finding]:
    return [finding for finding in report.findings if finding.step == "1 (log)"]


def test_there_is_a_leaf_of_every_kind() -> None:
    assert {eventful().kind(index) for index in range(LAST + 1)} == KINDS
    assert audit(eventful().files, eventful().organiser.key.public).findings == []


# --- Without a key -----------------------------------------------------------------------------


@every_leaf
@pytest.mark.parametrize("change", ["deleted", "doubled", "altered", "moved", "exchanged"])
def test_a_leaf_that_anybody_changed_is_found_and_accuses_nobody(index: int, change: str) -> None:
    leaves = list(eventful().leaves)
    leaf = leaves.pop(index)
    if change == "doubled":
        leaves[index:index] = [leaf, leaf]
    elif change == "altered":
        middle = len(leaf) // 2
        leaves.insert(index, leaf[:middle] + bytes([leaf[middle] ^ 1]) + leaf[middle + 1 :])
    elif change == "moved":
        leaves.insert((index + 3) % (LAST + 1), leaf)
    elif change == "exchanged":
        leaves.insert(index, tiny().leaves[min(index, len(tiny().leaves) - 1)])
    report = by_nobody(leaves)
    assert report.findings
    assert {finding.blame for finding in report.findings} <= {ALTERED, ANOTHER}
    # Of another manifest, or none, no checkpoint can be judged.
    assert log_findings(report) or report.findings[0].step == "2 (manifest)"


@every_leaf
def test_a_leaf_that_anybody_added_is_found(index: int) -> None:
    leaves = list(eventful().leaves)
    leaves.insert(index + 1, tiny().leaves[1])
    report = by_nobody(leaves)
    assert log_findings(report)
    assert f"{LEAVES}, leaf {index + 1}" in {finding.place for finding in report.findings}


def test_the_leaves_up_to_the_altered_one_are_still_vouched_for() -> None:
    """A ruling was changed; what was signed before it stands, and its referee with it."""
    index = eventful().leaf("ruling")
    changed = eventful().edited(index, pb.Ruling, lambda r: setattr(r, "text", "No power."))
    report = by_nobody([*eventful().leaves[:index], changed, *eventful().leaves[index + 1 :]])
    last, shown = log_findings(report)
    assert (last.place, shown.place) == (CHECKPOINT, f"{CHECKPOINTS}, record 3")
    assert "of the first 24 leaves" in shown.expected


# --- By the log's key --------------------------------------------------------------------------


@every_leaf
def test_a_leaf_that_the_log_leaves_out_is_found_if_a_bot_saw_the_log_after_it(index: int) -> None:
    leaves = [*eventful().leaves[:index], *eventful().leaves[index + 1 :]]
    report = by_the_log(leaves)
    assert report.good == (index == UNSEEN)


@every_leaf
def test_a_leaf_that_the_log_has_twice_is_found_at_the_second(index: int) -> None:
    leaf = eventful().leaves[index]
    finding = only_finding(eventful(), eventful().with_leaf(index, leaf, leaf))
    assert finding.place == f"{LEAVES}, leaf {index + 1}"
    assert finding.blame == "organiser"


@every_leaf
def test_a_leaf_of_another_tournament_is_found_where_it_stands(index: int) -> None:
    other = next(
        leaf
        for number, leaf in enumerate(tiny().leaves)
        if tiny().kind(number) in (eventful().kind(index), "entry")
    )
    finding = only_finding(eventful(), eventful().with_leaf(index, other))
    assert finding.place in {f"{LEAVES}, leaf {number}" for number in (index, 1)}


@pytest.mark.parametrize("index", range(LAST))
def test_leaves_in_another_order_are_found_if_a_bot_saw_the_log_after_them(index: int) -> None:
    leaves = list(eventful().leaves)
    leaves[index], leaves[index + 1] = leaves[index + 1], leaves[index]
    assert by_the_log(leaves).good == (index in (UNSEEN - 1, UNSEEN))


def test_no_bytes_that_are_no_record_are_a_leaf() -> None:
    finding = illegal_leaf(eventful(), 9, b"\xff" * 40)
    assert finding.step == "1 (log)"
    assert finding.expected == "a whole signed record"


def test_a_kind_that_no_log_has_is_none_of_its_leaves() -> None:
    organiser = eventful().organiser
    leaf = organiser.signed("start", pb.StartOrder(tournament=organiser.tournament))
    finding = illegal_leaf(eventful(), 9, leaf)
    assert (finding.step, finding.found) == ("1 (log)", "start")


# --- Files of the log --------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"\x00", b"\x00\x00\x00\x01", b"\x00\x00\x00\x00", b"leaf"])
def test_leaves_that_are_no_whole_records_are_found(data: bytes) -> None:
    report = audit(eventful().altered({LEAVES: data}))
    (finding,) = report.findings
    assert (finding.step, finding.place, finding.blame) == ("1 (log)", LEAVES, ALTERED)


@pytest.mark.parametrize("path", [CHECKPOINT, CHECKPOINTS])
@pytest.mark.parametrize("data", [None, b"x", b"\xff" * 100, b"\x00\x00\x00\x02ab"])
def test_a_checkpoint_file_that_is_gone_or_none_is_found(path: str, data: bytes | None) -> None:
    finding = only_finding(eventful(), eventful().altered({path: data}))
    assert finding.step == "1 (log)"
    assert finding.place.split(",")[0] == path
    assert finding.blame == ALTERED


@pytest.mark.parametrize("number", [0, 1, 2])
def test_an_earlier_checkpoint_in_the_place_of_the_last_is_found(number: int) -> None:
    earlier = split(eventful().files[CHECKPOINTS])[number]
    finding = only_finding(eventful(), eventful().altered({CHECKPOINT: earlier}))
    assert (finding.place, finding.blame) == (CHECKPOINT, ALTERED)
    assert finding.found == f"one of {eventful().shown[number]} leaves"


def test_a_checkpoint_of_another_log_is_found() -> None:
    other = tiny().files[CHECKPOINT]
    finding = only_finding(eventful(), eventful().altered({CHECKPOINT: other}))
    assert "another log's" in finding.found


def test_a_checkpoint_by_another_key_is_found() -> None:
    tree = Tree(map(leaf_hash, eventful().leaves))
    own = Checkpoint(eventful().organiser.origin, tree.size, tree.root())
    note = sign_checkpoint(own, eventful().organiser.key)
    finding = only_finding(eventful(), eventful().altered({CHECKPOINT: note}))
    assert (finding.place, finding.blame) == (CHECKPOINT, ALTERED)


def test_checkpoints_in_another_order_are_found() -> None:
    notes = split(eventful().files[CHECKPOINTS])
    files = eventful().altered({CHECKPOINTS: join([notes[1], notes[0], *notes[2:]])})
    finding = only_finding(eventful(), files)
    assert (finding.place, finding.blame) == (f"{CHECKPOINTS}, record 2", ALTERED)


def test_a_log_cut_to_where_a_checkpoint_was_shown_is_found() -> None:
    """Whoever can take leaves away has a checkpoint for it, but no close of the tournament."""
    notes = split(eventful().files[CHECKPOINTS])
    size = eventful().shown[1]
    files = {
        LEAVES: join(eventful().leaves[:size]),
        CHECKPOINT: notes[1],
        CHECKPOINTS: join(notes[:2]),
    }
    report = audit(eventful().altered(files))
    assert report.findings[0].step == "1 (log)"
    assert report.findings[0].expected == "the tournament's close as the last leaf"
    assert {finding.blame for finding in report.findings} <= {ALTERED, ANOTHER}


def test_a_log_cut_under_its_checkpoints_is_found_to_lack_leaves() -> None:
    report = by_nobody(list(eventful().leaves[:-2]))
    assert "leaves are missing" in report.findings[1].found
    assert {finding.blame for finding in report.findings} <= {ALTERED, ANOTHER}


def test_two_histories_under_the_logs_key_convict_it() -> None:
    """An old checkpoint was kept that the log, signed anew in full, does not fit."""
    index = eventful().leaf("ruling")
    changed = eventful().edited(index, pb.Ruling, lambda r: setattr(r, "text", "No power."))
    files = eventful().with_leaf(index, changed)
    notes = split(files[CHECKPOINTS])
    old = split(eventful().files[CHECKPOINTS])[2]
    files[CHECKPOINTS] = join([*notes[:3], old, *notes[3:]])
    report = audit(files, eventful().organiser.key.public)
    assert [f.blame for f in report.findings if f.place.startswith(CHECKPOINTS)] == [LOG_KEY]
    assert "two histories under one key" in report.findings[0].found


def test_a_file_besides_the_logs_three_is_found() -> None:
    finding = only_finding(eventful(), eventful().altered({"log/more.records": b"x"}))
    assert (finding.step, finding.place, finding.blame) == (
        "8 (files)",
        "log/more.records",
        ALTERED,
    )


def test_the_whole_log_of_another_tournament_does_not_fit_the_files() -> None:
    log = {path: tiny().files[path] for path in (LEAVES, CHECKPOINT, CHECKPOINTS)}
    files = eventful().altered(log)
    report = audit(files, tiny().organiser.key.public)
    assert "8 (files)" in {finding.step for finding in report.findings}
    assert {finding.blame for finding in report.findings} <= {ALTERED, ANOTHER}
    assert audit(files, eventful().organiser.key.public).findings[0].step == "2 (manifest)"


# --- Attempts and views ------------------------------------------------------------------------


def test_an_aborted_attempt_that_the_log_hides_is_found() -> None:
    first = eventful().leaf("match-open")
    leaves = [*eventful().leaves[:first], *eventful().leaves[first + 2 :]]
    files = eventful().relogged(leaves)
    finding = only_finding(eventful(), files)
    assert (finding.step, finding.place) == ("5 (matches)", f"{LEAVES}, leaf {first}")
    assert (finding.expected, finding.found) == ("attempt 1 of r1-b1", "attempt 2")


def test_every_aborted_attempt_is_in_the_report() -> None:
    (aborted,) = [
        notice for notice in audit(eventful().files).notices if notice.kind == "match-close"
    ]
    assert aborted.leaf == eventful().leaf("match-close")
    assert aborted.text == "attempt 1 at r1-b1 was ended by the service: interrupted"


def test_a_seat_that_accepted_under_another_root_is_a_split_view() -> None:
    """The log left out what this bot had seen in it."""
    report = audit(eventful().with_leaf(eventful().leaf("ruling")))
    finding = report.findings[0]
    assert finding.place.startswith("matches/r2-b1.1.records, seat ")
    assert "split view" in finding.found
    assert finding.blame == LOG_KEY
