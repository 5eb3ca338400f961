"""Stopped by a signal at whatever moment: in order, with a command that goes on, and it does."""

import re
import shlex
import signal
from pathlib import Path

import pytest

from tests.e2e.serving import bot, join, new_key, serve, write_tournament
from tests.fakes.ports import free_port
from tests.fakes.processes import Ended, Process, Processes

NAMES = ("ada", "ben", "cleo")

MOMENTS = {
    "entries": r"^ben has entered",
    "pairing": r"^Round 1:",
    "mid-round": r"^  r1-b1 .* : ",
    "the next round": r"^Round 2:",
    "the last match": r"^  r2-b1 .* : ",
}


def go_on(processes: Processes, ended: Ended) -> Process:
    """What the last line of a process that was stopped says to type."""
    command = re.search(r"go on with: aboveboard (.+)\n$", ended.err)
    assert command, str(ended)
    return processes.aboveboard(*shlex.split(command[1]))


def start(folder: Path) -> Path:
    for name in NAMES:
        new_key(folder, name)
    return write_tournament(
        folder,
        games=("allegra", "nebraska:poker"),
        rounds=2,
        entrants=len(NAMES),
        listen=f"127.0.0.1:{free_port()}",
        limits={"grace": "30s"},
    )


def check_stop(processes: Processes, moment: str, number: signal.Signals) -> None:
    file = start(processes.folder)
    server, address = serve(processes, file, "--matches-at-once", "7")
    # Who has not entered when the server goes is told so, and tries no further.
    late = 1 if moment == "entries" else 0
    bots = [enter(processes, address, name) for name in NAMES[late:]]
    for each in bots:
        each.line("^entered ")
    server.line(MOMENTS[moment])
    server.send(number)
    ended = server.end()
    assert ended.code == 128 + number
    assert ended.err == ("stopped; go on with: aboveboard serve evening.toml --matches-at-once 7\n")
    server = go_on(processes, ended)
    server.line("^listening on ")
    bots += [enter(processes, address, name) for name in NAMES[:late]]
    ended = server.end()
    assert ended.well, str(ended)
    assert ended.out.endswith("verdict: good, everything agrees\n")
    ends = [each.end() for each in bots]
    assert [each.code for each in ends] == [0] * len(NAMES), str(ends)


def enter(processes: Processes, address: str, name: str) -> Process:
    return processes.aboveboard("join", address, "random", "--name", name, "--key", f"{name}.key")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_stopped_server_is_gone_on_from_and_its_bots_come_back_by_themselves(
    moment: str, number: signal.Signals, processes: Processes
) -> None:
    check_stop(processes, moment, number)


def test_a_bot_that_is_stopped_in_mid_match_says_how_to_go_on_and_does(
    processes: Processes,
) -> None:
    gate = processes.folder / "gate"
    gate.touch()
    for name in ("ada", "ben"):
        new_key(processes.folder, name)
    file = write_tournament(processes.folder, entrants=2, limits={"grace": "60s"})
    server, address = serve(processes, file)
    waits = bot("gated", "Waits")
    ada = join(processes, address, waits, "ada", "--key", "ada.key", "--patience", "2m")
    ben = join(processes, address, "random", "ben", "--key", "ben.key")
    ada.line("^at the gate$")
    ada.send(signal.SIGTERM)
    ended = ada.end()
    assert ended.code == 128 + signal.SIGTERM
    assert ended.err.splitlines()[-1] == (
        "aboveboard: stopped by SIGTERM; go on with: aboveboard join --name ada --key ada.key"
        f" --patience 120s {address} {waits}"
    )
    gate.unlink()
    ada = go_on(processes, ended)
    ended = server.end()
    assert ended.well, str(ended)
    assert ended.out.endswith("verdict: good, everything agrees\n")
    assert [ada.end().code, ben.end().code] == [0, 0]


@pytest.mark.slow
def test_a_bot_without_a_key_file_is_told_of_no_way_to_go_on(processes: Processes) -> None:
    _, address = serve(processes, write_tournament(processes.folder, entrants=2))
    ada = join(processes, address, "random", "ada")
    ada.send(signal.SIGINT)
    ended = ada.end()
    assert (ended.code, ended.err) == (130, "aboveboard: stopped by SIGINT\n")
