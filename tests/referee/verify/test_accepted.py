"""What a seat signed to have seen of the log: proof against the log, or the seat's own affair."""

from collections.abc import Callable
from functools import cache

import pytest

from aboveboard_referee.log.checkpoint import Checkpoint, log_origin, sign_checkpoint
from aboveboard_referee.verify.archive import CHECKPOINT, CHECKPOINTS
from aboveboard_referee.verify.report import LOG_KEY, Report
from tests.fakes.attack_tournaments import EARLY, begun, finished, publish
from tests.fakes.audit import audit
from tests.fakes.cup import Cup
from tests.fakes.keys import key, secret
from tests.fakes.running import Running
from tests.fakes.season import Season

OPENING = 6
"""The leaf of the only match's opening."""

Said = Callable[[Season], bytes]


@cache
def files_with(said: Said) -> dict[str, bytes]:
    """The archive of a tournament in which seat 1 accepts under this; all else is honest."""
    season = begun("said")
    (planned,) = season.draw()
    running = Running.of(season.cup, planned, trouble=EARLY, log=season)
    seat = running.players[1]
    tell = seat.logged
    seat.logged = lambda note: tell(said(season))  # type: ignore[method-assign]  # it lies
    records = running.play()
    assert season.add(records[-1]) == OPENING + 1
    publish(season, planned, records)
    return finished(season).files


def report_of(said: Said) -> Report:
    return audit(files_with(said), Cup("said", 2, 1, ("cribbage",)).key.public)


def signed(cup: Cup, size: int, root: bytes) -> bytes:
    return sign_checkpoint(Checkpoint(cup.origin, size, root), cup.log_key)


def nothing(season: Season) -> bytes:
    return b""


def junk(season: Season) -> bytes:
    return b"junk"


def of_another_key(season: Season) -> bytes:
    return sign_checkpoint(Checkpoint(season.cup.origin, 7, secret("false")), key("liar"))


def of_another_tournament(season: Season) -> bytes:
    origin = log_origin(secret("another"))
    return sign_checkpoint(Checkpoint(origin, 7, secret("other")), season.cup.log_key)


def altered(season: Season) -> bytes:
    return season.show().replace(b"\n7\n", b"\n8\n")


def too_early(season: Season) -> bytes:
    return season.cup.note(season.tree, OPENING)


UNSIGNED = [
    (nothing, "without a look at the log"),
    (junk, "under what the log did not sign: no empty line stands before the signatures"),
    (of_another_key, "under what the log did not sign: the note is signed by no key"),
    (of_another_tournament, "under what the log did not sign: the checkpoint is another log's"),
    (altered, "under what the log did not sign: signature by aboveboard/tournament/"),
    (too_early, "under a checkpoint of 6 leaves, which does not cover its opening"),
]


@pytest.mark.parametrize(("said", "how"), UNSIGNED)
def test_a_seat_that_lies_about_the_log_does_not_spoil_an_honest_archive(
    said: Said, how: str
) -> None:
    report = report_of(said)
    assert report.good
    (notice,) = report.notices
    assert (notice.leaf, notice.kind) == (OPENING, "match-open")
    assert notice.text.startswith(f"seat 1 accepted attempt 1 at r1-b1 {how}")


def test_a_checkpoint_that_covers_the_opening_is_nothing_to_tell() -> None:
    report = report_of(Season.show)
    assert report.good
    assert report.notices == []


def false_root(season: Season) -> bytes:
    return signed(season.cup, 7, secret("false"))


def false_root_before(season: Season) -> bytes:
    return signed(season.cup, 3, secret("false"))


def longer_log(season: Season) -> bytes:
    return signed(season.cup, 1000, secret("longer"))


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (false_root, "split view: this seat accepted under "),
        (false_root_before, "split view: this seat accepted under "),
        (longer_log, "split view: one of 10"),
    ],
)
def test_what_the_log_signed_and_is_not_so_convicts_its_key(said: Said, found: str) -> None:
    (finding,) = report_of(said).findings
    assert (finding.step, finding.blame) == ("1 (log)", LOG_KEY)
    assert finding.place == "matches/r1-b1.1.records, seat 1"
    assert finding.found.startswith(found)


def test_of_leaves_that_the_log_did_not_sign_nothing_more_is_found() -> None:
    cup, files = Cup("said", 2, 1, ("cribbage",)), dict(files_with(longer_log))
    files |= {CHECKPOINT: b"junk", CHECKPOINTS: b""}
    findings = audit(files, cup.key.public).findings
    assert not [finding for finding in findings if finding.blame == LOG_KEY]
