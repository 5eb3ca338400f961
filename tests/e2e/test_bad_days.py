"""What goes wrong on an organiser's bad day ends in one line, and loses nothing."""

import signal
import socket
import subprocess
import sys
from typing import Any

import pytest

from tests.e2e.serving import files, join, new_key, serve, write_tournament
from tests.fakes.processes import Ended, Processes


def assert_wrong_use(ended: Ended) -> None:
    assert ended.code == 2, str(ended)
    assert ended.err.startswith("aboveboard: "), str(ended)
    assert ended.err.count("\n") == 1, str(ended)


@pytest.mark.parametrize("listen", ["192.0.2.1:0", "no.such.host.invalid:0", "127.0.0.1:\u0661"])
def test_an_address_that_cannot_be_listened_on_is_one_line(
    processes: Processes, listen: str
) -> None:
    write_tournament(processes.folder, listen=listen)
    assert_wrong_use(processes.run("serve", "evening.toml"))


@pytest.mark.parametrize("key", ["organiser_key", "referee_key"])
def test_a_missing_key_leaves_no_state_folder(processes: Processes, key: str) -> None:
    keys: Any = {key: "missing.key"}
    write_tournament(processes.folder, **keys)
    assert_wrong_use(processes.run("serve", "evening.toml"))
    assert set(files(processes.folder)) == {"evening.toml"}
    assert not (processes.folder / "evening").exists()


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1:", "127.0.0.1:70000"])
def test_start_dials_no_address_that_is_none(processes: Processes, address: str) -> None:
    new_key(processes.folder, "my")
    assert_wrong_use(processes.run("start", address, "--key", "my.key"))


def test_after_a_port_in_use_the_file_can_be_put_right(processes: Processes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        write_tournament(processes.folder, listen=address, rounds=1)
        assert_wrong_use(processes.run("serve", "evening.toml"))
    serve(processes, write_tournament(processes.folder, rounds=2))


def test_start_can_be_interrupted(processes: Processes) -> None:
    new_key(processes.folder, "my")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        started = processes.aboveboard("start", address, "--key", "my.key")
        connection, _ = silent.accept()  # so it has dialled, and waits
        with connection:
            connection.recv(1)
            started.send(signal.SIGINT)
            ended = started.end()
    assert ended.code == 130, str(ended)
    assert ended.err.count("\n") <= 1, str(ended)


def test_a_tournament_outlives_the_reader_of_its_output(processes: Processes) -> None:
    file = write_tournament(processes.folder, entrants=2)
    server = subprocess.Popen(
        [sys.executable, "-m", "aboveboard_client", "serve", file.name],
        cwd=processes.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    assert server.stderr is not None
    try:
        listening = next(line for line in server.stdout if line.startswith("listening on "))
        address = listening.split()[2].rstrip(";")
        server.stdout.close()
        bots = [
            processes.aboveboard("join", address, "random", "--name", name)
            for name in ("ada", "ben")
        ]
        assert [bot.end().code for bot in bots] == [0, 0]
        assert server.wait(60) in (0, 141)
        assert "Traceback" not in server.stderr.read()
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


@pytest.mark.parametrize(
    "words",
    [
        ("serve", "--example"),
        ("play", "random", "random", "--game", "cribbage", "--games", "1"),
        ("--help",),
    ],
    ids=lambda words: words[0],
)
def test_a_full_disk_under_the_output_is_an_outside_failure(words: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "aboveboard_client", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (ended.returncode, ended.stderr.count("\n")) == (3, 1), ended.stderr


def test_a_bot_that_ends_the_program_is_named_in_a_local_game(processes: Processes) -> None:
    (processes.folder / "quits.py").write_text(
        "import sys\n\n\nclass Quits:\n    def choose(self, turn):\n        sys.exit(0)\n"
    )
    ended = processes.run("play", "quits.py:Quits", "house", "--game", "cribbage", "--games", "2")
    assert ended.code == 2
    assert "raised SystemExit in game 1" in ended.err


def test_what_is_no_transcript_is_wrong_use_and_nobodys_fault(processes: Processes) -> None:
    (processes.folder / "notes.txt").write_text("nothing of the kind\n")
    assert_wrong_use(processes.run("verify", "notes.txt"))


def test_a_key_that_is_missing_is_named_and_not_made_anew(processes: Processes) -> None:
    server, _ = serve(processes, write_tournament(processes.folder))
    server.send(signal.SIGTERM)
    assert server.end().code == 143
    (processes.folder / "evening" / "organiser.key").unlink()
    ended = processes.run("serve", "evening.toml")
    assert_wrong_use(ended)
    assert "organiser.key is missing" in ended.err
    assert not (processes.folder / "evening" / "organiser.key").exists()


def test_a_bot_comes_back_with_its_key_and_name_whatever_its_class_is_called(
    processes: Processes,
) -> None:
    new_key(processes.folder, "ada")
    _, address = serve(processes, write_tournament(processes.folder))
    first = join(processes, address, "random", "ada", "--key", "ada.key")
    first.kill()
    join(processes, address, "house", "ada", "--key", "ada.key")


def test_a_state_that_is_a_file_is_wrong_use(processes: Processes) -> None:
    (processes.folder / "evening.toml").write_text(
        'games = ["cribbage"]\nrounds = 1\nstate = "evening.toml"\n'
    )
    assert_wrong_use(processes.run("serve", "evening.toml"))


def test_a_wrong_value_in_an_inline_table_has_its_line_too(processes: Processes) -> None:
    (processes.folder / "evening.toml").write_text(
        'games = ["cribbage"]\nrounds = 1\nclock = {move = "soon"}\n'
    )
    ended = processes.run("serve", "evening.toml")
    assert_wrong_use(ended)
    assert "line 3" in ended.err
