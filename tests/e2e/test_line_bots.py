"""Programs that talk lines, in tournaments among Python bots, over real processes."""

import re
import shlex
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.serving import join, serve, write_tournament
from tests.fakes.line_bots import Lifeline, command
from tests.fakes.processes import Process, Processes

EXAMPLE = Path(__file__).parents[2] / "examples" / "stdio" / "bot.py"
GAMES = ["cribbage", "cribbage:source", "nebraska:family", "nebraska:poker", "allegra"]


@pytest.fixture
def lifeline(tmp_path: Path) -> Iterator[Lifeline]:
    line = Lifeline(tmp_path)
    yield line
    line.close()


def join_program(processes: Processes, address: str, program: str, *options: object) -> Process:
    process = processes.aboveboard("join", address, "--exec", program, *options)
    process.line("^entered ")
    return process


@pytest.mark.slow
def test_the_example_finishes_a_tournament_against_python_bots_and_its_archive_verifies(
    processes: Processes,
) -> None:
    file = write_tournament(processes.folder, games=GAMES, rounds=len(GAMES), entrants=6)
    server, address = serve(processes, file)
    example = shlex.join([sys.executable, str(EXAMPLE)])
    programs = [
        join_program(processes, address, example),
        join_program(processes, address, example, "--name", "second", "--capacity", 4),
    ]
    others = [join(processes, address, "random", name) for name in ("ada", "ben", "cleo", "dan")]
    for process in (*programs, *others):
        ended = process.end()
        assert ended.well, ended
    assert server.end().code == 0
    assert " as lines-" in programs[0].end().out  # by the name that the program gave itself
    verified = processes.run("verify", "evening/archive")
    assert verified.code == 0, verified
    assert "verdict: good" in verified.out


@pytest.mark.slow
def test_a_program_that_fails_resigns_its_match_and_is_there_in_the_next(
    processes: Processes, lifeline: Lifeline
) -> None:
    file = write_tournament(
        processes.folder, games=["cribbage"] * 3, rounds=3, entrants=4, limits={"move": "5s"}
    )
    server, address = serve(processes, file)
    failing = {
        manner: join_program(processes, address, command(manner, lifeline.path), "--name", manner)
        for manner in ("exits", "hangs")
    }
    steady = join_program(processes, address, command("json", lifeline.path), "--name", "steady")
    honest = join(processes, address, "random", "honest")
    told = {
        "exits": "the bot ended with code 3; this match is resigned",
        "hangs": "the bot gave no answer within",
    }
    for manner, process in failing.items():
        ended = process.end()
        assert ended.code == 0, ended
        assert ended.err.count(told[manner]) == 3, ended
    assert "boom" in failing["exits"].end().err
    ended = honest.end()
    assert ended.well, ended
    assert ended.out.count(": won ") >= 2, ended
    ended = steady.end()
    assert ended.out.count(": won ") >= 2, ended
    assert re.findall(r"^over (r\d)-", ended.err, re.M) == ["r1", "r2", "r3"], ended
    assert len(re.findall(r"^pid ", ended.err, re.M)) == 1, "one process for all its matches"
    assert ended.err.endswith("quit\n"), ended
    assert server.end().code == 0
    assert lifeline.all_gone()
    verified = processes.run("verify", "evening/archive")
    assert verified.code == 0, verified


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_no_program_outlives_a_join_that_is_stopped_while_it_thinks(
    processes: Processes, lifeline: Lifeline, number: signal.Signals
) -> None:
    file = write_tournament(processes.folder, games=["cribbage"], entrants=2)
    _, address = serve(processes, file)
    thinking = join_program(processes, address, command("hangs", lifeline.path), "--name", "it")
    join(processes, address, "random", "other")
    thinking.line(r"^pid \d+", "err")
    thinking.send(number)
    assert thinking.end().code in (128 + number, -number)
    assert lifeline.all_gone()


@pytest.mark.slow
def test_no_program_outlives_play_that_is_stopped(processes: Processes, lifeline: Lifeline) -> None:
    spec = f"exec:{command('hangs', lifeline.path)}"
    playing = processes.aboveboard("play", spec, "random", "--game", "cribbage")
    playing.line(r"^pid \d+", "err")
    playing.send(signal.SIGTERM)
    playing.end()
    assert lifeline.all_gone()
