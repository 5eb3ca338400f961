"""Commands that need nobody else: `play` and `demo`."""

import re
import signal
import sys
from pathlib import Path

import pytest

from tests.e2e.serving import files, write_tournament
from tests.fakes.processes import Processes


def test_a_seed_gives_the_same_games_again(processes: Processes) -> None:
    folder = processes.folder
    words = ("play", "house", "random", "--game", "nebraska:poker", "--games", 2, "--seed", "tea")
    started = [processes.aboveboard(*words, "--out", out) for out in ("one", "two")]
    first, second = (process.end() for process in started)
    assert (first.code, first.err) == (0, "")
    assert first.out.splitlines()[:3] == second.out.splitlines()[:3]
    assert set(files(folder / "one")) == {"g1.records", "g2.records"}
    assert files(folder / "one") == files(folder / "two")
    other = processes.run(*words[:-1], "coffee", "--out", "three")
    assert other.code == 0
    assert files(folder / "three") != files(folder / "one")


def test_an_interrupted_run_tells_the_result_so_far_and_leaves_nobody_playing(
    processes: Processes,
) -> None:
    (processes.folder / "mine.py").write_text(
        "import os\nclass Mine:\n    def __init__(self):\n"
        "        open(str(os.getpid()) + '.pid', 'w').close()\n"
        "    def choose(self, turn):\n        return turn.legal[0]\n"
    )
    words = ("mine", "random", "--game", "nebraska:family", "--games", 1000, "--cores", 2)
    playing = processes.aboveboard("play", *words)
    playing.line("^game 2:")
    playing.send(signal.SIGINT)
    ended = playing.end()
    assert ended.code == 130
    assert re.search(r"^mine +[0-9.]+ +\d+ ", ended.out, re.MULTILINE)
    assert ended.out.splitlines()[-1].startswith("  aboveboard play mine random ")
    played = [int(file.stem) for file in processes.folder.glob("*.pid")]
    assert len(played) > 2
    assert not [pid for pid in played if Path(f"/proc/{pid}/exe").exists()]


def test_every_command_that_is_printed_is_called_as_this_one_was(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In an environment that the shell does not know, as README has one made."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (processes.folder / "bin").symlink_to(Path(sys.executable).parent)
    (processes.folder / "bad.py").write_text(
        "class Bad:\n    def choose(self, turn):\n        raise LookupError\n"
    )

    play = ("play", "random", "random", "-g", "nebraska:family", "-n", 1, "--out", "games")
    check = ("check", "bad", "--only", "cribbage/2/go")
    for process in [processes.program("bin/aboveboard", *words) for words in (play, check)]:
        said = str(process.end())
        assert "bin/aboveboard " in said
        assert not re.search(r"(?<!bin/)\baboveboard [a-z]", said), said

    file = write_tournament(processes.folder, entrants=None)
    server = processes.program("bin/aboveboard", "serve", file.name)
    start = server.line("^begins at the organiser's word: (.+)$")[1]
    address = server.line(r"^listening on (\S+); bots join with: aboveboard join (\S+) BOT$")[1]
    assert start == f"bin/aboveboard start {address} --key KEY"
    server.send(signal.SIGTERM)
    assert server.end().err == "stopped; go on with: bin/aboveboard serve evening.toml\n"


def test_a_demo_plays_and_verifies_a_tournament_of_processes(processes: Processes) -> None:
    words = ("--bots", 4, "--rounds", 2, "--game", "cribbage", "--game", "nebraska:family")
    ended = processes.run("demo", *words, "--folder", "shown")
    assert ended.well, str(ended)
    lines = ended.out.splitlines()
    assert "$ aboveboard serve shown/tournament.toml" in lines
    assert "Round 1: cribbage" in lines
    assert "Round 2: nebraska:family" in lines
    assert any("4 entries, 2 rounds, 4 pairings, 4 matches," in line for line in lines)
    assert lines[-1] == "verdict: good, everything agrees"
    assert (processes.folder / "shown" / "archive" / "log" / "leaves.records").exists()


def test_a_demo_does_not_play_into_a_folder_that_is_there(processes: Processes) -> None:
    (processes.folder / "shown").mkdir()
    ended = processes.run("demo", "--folder", "shown")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "aboveboard: shown is there already; choose another folder\n"
    assert not list((processes.folder / "shown").iterdir())


@pytest.mark.slow
def test_the_whole_demo_shows_every_game_and_ends_well(processes: Processes) -> None:
    ended = processes.run("demo")
    assert ended.well, str(ended)
    games = [line for line in ended.out.splitlines() if line.startswith("Round ")]
    assert sorted(line.partition(": ")[2] for line in games) == [
        "allegra",
        "cribbage",
        "cribbage:source",
        "nebraska:expert",
        "nebraska:family",
        "nebraska:poker",
    ]
    assert "8 entries, 6 rounds, 24 pairings, 24 matches," in ended.out
    assert ended.out.endswith("verdict: good, everything agrees\n")
