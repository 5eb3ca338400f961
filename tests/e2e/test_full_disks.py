"""Full disks, locked databases, no descriptors left: a line that says what to do, and it goes on.

A limit on the size of files stands in for a full disk: the process is told so at the same places.
"""

import re
import socket
import sqlite3
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from aboveboard_client.errors import OutsideFailure
from tests.e2e.serving import bot, join, new_key, serve, write_tournament
from tests.fakes.ports import free_port
from tests.fakes.processes import Ended, Process, Processes

pytestmark = pytest.mark.slow

NAMES = ("ada", "ben")


def limited(processes: Processes, limit: str, *words: object) -> Process:
    """Start the command line under a limit, as ``ulimit`` has it."""
    command = f'ulimit {limit} && exec "$@"'
    python = (sys.executable, "-m", "aboveboard_client")
    return processes.program("bash", "-c", command, "aboveboard", *python, *words)


def start(folder: Path, rounds: int = 8) -> Path:
    for name in NAMES:
        new_key(folder, name)
    return write_tournament(
        folder,
        games=("cribbage",),
        rounds=rounds,
        entrants=len(NAMES),
        listen=f"127.0.0.1:{free_port()}",
        limits={"grace": "60s"},
    )


def enter(
    processes: Processes, address: str, bots: tuple[str, ...] = ("random",) * 2
) -> list[Process]:
    return [
        processes.aboveboard("join", address, spec, "--name", name, "--key", f"{name}.key")
        for spec, name in zip(bots, NAMES, strict=True)
    ]


def failed(ended: Ended, line: str) -> None:
    assert ended.code == OutsideFailure.exit_code, str(ended)
    assert re.fullmatch(f"aboveboard: {line}\n", ended.err), str(ended)


def goes_on(processes: Processes, file: Path, bots: list[Process]) -> None:
    ended = processes.run("serve", file.name)
    assert ended.well, str(ended)
    assert ended.out.endswith("verdict: good, everything agrees\n")
    ends = [each.end() for each in bots]
    assert [each.code for each in ends] == [0] * len(bots), "\n".join(map(str, ends))


@pytest.mark.parametrize("kilobytes", [90, 250, 400])
def test_a_server_whose_disk_is_full_goes_on_once_there_is_room(
    kilobytes: int, processes: Processes
) -> None:
    file = start(processes.folder)
    server = limited(processes, f"-f {kilobytes}", "serve", file.name)
    bots = enter(processes, server.line(r"^listening on (\S+);")[1])
    failed(
        server.end(),
        r"cannot write \S+tournament\.db: (disk I/O error|database or disk is full); make room, or"
        " see what is wrong with the disk, and serve again: all that was taken is stored",
    )
    goes_on(processes, file, bots)


def test_a_server_whose_database_is_locked_goes_on_once_it_is_free(processes: Processes) -> None:
    (processes.folder / "gate").touch()
    file = start(processes.folder, rounds=1)
    server, address = serve(processes, file)
    bots = enter(processes, address, (bot("gated", "Waits"), "random"))
    bots[0].line("^at the gate$")
    with closing(sqlite3.connect(processes.folder / "evening" / "tournament.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        (processes.folder / "gate").unlink()
        failed(
            server.end(),
            r"cannot write \S+tournament\.db: database is locked; end the program that holds it,"
            " and serve again: all that was taken is stored",
        )
    goes_on(processes, file, bots)


def test_an_archive_that_finds_no_room_is_written_once_there_is_some(
    processes: Processes,
) -> None:
    file = start(processes.folder, rounds=1)
    whole, address = serve(processes, file)
    bots = enter(processes, address)
    assert whole.end().well
    assert [each.end().code for each in bots] == [0, 0]
    archive = processes.folder / "evening" / "archive"
    before = {path.name: path.read_bytes() for path in archive.rglob("*") if path.is_file()}
    ended = limited(processes, "-f 40", "serve", file.name).end()
    failed(ended, r"the archive \S+: File too large; make room, and serve again")
    assert {p.name: p.read_bytes() for p in archive.rglob("*") if p.is_file()} == before
    goes_on(processes, file, [])
    assert {p.name: p.read_bytes() for p in archive.rglob("*") if p.is_file()} == before


def test_a_bot_whose_disk_is_full_ends_with_a_line_and_goes_on_in_its_match(
    processes: Processes,
) -> None:
    file = start(processes.folder, rounds=1)
    server, address = serve(processes, file)
    words = ("join", address, "random", "--name", "ada", "--key", "ada.key")
    ada = limited(processes, "-f 8", *words)
    ben = join(processes, address, "random", "ben", "--key", "ben.key")
    ended = ada.end()
    assert ended.code == OutsideFailure.exit_code, str(ended)
    assert re.match(
        r"aboveboard: the journal \S+ cannot be written: File too large; make room, and go on with"
        " the same command",
        ended.err.splitlines()[-1],
    ), str(ended)
    ada = processes.aboveboard(*words)
    ended = server.end()
    assert ended.well, str(ended)
    assert "disconnected" not in re.sub("ada is disconnected", "", ended.out)
    assert [ada.end().code, ben.end().code] == [0, 0]


def test_a_server_without_descriptors_for_more_connections_serves_those_it_has(
    processes: Processes,
) -> None:
    file = start(processes.folder, rounds=1)
    server = limited(processes, "-n 64", "serve", file.name)
    address = server.line(r"^listening on (\S+);")[1]
    host, _, port = address.rpartition(":")
    ada = join(processes, address, "random", "ada", "--key", "ada.key")
    with ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(socket.create_connection((host, int(port))))
        assert server.line("^ada has entered")
    ben = join(processes, address, "random", "ben", "--key", "ben.key")
    ended = server.end()
    assert ended.code == 0, str(ended)
    assert ended.out.endswith("verdict: good, everything agrees\n")
    assert [ada.end().code, ben.end().code] == [0, 0]
