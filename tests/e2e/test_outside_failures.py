"""Failures that are nobody's fault: one line on standard error, exit code 3."""

import signal
import socket

import pytest

from tests.e2e.serving import bot, join, new_key, serve, write_tournament
from tests.fakes.processes import Processes


@pytest.mark.parametrize("command", ["join", "start"])
def test_nobody_at_the_address_is_a_failure_outside(processes: Processes, command: str) -> None:
    new_key(processes.folder, "my")
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # and does not listen
        address = f"127.0.0.1:{bound.getsockname()[1]}"
        bots = ["random"] if command == "join" else []
        ran = processes.run(command, address, *bots, "--key", "my.key")
    assert ran.code == 3, str(ran)
    assert address in ran.err
    assert ran.err.startswith("aboveboard: ")
    assert ran.err.count("\n") == 1


def test_a_bot_whose_server_dies_ends_with_one_line(processes: Processes) -> None:
    server, address = serve(processes, write_tournament(processes.folder))
    waiting = join(processes, address, "random", "ada", "--patience", "0s")
    server.send(signal.SIGKILL)
    ran = waiting.end()
    assert ran.code == 3, str(ran)
    assert ran.err.startswith("aboveboard: the connection to the server is lost: ")
    assert ran.err.count("\n") == 1


def test_a_bot_that_thinks_when_its_server_dies_ends_too(processes: Processes) -> None:
    (processes.folder / "gate").touch()
    server, address = serve(processes, write_tournament(processes.folder, entrants=2))
    thinking = join(processes, address, bot("gated", "Waits"), "ada", "--patience", "0s")
    join(processes, address, "random", "ben")
    thinking.line("^at the gate$")
    server.send(signal.SIGKILL)
    ran = thinking.end()
    assert ran.code == 3, str(ran)
    match, reason = ran.err.splitlines()
    assert match.startswith("r1-b1 (cribbage): the connection to the referee is lost: ")
    assert reason.startswith("aboveboard: the connection to the server is lost: ")
