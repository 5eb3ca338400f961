"""Whatever a bot does wrong, its check goes on, catches it, and explains it to its author."""

import json
import os
import shlex
import signal
import sys
from pathlib import Path

import pytest

from aboveboard_client.checking import worker
from tests.fakes.checked import CASE, failure_of, report_of
from tests.fakes.command_line import Run
from tests.fakes.ended import has_ended


@pytest.mark.parametrize("bot", ["First", "Waiting", "Chancing"])
def test_a_bot_that_answers_passes(bot: str, bots: Path, run: Run) -> None:
    report = report_of(run, bot)
    assert report["passed"]
    assert report["warnings"] == []


@pytest.mark.usefixtures("bots")
def test_what_a_bot_raised_comes_with_its_own_traceback_and_output(run: Run) -> None:
    failure = failure_of(run, "Looking")
    assert failure["what"] == "raised AttributeError"
    assert "return turn.lgeal[0]" in failure["traceback"]
    assert "worker.py" not in failure["traceback"]
    assert failure["output"] == "about to look\n"


@pytest.mark.usefixtures("bots")
def test_a_bot_that_exits_by_an_exception_is_told_as_raising_it(run: Run) -> None:
    assert failure_of(run, "Leaving")["what"] == "raised SystemExit"


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("bot", "what", "sent"),
    [
        ("Forgetting", "returned None in place of a move: is there a return missing?", "None"),
        ("Talking", "returned the move as text: turn.game.decode(text) gives the move", "'play 2'"),
        ("Numbering", "returned a value of the type int, which is no move", "17"),
        ("Cheating", "returned a move that is not legal here", "discard 0 1"),
    ],
)
def test_what_is_no_legal_move_is_shown_as_it_was_sent(
    bot: str, what: str, sent: str, run: Run
) -> None:
    failure = failure_of(run, bot)
    assert failure["kind"] == "illegal"
    assert failure["what"] == what
    assert failure["sent"].startswith(sent.partition(" ")[0])
    assert failure["legal"]


@pytest.mark.usefixtures("bots")
def test_a_bot_that_hangs_is_ended_when_its_time_is_up(run: Run) -> None:
    failure = failure_of(run, "Thinking", move_time="200ms")
    assert failure["kind"] == "too-slow"
    assert failure["what"] == "gave no answer within 0.2 s, and was ended"
    assert failure["took_s"] >= failure["allowed_s"] == 0.2
    assert failure["output"] == "thinking\n"


@pytest.mark.usefixtures("bots")
def test_an_answer_that_comes_just_too_late_is_none(run: Run) -> None:
    assert failure_of(run, "Late", move_time="200ms")["kind"] == "too-slow"


def test_a_bot_that_is_never_loaded_is_not_waited_for_for_ever(
    bots: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots.write_text("while True:\n    pass\n")
    monkeypatch.setattr(worker, "LOAD_SECONDS", 0.3)
    ran = run("check", "strangers.py:First", "--only", CASE)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "aboveboard: strangers.py:First was not loaded within 0.3 s\n"


@pytest.mark.usefixtures("bots")
def test_what_a_bot_started_ends_with_it(run: Run) -> None:
    failure = failure_of(run, "Parent", move_time="500ms")
    child = int(failure["output"].split()[1])
    assert has_ended(child)


def test_what_a_bot_started_ends_with_it_also_where_it_passed_or_died(bots: Path, run: Run) -> None:
    report_of(run, "Orphaning")
    failure_of(run, "DyingParent")
    children = Path(f"{bots}.children").read_text().split()
    assert len(children) == 2
    assert all(has_ended(int(child)) for child in children)


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("bot", "what"),
    [
        ("Dying", "ended its process with code 7"),
        ("Crashing", f"was ended by signal {int(signal.SIGSEGV)} (SIGSEGV)"),
    ],
)
def test_a_bot_whose_process_ends_is_told_how(bot: str, what: str, run: Run) -> None:
    failure = failure_of(run, bot)
    assert failure["kind"] == "ended"
    assert failure["what"] == what


@pytest.mark.usefixtures("bots")
def test_a_crash_shows_where_in_the_bot_it_was(run: Run) -> None:
    assert "strangers.py" in failure_of(run, "Crashing")["output"]


@pytest.mark.usefixtures("bots")
def test_a_bot_that_closes_all_its_files_is_ended_too(run: Run) -> None:
    failure = failure_of(run, "Closing", move_time="200ms")
    assert failure["kind"] in ("ended", "too-slow")


@pytest.mark.usefixtures("bots")
def test_megabytes_of_output_are_warned_of_and_not_kept(run: Run) -> None:
    report = report_of(run, "Flooding")
    (tried,) = report["cases"]
    assert tried["status"] == "warned"
    assert tried["written_bytes"] > 2_900_000
    assert report["warnings"][0].startswith("wrote more than 1 MiB in 1 case, 2.9 MiB in ")


@pytest.mark.usefixtures("bots")
def test_a_flood_without_end_hangs_nothing_and_is_cut_to_its_two_ends(run: Run) -> None:
    failure = failure_of(run, "FloodingForEver", move_time="200ms")
    assert failure["kind"] == "too-slow"
    assert "bytes left out]" in failure["output"]
    assert len(failure["output"]) < 20_000


@pytest.mark.usefixtures("bots")
def test_one_that_is_hung_in_three_cases_is_not_tried_in_the_rest(run: Run) -> None:
    ran = run("check", "strangers.py:Hanging", "--only", "cribbage/2", "--move-time", "50ms")
    assert ran.code == 1
    assert "failed 3 of 14 cases, and 11 were not tried" in ran.err


PROGRAM = """
import json, sys, time
for line in sys.stdin:
    if json.loads(line)["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "strange"}), flush=True)
        continue
    print("asked", file=sys.stderr, flush=True)
    if sys.argv[1] == "lie":
        print("what?", flush=True)
    if sys.argv[1] == "die":
        sys.exit(9)
    if sys.argv[1] == "hang":
        time.sleep(600)
"""


@pytest.mark.parametrize(
    ("fault", "kind", "what"),
    [
        ("lie", "program", "answered 'what?', which is no move"),
        ("die", "program", "ended with code 9"),
        ("hang", "too-slow", "gave no answer within "),
    ],
)
def test_a_program_that_talks_lines_is_held_to_the_same(
    fault: str, kind: str, what: str, bots: Path, run: Run
) -> None:
    (bots.parent / "program.py").write_text(PROGRAM)
    spec = f"exec:{shlex.quote(sys.executable)} program.py {fault}"
    ran = run("check", spec, "--only", CASE, "--move-time", "2s", "--json")
    (tried,) = json.loads(ran.out)["cases"]
    assert tried["failure"]["kind"] == kind
    assert tried["failure"]["what"].startswith(what)
    assert tried["failure"]["output"] == "asked\n"


def test_nothing_of_it_is_left_running(bots: Path, run: Run) -> None:
    failure_of(run, "Hanging", move_time="50ms")
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    commands = [Path(f"/proc/{child}/cmdline").read_bytes() for child in children]
    assert not any(b"strangers.py" in command for command in commands)
