"""Programs that play by lines, over real processes: whatever they do costs them one move."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from aboveboard_client.bot import UnknownBot, ending, load, plays
from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.line_bots.process import KEPT_OUTPUT, SHOWN_OUTPUT, LineProcess
from aboveboard_client.session.desk import _choose
from tests.fakes.line_bots import LONG_US, Lifeline, Start, a_turn, command

SHORT_US = 200_000


def pids(text: str) -> list[str]:
    return re.findall(r"pid (\d+)", text)


# --- Answers --------------------------------------------------------------------------------


@pytest.mark.parametrize("manner", ["json", "bare", "late", "twice"])
def test_a_program_is_asked_again_and_again_and_each_answer_is_to_its_question(
    started: Start, manner: str
) -> None:
    bot = started(manner)
    turn = a_turn()
    assert [bot.choose(turn) for _ in range(4)] == [turn.legal[0]] * 4


def test_its_name_and_games_are_those_of_its_hello(started: Start) -> None:
    assert started("json").name == "peer"
    bot = started("cribbage-alone")
    assert plays(bot, "cribbage:source")
    assert not plays(bot, "allegra")


def test_what_it_writes_to_standard_error_is_shown_and_kept(
    started: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = started("json")
    bot.choose(a_turn())
    bot.choose(a_turn())
    assert len(pids(bot.output)) == 1
    assert pids(capsys.readouterr().err) == pids(bot.output)


# --- Failures -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("manner", "left_us", "why"),
    [
        ("exits", LONG_US, "ended with code 3"),
        ("killed", LONG_US, "was ended by signal 9"),
        ("hangs", SHORT_US, "(does it write a whole line, and flush it?)"),
        ("never-reads", SHORT_US, "gave no answer within"),
        ("closes-stdin", LONG_US, "closed its standard input"),
        ("closes-stdout", LONG_US, "closed its standard output"),
        ("garbage", LONG_US, "which is no move"),
        ("no-json-answer", LONG_US, "which is no JSON"),
        ("move-is-a-number", LONG_US, 'has no "move" that is a text'),
        ("illegal", LONG_US, "answered 'play 51', which is not legal here"),
        ("ahead", LONG_US, "answered question 2, where it was asked question 1"),
        ("long-line", LONG_US, "a line of more than 4096 bytes"),
        ("endless-line", LONG_US, "a line of more than 4096 bytes"),
        ("floods", LONG_US, "bytes that are no answer"),
    ],
)
def test_each_failure_is_told_costs_one_move_and_leaves_no_process(
    started: Start,
    lifeline: Lifeline,
    monkeypatch: pytest.MonkeyPatch,
    manner: str,
    left_us: int,
    why: str,
) -> None:
    if manner.startswith("closes"):  # which waits in vain for its end
        monkeypatch.setattr("aboveboard_client.line_bots.process.ENDING_S", 0.05)
    bot = started(manner, lifeline.path)
    choice = _choose(bot, a_turn(left_us=left_us))
    assert why in choice.failure
    assert choice.failure.isprintable()
    assert choice.error is None
    assert lifeline.all_gone()


def test_after_a_failure_the_next_match_is_played_by_a_fresh_process(started: Start) -> None:
    bot = started("hangs-in-a")
    first = a_turn("b")
    assert bot.choose(first) == first.legal[0]
    before = pids(bot.output)
    bot.over("b", 0, None)
    with pytest.raises(LineBotFailed, match="gave no answer"):
        bot.choose(a_turn("a", left_us=SHORT_US))
    assert bot.choose(first) == first.legal[0]
    assert pids(bot.output) != before


def test_a_flood_between_two_questions_is_found_at_the_next_one(started: Start) -> None:
    bot = started("floods-afterwards")
    bot.choose(a_turn())
    with pytest.raises(LineBotFailed, match=r"wrote|answered"):
        bot.choose(a_turn())


def test_a_flood_of_output_takes_no_memory_and_does_not_keep_the_answer_away(
    started: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = started("floods-stderr")
    turn = a_turn()
    assert bot.choose(turn) == turn.legal[0]
    bot.over("m", 0, None)
    bot.close()
    assert len(bot.output) <= KEPT_OUTPUT
    assert len(capsys.readouterr().err) < SHOWN_OUTPUT + (1 << 17)


def test_the_last_output_of_a_program_that_died_is_kept(started: Start) -> None:
    bot = started("exits")
    with pytest.raises(LineBotFailed, match="ended with code 3"):
        bot.choose(a_turn())
    assert bot.output.endswith("boom\n")


def test_a_question_that_nobody_reads_is_given_up_when_its_time_is_over() -> None:
    process = LineProcess(command("never-reads").split(), print)
    process.ask(b"{}\n", 60.0, lambda line: line)
    with pytest.raises(LineBotFailed, match="has not read the question"):
        process.ask(b"x" * (1 << 22) + b"\n", 0.2, lambda line: line)
    process.close()


# --- Being there ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("exec:", "has no command"),
        ("exec:'", "cannot be read: No closing quotation"),
        ("exec:no-such-program --x", "there is no program no-such-program"),
        (f"exec:{command('exits-at-once')}", "ended with code 3"),
        (f"exec:{command('no-json')}", "answered hello with 'hello there'"),
        (f"exec:{command('deep-json')}", "which is no JSON object"),
        (f"exec:{command('no-name')}", 'without a "name"'),
        (f"exec:{command('other-protocol')}", "talks version 2 of the line protocol"),
        (f"exec:{command('games-as-text')}", '"games" that are no list'),
        (f"exec:{command('unknown-game')}", "unknown game 'poker'"),
    ],
)
def test_what_cannot_be_a_bot_is_named_in_one_line(spec: str, why: str) -> None:
    with pytest.raises(UnknownBot) as refused:
        load(spec)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_the_system_cannot_run_is_told_as_such(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_bytes(b"\x7fELF nothing")
    file.chmod(0o755)
    with pytest.raises(UnknownBot, match="cannot be started: Exec format error"):
        load(f"exec:{file}")


def test_a_program_that_never_says_hello_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aboveboard_client.line_bots.line_bot.HELLO_S", 0.2)
    with pytest.raises(UnknownBot, match=r"gave no answer within 0\.2 s"):
        load(f"exec:{command('silent-from-the-start')}")


# --- Several matches ------------------------------------------------------------------------


def test_a_program_that_hangs_in_one_match_is_asked_in_another_meanwhile(
    started: Start, lifeline: Lifeline
) -> None:
    bot = started("hangs-in-a", lifeline.path)
    failures = []

    def hang() -> None:
        failures.append(_choose(bot, a_turn("a")).failure)

    hanging = threading.Thread(target=hang)
    hanging.start()
    turn = a_turn("b")
    assert bot.choose(turn) == turn.legal[0]
    bot.over("a", 0, None)  # which ends the one that still thinks about it
    bot.over("a", 0, None)
    hanging.join(60)
    assert failures == ["was ended"]
    assert bot.choose(turn) == turn.legal[0]


def test_a_match_that_is_over_is_told_and_its_process_goes_to_the_next(started: Start) -> None:
    bot = started("json")
    for match in ("a", "b"):
        bot.choose(a_turn(match))
        bot.over(match, 0, None)
    bot.choose(a_turn("c"))
    assert len(pids(bot.output)) == 1
    assert re.findall("over .", bot.output) == ["over a", "over b"]


def test_a_program_that_ended_between_two_matches_is_started_anew(started: Start) -> None:
    bot = started("ends-when-over")
    turn = a_turn("a")
    bot.choose(turn)
    bot.over("a", 0, None)
    (idle,) = bot._idle
    idle._guard.wait(60)
    assert bot.choose(turn) == turn.legal[0]


def test_two_matches_at_once_have_a_process_each(
    started: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = started("json")
    for match in ("a", "b", "a", "b"):
        bot.choose(a_turn(match))
    assert len(set(pids(capsys.readouterr().err))) == 2


# --- No orphans -----------------------------------------------------------------------------


@pytest.mark.parametrize("manner", ["json", "with-a-child"])
def test_at_the_end_no_process_is_left(
    lifeline: Lifeline, monkeypatch: pytest.MonkeyPatch, manner: str
) -> None:
    monkeypatch.setattr("aboveboard_client.line_bots.line_bot.ENDING_S", 0.05)
    bot = load(f"exec:{command(manner, lifeline.path)}")
    with ending(bot):
        pass
    assert lifeline.all_gone()


def test_a_program_is_told_to_quit_before_it_is_ended(capsys: pytest.CaptureFixture[str]) -> None:
    with ending(load(f"exec:{command('json')}")):
        pass
    assert capsys.readouterr().err.endswith("quit\n")


def test_whoever_still_thinks_at_the_end_is_ended(lifeline: Lifeline, started: Start) -> None:
    bot = started("hangs", lifeline.path)
    failures = []
    turn = a_turn(left_us=100 * LONG_US)
    thinking = threading.Thread(target=lambda: failures.append(_choose(bot, turn).failure))
    thinking.start()
    bot.close()
    thinking.join(60)
    assert lifeline.all_gone()
    assert len(failures) == 1
    assert failures[0]


def test_who_is_asked_after_the_end_begins_no_program(lifeline: Lifeline, started: Start) -> None:
    bot = started("json", lifeline.path)
    bot.close()
    assert "was told to quit" in _choose(bot, a_turn()).failure
    assert lifeline.all_gone()


def test_no_program_outlives_one_of_ours_that_is_killed(lifeline: Lifeline) -> None:
    spec = f"exec:{command('with-a-child', lifeline.path)}"
    script = (
        "import os, signal, sys; from aboveboard_client.bot import load; "
        "bot = load(sys.argv[1]); os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", script, spec], check=False, timeout=60)
    assert ended.returncode == -9
    assert lifeline.all_gone()
