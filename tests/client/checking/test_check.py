"""``aboveboard check`` as its users see it."""

import json
import shlex
from pathlib import Path

import pytest

from tests.fakes.command_line import Run

RAISING = """
class Raising:
    games = ("cribbage:acc", "allegra")

    def choose(self, turn):
        print("\\x1b[31mred\\x1b[0m")
        raise ValueError("no idea")
"""


@pytest.fixture
def spec(tmp_path: Path) -> str:
    (tmp_path / "raising.py").write_text(RAISING)
    return f"{tmp_path / 'raising.py'}:Raising"


def test_a_failure_tells_the_position_what_was_legal_and_how_to_see_it_again(
    spec: str, run: Run
) -> None:
    ran = run("check", spec, "--only", "cribbage/2/go")
    assert ran.code == 1
    told = ran.out.splitlines()
    assert told[0] == f"checking {spec} in one rule set: 1 case, 10s a move"
    assert told[1] == "FAILED cribbage/2/go: the bot raised ValueError"
    assert told[2] == "  the position, which seat 0 was asked in:"
    assert any(line.startswith("    > your bot ") for line in told)
    assert "  legal: go" in told
    assert "    ValueError: no idea" in told
    assert f"  repeat it: aboveboard check {shlex.quote(spec)} --only cribbage/2/go" in told
    assert ran.err == f"aboveboard: {spec} failed 1 of 1 case\n"


def test_the_command_that_repeats_a_case_comes_to_the_same(spec: str, run: Run) -> None:
    first = run("check", spec, "--only", "cribbage/2/thirty-one", "--move-time", "3s")
    (line,) = [line for line in first.out.splitlines() if "repeat it: " in line]
    again = run(*shlex.split(line.partition("aboveboard ")[2]))
    assert "--move-time 3s" in line
    assert again.out.partition("took")[0] == first.out.partition("took")[0]


def test_what_a_bot_wrote_moves_no_cursor(spec: str, run: Run) -> None:
    assert "\x1b" not in run("check", spec, "--only", "cribbage/2/go").out


def test_further_failures_are_a_line_each(spec: str, run: Run) -> None:
    ran = run("check", spec, "--only", "cribbage/2")
    lines = [line for line in ran.out.splitlines() if line.startswith("FAILED")]
    assert len(lines) == 14
    assert sum("; repeat it: " in line for line in lines) == 14 - 5


def test_a_bot_is_tried_in_what_it_plays_and_in_nothing_else(spec: str, run: Run) -> None:
    assert run("check", spec, "--only", "cribbage:source").code == 2
    ran = run("check", spec, "--game", "nebraska")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"aboveboard: {spec} does not play nebraska\n"


def test_the_report_says_how_often_each_moment_was_met(run: Run) -> None:
    ran = run("check", "random", "--only", "allegra/2/knock-given", "--json")
    assert ran.code == 0
    report = json.loads(ran.out)
    (row,) = [row for row in report["moments"] if row["moment"] == "knock-given"]
    assert row["game"] == "allegra"
    assert row["met"] >= 1
    assert row["told"] == "was given what it knocked for"


def test_a_pass_ends_with_its_cases_and_the_time_a_move(run: Run) -> None:
    ran = run("check", "random", "--only", "nebraska:poker/2/forced-keep")
    assert ran.code == 0
    assert ran.out.splitlines()[-1].startswith("passed: 1 case, ")


def test_a_slow_average_is_warned_of(tmp_path: Path, run: Run) -> None:
    (tmp_path / "slow.py").write_text(
        "import time\n\n\nclass Slow:\n    def choose(self, turn):\n"
        "        time.sleep(0.15)\n        return turn.legal[0]\n"
    )
    ran = run(
        "check", f"{tmp_path / 'slow.py'}:Slow", "--only", "cribbage/2/go", "--move-time", "1s"
    )
    assert ran.code == 0
    assert " s a move on average: a tournament's clock may allow less" in ran.out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("nobody.py:Nope",), "there is no file nobody.py"),
        (("random", "--only", "chess"), "no case of random is named chess"),
        (("random", "--game", "chess"), "unknown game 'chess'"),
        (("random", "--server", "localhost:1"), "--server and --key go together."),
        (("random", "--move-time", "0s"), "--move-time must be longer than nothing."),
        (
            ("random", "--server", "localhost:1", "--key", "my.key", "--game", "allegra"),
            "--server needs the whole check",
        ),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], error: str, run: Run
) -> None:
    ran = run("check", *arguments)
    assert ran.code == 2
    assert error in ran.err
    assert ran.out == ""
