"""Backups as people take them: of a running server, put back, and gone on from where one may."""

import shutil
import signal
from pathlib import Path

import pytest

from tests.e2e.serving import new_key, serve, write_tournament
from tests.fakes.ports import free_port
from tests.fakes.processes import Process, Processes

pytestmark = pytest.mark.slow

NAMES = ("ada", "ben", "cleo")


def start(folder: Path) -> Path:
    for name in NAMES:
        new_key(folder, name)
    return write_tournament(
        folder,
        rounds=2,
        entrants=len(NAMES),
        listen=f"127.0.0.1:{free_port()}",
        limits={"grace": "60s"},
    )


def enter(processes: Processes, address: str, name: str) -> Process:
    process = processes.aboveboard(
        "join", address, "random", "--name", name, "--key", f"{name}.key"
    )
    process.line("^entered ")
    return process


def restored(processes: Processes) -> None:
    """Lose the state folder, and put the backup back."""
    shutil.rmtree(processes.folder / "evening")
    ended = processes.run("restore", "b.tar", "evening")
    assert ended.well, str(ended)
    assert "what was written is there" in ended.out


def test_moved_by_a_backup_of_the_stopped_server_the_tournament_goes_on(
    processes: Processes,
) -> None:
    file = start(processes.folder)
    server, address = serve(processes, file)
    bots = [enter(processes, address, name) for name in NAMES]
    server.line(r"^  r1-b1 .* : ")
    server.send(signal.SIGTERM)
    server.end()
    ended = processes.run("backup", "evening.toml", "b.tar")
    assert ended.well, str(ended)
    assert "it holds private keys" in ended.out
    restored(processes)
    ended = processes.run("serve", file.name, "--restored")
    assert ended.well, str(ended)
    assert "the organiser vouches for it" in ended.out
    assert ended.out.endswith("verdict: good, everything agrees\n")
    assert [each.end().code for each in bots] == [0] * len(NAMES)


def test_a_backup_that_bots_have_seen_more_than_is_not_gone_on_from(
    processes: Processes,
) -> None:
    file = start(processes.folder)
    server, address = serve(processes, file)
    bots = [enter(processes, address, name) for name in NAMES[:2]]
    assert processes.run("backup", "evening", "b.tar").well
    bots.append(enter(processes, address, "cleo"))
    server.line("^Round 1:")
    server.kill()
    restored(processes)
    ended = processes.run("serve", file.name)
    assert ended.code == 2, str(ended)
    assert ended.err.startswith("aboveboard: this state is older than what was shown to others: ")
    assert "and 3 are stored here. Nothing more is signed" in ended.err
    assert "Round 1" not in ended.out
    for each in bots:
        said = each.kill()
        assert "proof in" not in said.err + said.out
