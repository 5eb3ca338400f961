"""A bot that fails in match after match plays no more until its owner has seen to it."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_server.rounds.owners import KEPT, OwnersReports
from tests.fakes.serving import Served
from tests.fakes.suspended import AFTER, ROUNDS, Failing, play


def rulings(served: Served) -> list[pb.Ruling]:
    return [decode(pb.Ruling, parse_signed(leaf).body) for leaf in served.leaves("ruling")]


def rounds_of(served: Served, entrant: int) -> list[int]:
    """The rounds in which it was at a table."""
    return [
        pairings.round
        for pairings in served.ledger.rounds
        if any(entrant in pairing.entrants for pairing in pairings.pairings)
    ]


@cache
def never_checked() -> tuple[Served, Failing]:
    with TemporaryDirectory() as folder:
        failing = Failing(0)
        failing.checks = False
        return play(Path(folder), failing), failing


@cache
def mended() -> tuple[Served, Failing]:
    with TemporaryDirectory() as folder:
        failing = Failing(0)
        return play(Path(folder), failing), failing


def test_it_is_suspended_by_a_ruling_before_the_table_of_the_round() -> None:
    served, failing = never_checked()
    entrant = failing.entered.entrant
    (ruling,) = rulings(served)
    assert ruling.suspended == pb.Suspension(entrant=entrant, failures=AFTER)
    assert "failed in 3 matches in a row" in ruling.text
    assert ruling.text.endswith(": resigned")
    kinds = [event.kind for event in served.store.events("log")]
    assert kinds[: kinds.index("ruling")].count("standings") == AFTER - 1
    assert rounds_of(served, entrant) == [1, 2, 3]
    assert all(entrant not in pairings.absent for pairings in served.ledger.rounds[3:])


def test_its_owner_is_told_why_and_how_to_come_back() -> None:
    served, failing = never_checked()
    (notice,) = [text for text in failing.notices if "suspended" in text]
    assert notice.startswith("bot-0 is suspended and plays in no round from 4 on")
    assert "failed in 3 matches in a row, in r3-b" in notice
    assert "(resigned)" in notice
    assert "aboveboard check BOT --server HOST:PORT --key FILE" in notice
    said = [line for line in served.lines if "is suspended after 3 failures in a row" in line]
    assert len(said) == 1


def test_it_comes_back_once_its_owner_has_had_it_checked_and_counts_anew() -> None:
    served, failing = mended()
    entrant = failing.entered.entrant
    effects = [ruling.WhichOneof("effect") for ruling in rulings(served)]
    assert effects == ["suspended", "readmitted"]
    assert rulings(served)[1].readmitted.entrant == entrant
    assert ROUNDS in rounds_of(served, entrant)
    assert served.ledger.field[entrant].failures == 0
    assert any("bot-0 is readmitted" in line for line in served.lines)


def test_the_rounds_that_it_missed_stay_missed(tmp_path: Path) -> None:
    failing = Failing(0)
    failing.rests = 4.0
    served = play(tmp_path, failing, review_us=3_000_000)
    entrant = failing.entered.entrant
    assert 4 not in rounds_of(served, entrant)
    assert rounds_of(served, entrant)[-1] == ROUNDS


def test_an_owner_who_says_checked_without_need_changes_nothing(tmp_path: Path) -> None:
    failing = Failing(0)
    failing.checks, failing.checked = False, True
    served = play(tmp_path, failing, rounds=1)
    assert rulings(served) == []


# --- Killed servers ------------------------------------------------------------------------------


def marks_of(kind: str) -> list[int]:
    """Right before and after the first ruling with this effect was stored."""
    served, _ = mended()
    effects = (
        event.id
        for event in served.store.events("log")
        if event.kind == "ruling"
        and decode(pb.Ruling, parse_signed(event.body).body).WhichOneof("effect") == kind
    )
    at = next(effects)
    marks = served.store.marks
    return [max(mark for mark in marks if mark < at), min(mark for mark in marks if mark >= at)]


def check(mark: int, folder: Path) -> None:
    """Matches that are played out end otherwise then: their decks are drawn anew."""
    first, failing = mended()
    served = play(folder, Failing(0), first.store.until(mark))
    assert effects_of(served) == effects_of(first)
    who = failing.entered.entrant
    assert rounds_of(served, who) == rounds_of(first, who) == list(range(1, ROUNDS + 1))
    assert len(served.closes) == len(served.ledger.matches)


def effects_of(served: Served) -> list[str]:
    return [f"{ruling.number} {ruling.suspended} {ruling.readmitted}" for ruling in rulings(served)]


@pytest.mark.parametrize("side", [0, 1], ids=["before", "after"])
@pytest.mark.parametrize("kind", ["suspended", "readmitted"])
def test_killed_around_such_a_ruling_it_is_made_once(kind: str, side: int, tmp_path: Path) -> None:
    check(marks_of(kind)[side], tmp_path)


@pytest.mark.slow
def test_killed_after_one_append_or_another_it_comes_to_the_same(tmp_path: Path) -> None:
    for mark in mended()[0].store.marks[::7]:
        (tmp_path / str(mark)).mkdir()
        check(mark, tmp_path / str(mark))


# --- Reports -------------------------------------------------------------------------------------


def test_each_lost_match_is_reported_to_its_owner_with_what_the_referee_saw() -> None:
    served, failing = never_checked()
    reports = failing.reports
    assert [report.number for report in reports] == [1, 2, 3]
    for count, report in enumerate(reports, start=1):
        close = served.closes[report.match, report.attempt]
        assert close.seats[report.seat].reason == report.reason == pb.END_REASON_RESIGNED
        assert (report.phase, report.text) == ("entropy", "resigned")
        assert report.asked > 0
        assert (report.failed_in_a_row, report.suspended_after) == (count, AFTER)


def test_who_did_not_lose_hears_of_no_report() -> None:
    served, _ = never_checked()
    for entrant in served.entrants:
        told = [frame.report for frame in entrant.frames if frame.HasField("report")]
        lost = [
            place
            for place, close in served.closes.items()
            for seat, who in enumerate(served.ledger.matches[place[0]].entrants)
            if who == entrant.entered.entrant and close.seats[seat].half_points == 0
        ]
        assert sorted((report.match, report.attempt) for report in told) == sorted(lost)


def test_reports_come_again_until_the_owner_has_them_and_no_more_than_so_many() -> None:
    served, failing = never_checked()
    book, entrant = served.book, failing.entered.entrant
    reports = OwnersReports(book)
    assert list(reports.owed(entrant)) == failing.reports
    reports.reported(entrant, 2)
    assert [report.number for report in reports.owed(entrant)] == [3]
    assert KEPT >= AFTER
    full = OwnersReports(served.book)
    for each in list(full._kept.values()):
        assert each.maxlen == KEPT
