"""The bots of ``examples/`` in whole tournaments, beside bots in Python.

Run by ``make test-js``, which installs what the bot in JavaScript needs. It is no part of
the other suites, which go without Node.
"""

import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from tests.e2e.serving import join, serve, write_tournament
from tests.fakes.processes import Ended, Process, Processes

EXAMPLES = Path(__file__).parents[2] / "examples"
BOT = EXAMPLES / "javascript" / "bot.js"
PROXY = Path(__file__).parent / "peers" / "cutting_proxy.py"
GAMES = (
    "cribbage",
    "nebraska:family",
    "allegra",
    "nebraska:expert",
    "cribbage:source",
    "nebraska:poker",
)

FIRST = "export const choose = (turn) => turn.legal[0];\n"
"""The least strategy that there is."""

WAITS = """
let turns = 0;
export async function choose(turn) {
  turns += 1;
  if (turns > 12) {
    console.log("waits");
    await new Promise(() => {});
  }
  return turn.legal.at(-1);
}
"""
"""Plays some turns, and then thinks until it is killed."""


def javascript(processes: Processes, address: str, name: str, *options: object) -> Process:
    """Start the bot in JavaScript and wait until it has entered."""
    node = shutil.which("node")
    assert node is not None, "make test-js has looked for it"
    process = processes.program(node, BOT, address, "--name", name, *options)
    process.line("^entered as ")
    return process


def lines(processes: Processes, address: str, name: str) -> Process:
    """Start the bot that talks lines, behind ``join --exec``."""
    command = shlex.join([sys.executable, str(EXAMPLES / "stdio" / "bot.py")])
    process = processes.aboveboard("join", address, "--exec", command, "--name", name)
    process.line("^entered ")
    return process


def choosing(folder: Path, name: str, text: str) -> Path:
    file = folder / f"{name}.mjs"
    file.write_text(text)
    return file


def assert_verified(server: Process, folder: Path) -> None:
    ended = server.end()
    assert ended.well, ended
    assert ended.out.splitlines()[-1] == "verdict: good, everything agrees"
    assert Processes(folder).run("verify", "evening/archive").code == 0


AWAY = "over while the connection was lost"


def results(ended: Ended) -> list[str]:
    """How the matches of a bot in JavaScript ended."""
    return re.findall(rf"^\S+: (?:won|lost|drew|{AWAY})\b.*", ended.out, re.MULTILINE)


def assert_played(ended: Ended, matches: int, away: bool = False) -> None:
    """It ended well, after so many matches, each of them played to its end by the rules.

    A bot whose connections break may be ``away`` as a match ends.
    """
    assert ended.well, ended
    told = results(ended)
    assert len(told) == matches, ended
    assert all(" points, rank " in line or (away and AWAY in line) for line in told), ended
    assert "not legal" not in ended.out
    assert "failed" not in ended.out
    assert re.search(r"^the tournament is over: rank \d$", ended.out, re.MULTILINE)


def test_bots_in_other_languages_play_every_game_to_a_verified_archive(
    processes: Processes, tmp_path: Path
) -> None:
    file = write_tournament(tmp_path, games=GAMES, rounds=len(GAMES), entrants=4)
    server, address = serve(processes, file)
    first = choosing(tmp_path, "first", FIRST)
    scripts = [
        javascript(processes, address, "script"),
        javascript(processes, address, "first", "--choose", first, "--capacity", 1),
    ]
    others = [lines(processes, address, "lines"), join(processes, address, "house", "house")]
    for script in scripts:
        assert_played(script.end(), len(GAMES))
    for other in others:
        ended = other.end()
        assert ended.well, ended
        assert ended.out.count("(played-out)") == len(GAMES)
    assert_verified(server, tmp_path)


def test_tables_of_three_and_tls_are_the_same_to_it(processes: Processes, tmp_path: Path) -> None:
    games = ("nebraska:poker", "allegra", "cribbage")
    file = write_tournament(tmp_path, games=games, rounds=3, entrants=3, seats=3)
    server, address = serve(processes, file, "--tls")
    assert address.startswith("tls://")
    scripts = [javascript(processes, address, f"script-{number}") for number in range(2)]
    other = join(processes, address, "house", "house")
    for script in scripts:
        assert_played(script.end(), len(games))
    assert other.end().well
    assert_verified(server, tmp_path)


@pytest.mark.parametrize("game", ["cribbage", "nebraska:family"])
def test_a_bot_killed_in_the_middle_of_a_match_goes_on_with_it(
    processes: Processes, tmp_path: Path, game: str
) -> None:
    file = write_tournament(tmp_path, games=(game,), rounds=1, entrants=2, limits={"grace": "60s"})
    server, address = serve(processes, file)
    waits = choosing(tmp_path, "waits", WAITS)
    killed = javascript(processes, address, "script", "--key", "script.key", "--choose", waits)
    other = join(processes, address, "random", "other")
    killed.line("^waits$")
    killed.kill()
    script = javascript(processes, address, "script", "--key", "script.key")
    assert_played(script.end(), 1)
    assert other.end().well
    assert_verified(server, tmp_path)


def test_a_network_that_breaks_again_and_again_costs_it_nothing(
    processes: Processes, tmp_path: Path
) -> None:
    games = ("nebraska:family", "allegra", "cribbage")
    file = write_tournament(tmp_path, games=games, rounds=3, entrants=2, limits={"grace": "60s"})
    server, address = serve(processes, file)
    proxy = processes.python(PROXY, address, 60_000)
    broken = f"127.0.0.1:{proxy.line('^[0-9]+$')[0]}"
    script = javascript(processes, broken, "script")
    other = join(processes, address, "random", "other")
    ended = script.end()
    assert_played(ended, len(games), away=True)
    assert ended.out.count("connection lost: ") > 6
    assert other.end().well
    assert_verified(server, tmp_path)


def test_who_is_refused_is_told_why_in_a_line(processes: Processes, tmp_path: Path) -> None:
    file = write_tournament(tmp_path, games=("allegra",), rounds=1, entrants=2)
    server, address = serve(processes, file)
    javascript(processes, address, "script")
    node = shutil.which("node")
    taken = processes.program(node, BOT, address, "--name", "script").end()
    assert (taken.code, taken.err.count("\n")) == (2, 1)
    assert taken.err.startswith("bot: the server refuses: ")
    wrong = processes.program(node, BOT, address, "--name", "b", "--organiser", "ab" * 32).end()
    assert wrong.code == 2
    assert wrong.err.endswith("not the one you named\n")
    server.kill()
    away = processes.program(node, BOT, address, "--name", "b").end()
    assert away.code == 2
    assert away.err.startswith(f"bot: nobody answers at {address}: ")
