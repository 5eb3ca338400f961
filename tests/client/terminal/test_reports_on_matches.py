"""What the owner of a bot can read of a match that it lost, or that came to nothing."""

import csv
import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio
from click.testing import CliRunner

from aboveboard_client.bot import Bot
from aboveboard_client.cli import aboveboard
from aboveboard_client.session.desk import Choice
from aboveboard_client.session.diary import referees_report
from aboveboard_client.session.hearing import hearing
from aboveboard_client.session.match_times import COLUMNS, summary_of, times_of
from aboveboard_client.state.report_folder import ReportFolder, read_report
from aboveboard_client.terminal.report_text import report_text
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_client.terminal.times_sheet import HEADER, times_sheet
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.match.player import Turn
from tests.fakes.guests import in_line
from tests.fakes.referees import OneSeatReferee, ticket
from tests.fakes.seats import EVENT, IDENTITY, SEALED, desk, play, recorded, run


class Talkative:
    """Prints at each question, and has had enough at the third."""

    games = ()

    def __init__(self, does: Callable[[Turn], Any] | None = None) -> None:
        self._asked = 0
        self._does = does

    def choose(self, turn: Turn) -> Any:
        self._asked += 1
        print(f"question {self._asked}\x1b[2J")
        if self._asked == 3:
            return self._does(turn) if self._does else self._fail()
        return turn.legal[0]

    def _fail(self) -> Any:
        raise LookupError("no idea")


def lost(
    folder: Path, bot: Bot, event: Any = EVENT, **fields: Any
) -> tuple[dict[str, Any], str, MatchEnd]:
    """Play a match; its report, for programs and for people."""
    reports = ReportFolder(folder / "reports", run=in_line)
    mine = replace(desk(bot), lost=reports, **fields)
    with hearing():
        end = play(mine, OneSeatReferee(event, IDENTITY, patience=60))
    path = folder / "reports" / "r1-b1.1.json"
    assert f"report of r1-b1 in {path.with_suffix('.txt').name}" in recorded(mine).told
    report = read_report(path)
    assert report is not None
    return report, path.with_suffix(".txt").read_text(), end


@pytest.mark.parametrize("event", [EVENT, SEALED], ids=["cribbage", "poker"])
def test_a_bot_that_raises_reads_what_it_was_asked_and_where_it_raised(
    tmp_path: Path, event: Any
) -> None:
    report, text, _ = lost(tmp_path, Talkative(), event)
    assert (report["result"], report["reason"]) == ("lost", "resigned")
    question = report["question"]
    assert question["failure"] == "raised LookupError"
    assert "LookupError: no idea" in question["traceback"]
    assert "in _fail" in question["traceback"]
    assert 0 < len(question["legal"]) == question["legal_count"]
    assert question["position"] == [line for line in question["position"] if line.isprintable()]
    assert "the bot raised LookupError" in text
    (listed,) = [line for line in text.splitlines() if line.startswith("legal: ")]
    assert listed == f"legal: {', '.join(question['legal_words'])}"
    assert all(
        re.fullmatch(rf"{re.escape(plain)} \((\w\w ?)+\)", words)
        for plain, words in zip(question["legal"], question["legal_words"], strict=True)
    )
    assert all(f"  {line}".rstrip() in text.splitlines() for line in question["position"])


def test_what_the_bot_wrote_is_kept_and_shown_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report, text, _ = lost(tmp_path, Talkative())
    assert report["output"] == "question 1\x1b[2J\nquestion 2\x1b[2J\nquestion 3\x1b[2J\n"
    assert "question 3" in text
    assert "\x1b" not in text
    assert capsys.readouterr().out.count("question") == 3


def test_what_a_bot_writes_without_end_is_cut(tmp_path: Path) -> None:
    def flood(turn: Turn) -> Any:
        print("x" * 5_000_000)
        raise LookupError("full")

    report, text, _ = lost(tmp_path, Talkative(flood))
    assert len(report["output"]) < 20_000
    assert "bytes left out]" in report["output"]
    assert len(text) < 40_000


def test_an_illegal_choice_is_told_with_what_was_legal(tmp_path: Path) -> None:
    report, text, _ = lost(tmp_path, Talkative(lambda _: "castle"))
    assert report["question"]["failure"] == "chose 'castle', which is no legal move"
    assert "the bot chose 'castle'" in text


def test_a_bot_that_hangs_is_told_to_have_been_thinking_still(tmp_path: Path) -> None:
    async def forever(choose: Callable[[], Choice]) -> Choice:
        await trio.sleep_forever()
        raise AssertionError("nobody wakes it")

    report, text, end = lost(tmp_path, Talkative(), run_choice=forever)
    assert report["reason"] == "time-out"
    assert report["question"]["thinking"]
    assert report["question"]["thought_us"] >= report["question"]["left_us"]
    assert "it was still thinking" in text
    last = report["times"][-1]
    assert last["wait_us"] >= report["question"]["left_us"]
    assert (last["think_us"], last["network_us"]) == (None, None), "nobody knows which it was"
    assert summary_of(end.times).endswith("; 1 without an answer")


def test_a_match_that_was_won_has_no_report(tmp_path: Path) -> None:
    reports = ReportFolder(tmp_path / "reports", run=in_line)
    won = 0
    for luck in range(4):
        mine = replace(desk(), lost=reports)
        end = play(mine, OneSeatReferee(EVENT, IDENTITY, luck=str(luck)))
        assert end.own is not None
        told = [line for line in recorded(mine).told if line.startswith("report of")]
        assert (end.own.half_points == 0) == bool(told)
        won += end.own.half_points == 2
    assert won


# --- Both sides of it ----------------------------------------------------------------------------


def referees(**fields: Any) -> dict[str, Any]:
    report = service.Report(
        number=1,
        match="r1-b1",
        attempt=1,
        reason=pb.END_REASON_TIME_OUT,
        phase="move",
        elapsed_us=10_000_000,
        asked=7,
        failed_in_a_row=2,
        suspended_after=3,
        text="10.0 s had passed",
    )
    for name, value in fields.items():
        setattr(report, name, value)
    return referees_report(bytes(32), report)


def own(**fields: Any) -> dict[str, Any]:
    return {
        "tournament": bytes(32).hex(),
        "match": "r1-b1",
        "attempt": 1,
        "seat": 0,
        "game": "cribbage",
        "result": "lost",
        "reason": "time-out",
        **fields,
    }


def keep(folder: ReportFolder, *parts: dict[str, Any]) -> list[Path | None]:
    async def main() -> list[Path | None]:
        return [await folder.keep(part) for part in parts]

    return run(main)


@pytest.mark.parametrize("first", ["own", "referee"])
def test_both_sides_come_together_in_either_order(tmp_path: Path, first: str) -> None:
    parts = [own(), referees()] if first == "own" else [referees(), own()]
    *_, path = keep(ReportFolder(tmp_path, run=in_line), *parts)
    assert path is not None
    lines = path.read_text().splitlines()
    assert lines[0] == "r1-b1, seat 0 (cribbage): lost (time-out)"
    assert lines[1] == (
        "the referee's side: time-out, move was owed since event 7, for 10.000 s, 10.0 s had passed"
    )
    assert lines[2] == "the bot failed in 2 matches in a row now; 3 in a row suspend a bot"


def test_a_report_of_another_tournament_is_not_mixed_in(tmp_path: Path) -> None:
    folder = ReportFolder(tmp_path, run=in_line)
    (path,) = keep(folder, own())
    other = referees()
    other["tournament"] = (b"\1" * 32).hex()
    keep(folder, other)
    assert path is not None
    known = read_report(path.with_suffix(".json"))
    assert known is not None
    assert "result" not in known


@pytest.mark.parametrize("match", ["../../up", "r1/b1", "", "r1-b1\0", "x" * 100])
def test_a_server_chooses_no_files_name(tmp_path: Path, match: str) -> None:
    assert keep(ReportFolder(tmp_path / "in", run=in_line), referees(match=match)) == [None]
    assert not (tmp_path / "in").exists()


def test_the_oldest_go_once_there_are_too_many_or_too_large_ones(tmp_path: Path) -> None:
    folder = ReportFolder(tmp_path, run=in_line, most=3, most_bytes=4_000)
    for number in range(1, 6):
        keep(folder, own(match=f"r{number}-b1"))
        for path in tmp_path.iterdir():
            if path.stem.startswith(f"r{number}-"):
                os.utime(path, ns=(number, number))
    assert sorted(path.name for path in tmp_path.glob("*.json")) == [
        f"r{number}-b1.1.json" for number in (3, 4, 5)
    ]
    keep(folder, own(match="r6-b1", output="y" * 8_000))
    assert sorted(path.stem for path in tmp_path.glob("*.txt")) == ["r6-b1.1"]


def test_a_disk_that_fails_is_told_once_and_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("a file in its place")
    folder = ReportFolder(tmp_path / "reports", run=in_line)
    told: list[str] = []
    folder.disk.failed = told.append
    assert keep(folder, own(), own()) == [None, None]
    assert len(told) == 1
    assert str(tmp_path) in told[0]


def test_a_damaged_report_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "r1-b1.1.json").write_text("{")
    (path,) = keep(ReportFolder(tmp_path, run=in_line), own())
    assert path is not None
    assert "lost" in path.read_text()


def test_texts_of_others_are_made_harmless() -> None:
    bad = "\x1b[31m\x07bell\nline\udc80" + "x" * 10_000
    sent = bad.replace("\udc80", "")
    question = {
        "position": [bad],
        "legal": [bad],
        "legal_count": 1,
        "thought_us": 1,
        "left_us": 1,
        "thinking": False,
        "failure": "",
        "answer": bad,
        "traceback": "at\x1b[31m",
    }
    failed = {**question, "failure": bad}
    row = {f"{name}_us": 1 for name in ("wait", "think", "network", "referee", "charged", "left")}
    times = [{**row, "asked": 1, "phase": "move", "answer": bad}]
    about = own(trouble=bad, game=bad, end=[bad, bad], output="by\x1b[31m\x07", times=times)
    for asked in (question, failed):
        text = report_text({**about, **referees(text=sent, phase=sent), "question": asked})
        assert all(character.isprintable() or character == "\n" for character in text)
        assert "\nline" not in text
        assert max(map(len, text.splitlines())) < 5_000


# --- The command ---------------------------------------------------------------------------------


def command(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(aboveboard, ["report", *arguments], standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return getattr(result.exception, "exit_code", 1), result.output, str(result.exception)
    return result.exit_code, result.output, ""


def test_the_command_lists_reports_and_shows_one(tmp_path: Path) -> None:
    state = tmp_path / "my.key.state"
    keep(ReportFolder(state / "reports", run=in_line), own(), own(match="r2-b1", attempt=2))
    for where in (tmp_path, state):
        code, output, _ = command("--state", str(where))
        assert code == 0
        assert sorted(output.splitlines()) == [
            "r1-b1, seat 0 (cribbage): lost (time-out)",
            "r2-b1, attempt 2, seat 0 (cribbage): lost (time-out)",
        ]
    code, output, _ = command("--state", str(state), "r2-b1")
    assert code == 0
    assert output.endswith("see it again: aboveboard replay ARCHIVE r2-b1 --seat 0\n")
    code, output, _ = command("--state", str(state), "r2-b1", "--json")
    assert [each["attempt"] for each in json.loads(output)["reports"]] == [2]


def test_the_command_says_in_a_line_where_there_is_nothing(tmp_path: Path) -> None:
    code, _, line = command("--state", str(tmp_path))
    assert code == 2
    assert line.startswith("there are no reports in ")
    for bot in ("a", "b"):
        keep(ReportFolder(tmp_path / f"{bot}.key.state" / "reports", run=in_line), own())
    code, _, line = command("--state", str(tmp_path))
    assert code == 2
    assert line.endswith("choose one with --state: a.key.state, b.key.state")
    code, _, line = command("--state", str(tmp_path / "a.key.state"), "r9-b9")
    assert code == 2
    assert line.startswith("there is no report of r9-b9 in ")


@pytest.mark.parametrize("text", ["{", "[]", "{}"])
def test_a_damaged_report_is_an_outside_failure_and_hides_no_other(
    tmp_path: Path, text: str
) -> None:
    keep(ReportFolder(tmp_path / "reports", run=in_line), own())
    bad = tmp_path / "reports" / "r2-b1.1.json"
    bad.write_text(text)
    assert command("--state", str(tmp_path), "r2-b1") == (3, "", f"{bad} is damaged")
    code, output, _ = command("--state", str(tmp_path))
    assert code == 0
    assert sorted(output.splitlines()) == [
        f"{bad}: damaged",
        "r1-b1, seat 0 (cribbage): lost (time-out)",
    ]


def test_reports_that_cannot_be_read_are_an_outside_failure(tmp_path: Path) -> None:
    (tmp_path / "reports" / "r2-b1.1.json").mkdir(parents=True)
    line = f"{tmp_path / 'reports'} cannot be read: Is a directory"
    assert command("--state", str(tmp_path)) == (3, "", line)


# --- Times ---------------------------------------------------------------------------------------


def test_each_answer_has_its_times_by_the_records_and_by_the_bots_own_measure() -> None:
    async def slow(choose: Callable[[], Choice]) -> Choice:
        await trio.sleep(0.25)
        return choose()

    referee = OneSeatReferee(SEALED, IDENTITY)
    end = play(replace(desk(), run_choice=slow), referee)
    assert list(end.times) == times_of(referee.records, 0)
    decisions = [time for time in end.times if time.is_decision]
    assert decisions
    assert all(time.think_us == 250_000 for time in decisions)
    assert all(time.network_us == max(0, time.wait_us - 250_000) for time in decisions)
    assert {time.phase for time in end.times} >= {"accept", "entropy", "sealed move", "open"}
    said = summary_of(end.times)
    assert said.startswith(f"{len(decisions)} moves, ms on average (worst): think 250.0 (250.0),")
    assert all(word in said for word in ("network ", "referee ", "charged "))


def test_a_match_without_a_decision_has_no_line_about_times() -> None:
    assert summary_of(()) == ""


def test_the_sheet_of_times_has_a_row_for_each_answer(tmp_path: Path) -> None:
    end = play(desk(), OneSeatReferee(EVENT, IDENTITY))
    with times_sheet(tmp_path / "times.csv") as add:
        add(end)
        add(MatchEnd(ticket(EVENT), None))
    with (tmp_path / "times.csv").open() as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == HEADER == ("match", "attempt", "seat", "game", *COLUMNS)
    assert len(rows) == len(end.times) > 5
    assert rows[0][:6] == ["r1-b1", "1", "0", "cribbage", "0", "accept"]
