"""Whatever a bot does wrong, its check goes on, catches it, and explains it to its author."""

import json
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from aboveboard_client.checking import worker
from tests.fakes.command_line import Run
from tests.fakes.ended import has_ended

CASE = "cribbage/2/won-while-pegging"
"""One question: the bot comes to a match that ends with its answer."""

BOTS = '''
"""Bots of a stranger's."""
import ctypes
import os
import subprocess
import sys
import time


class Good:
    def choose(self, turn):
        return turn.legal[0]


class Raising:
    def choose(self, turn):
        print("about to look")
        return turn.lgeal[0]


class Exiting:
    def choose(self, turn):
        raise SystemExit(5)


class Nothing:
    def choose(self, turn):
        pass


class Text:
    def choose(self, turn):
        return turn.game.encode(turn.legal[0])


class Number:
    def choose(self, turn):
        return 17


class Illegal:
    def choose(self, turn):
        return turn.game.decode("discard 0 1")


class Hanging:
    def choose(self, turn):
        print("thinking", flush=True)
        while True:
            pass


class Late:
    def choose(self, turn):
        time.sleep(0.3)
        return turn.legal[0]


class Parent:
    """Starts a process, says which, and hangs."""

    def choose(self, turn):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print("child", child.pid, flush=True)
        time.sleep(600)


class Orphaning:
    """Starts a process, notes which, and leaves it alone."""

    def choose(self, turn):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open("children", "a") as file:
            print(child.pid, file=file)
        return turn.legal[0]


class Dying:
    def choose(self, turn):
        os._exit(7)


class DyingParent(Orphaning):
    def choose(self, turn):
        super().choose(turn)
        os._exit(7)


class Crashing:
    def choose(self, turn):
        ctypes.string_at(0)


class Closing:
    """Takes everything away that its process could be heard by."""

    def choose(self, turn):
        os.closerange(1, 256)
        time.sleep(600)


class Flooding:
    def choose(self, turn):
        for _ in range(300):
            print("x" * 9999)
        print("the last line")
        return turn.legal[0]


class FloodingForEver:
    def choose(self, turn):
        while True:
            print("x" * 9999)


class Counting:
    def __init__(self):
        self.asked = 0

    def choose(self, turn):
        self.asked += 1
        return turn.legal[self.asked % len(turn.legal)]


class Chancing:
    def __init__(self, rng):
        self.rng = rng

    def choose(self, turn):
        return self.rng.choice(turn.legal)


class Unseeded:
    def choose(self, turn):
        return turn.legal[int.from_bytes(os.urandom(4)) % len(turn.legal)]


class Remembering:
    """Notes which match it is in when that begins, and looks it up ever after."""

    def __init__(self):
        self.deals = {}

    def choose(self, turn):
        if turn.state.phase.name == "DISCARD" and turn.state.deal == 1:
            self.deals[turn.match] = turn.seat
        assert self.deals[turn.match] == turn.seat
        return turn.legal[0]


class Waiting:
    async def choose(self, turn):
        return turn.legal[0]
'''


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "strange.py"
    file.write_text(BOTS)
    return file


def failure_of(run: Run, bot: str, case: str = CASE, move_time: str = "10s") -> dict[str, Any]:
    """The one failure of a bot in one case."""
    ran = run("check", f"strange.py:{bot}", "--only", case, "--move-time", move_time, "--json")
    assert ran.code == 1
    (tried,) = json.loads(ran.out)["cases"]
    assert tried["status"] == "failed"
    failure: dict[str, Any] = tried["failure"]
    return failure


def tried_of(run: Run, bot: str, case: str = CASE) -> dict[str, Any]:
    """The whole report of a bot that passes one case."""
    ran = run("check", f"strange.py:{bot}", "--only", case, "--json")
    assert ran.code == 0, ran.err
    report: dict[str, Any] = json.loads(ran.out)
    return report


@pytest.mark.parametrize("bot", ["Good", "Waiting", "Chancing"])
def test_a_bot_that_answers_passes(bot: str, bots: Path, run: Run) -> None:
    report = tried_of(run, bot)
    assert report["passed"]
    assert report["warnings"] == []


@pytest.mark.usefixtures("bots")
def test_what_a_bot_raised_comes_with_its_own_traceback_and_output(run: Run) -> None:
    failure = failure_of(run, "Raising")
    assert failure["what"] == "raised AttributeError"
    assert "return turn.lgeal[0]" in failure["traceback"]
    assert "worker.py" not in failure["traceback"]
    assert failure["output"] == "about to look\n"


@pytest.mark.usefixtures("bots")
def test_a_bot_that_exits_by_an_exception_is_told_as_raising_it(run: Run) -> None:
    assert failure_of(run, "Exiting")["what"] == "raised SystemExit"


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize(
    ("bot", "what", "sent"),
    [
        ("Nothing", "returned None in place of a move: is there a return missing?", "None"),
        ("Text", "returned the move as text: turn.game.decode(text) gives the move", "'play 2'"),
        ("Number", "returned a value of the type int, which is no move", "17"),
        ("Illegal", "returned a move that is not legal here", "discard 0 1"),
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
    failure = failure_of(run, "Hanging", move_time="200ms")
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
    ran = run("check", "strange.py:Good", "--only", CASE)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "aboveboard: strange.py:Good was not loaded within 0.3 s\n"


@pytest.mark.usefixtures("bots")
def test_what_a_bot_started_ends_with_it(run: Run) -> None:
    failure = failure_of(run, "Parent", move_time="500ms")
    child = int(failure["output"].split()[1])
    assert has_ended(child)


def test_what_a_bot_started_ends_with_it_also_where_it_passed_or_died(bots: Path, run: Run) -> None:
    tried_of(run, "Orphaning")
    failure_of(run, "DyingParent")
    children = (bots.parent / "children").read_text().split()
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
    assert "strange.py" in failure_of(run, "Crashing")["output"]


@pytest.mark.usefixtures("bots")
def test_a_bot_that_closes_all_its_files_is_ended_too(run: Run) -> None:
    failure = failure_of(run, "Closing", move_time="200ms")
    assert failure["kind"] in ("ended", "too-slow")


@pytest.mark.usefixtures("bots")
def test_megabytes_of_output_are_warned_of_and_not_kept(run: Run) -> None:
    report = tried_of(run, "Flooding")
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
    ran = run("check", "strange.py:Hanging", "--only", "cribbage/2", "--move-time", "50ms")
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


# --- Between questions ---------------------------------------------------------------------------


@pytest.mark.usefixtures("bots")
def test_a_bot_that_keeps_one_matchs_state_for_another_is_warned(run: Run) -> None:
    report = tried_of(run, "Counting", "cribbage/2/two-matches")
    (warning,) = report["warnings"]
    assert "keeps something from one match for another: alone it answered `" in warning


@pytest.mark.usefixtures("bots")
def test_a_bot_whose_seed_does_not_repeat_it_is_warned(run: Run) -> None:
    report = tried_of(run, "Unseeded", "cribbage/2/two-matches")
    (warning,) = report["warnings"]
    assert "otherwise when it is started again with the same seed" in warning


@pytest.mark.usefixtures("bots")
@pytest.mark.parametrize("bot", ["Good", "Chancing"])
def test_two_matches_by_turns_are_no_matter_to_who_keeps_nothing(bot: str, run: Run) -> None:
    assert tried_of(run, bot, "cribbage/2/two-matches")["warnings"] == []


@pytest.mark.usefixtures("bots")
def test_a_bot_that_forgets_when_it_is_started_anew_fails_there(run: Run) -> None:
    failure = failure_of(run, "Remembering", "cribbage/2/restarted")
    assert failure["what"] == "raised KeyError"
    assert failure["situation"].startswith("the bot was killed before and started anew")


@pytest.mark.usefixtures("bots")
def test_a_connection_that_breaks_is_no_matter_to_the_bot(run: Run) -> None:
    report = tried_of(run, "Remembering", "cribbage/2/reconnected")
    (tried,) = report["cases"]
    assert tried["questions"] == 20
    met = {row["moment"]: row["met"] for row in report["moments"]}
    assert met["reconnected"] == 17


def test_nothing_of_it_is_left_running(bots: Path, run: Run) -> None:
    failure_of(run, "Hanging", move_time="50ms")
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    commands = [Path(f"/proc/{child}/cmdline").read_bytes() for child in children]
    assert not any(b"strange.py" in command for command in commands)
