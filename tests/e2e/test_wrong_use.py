"""Wrong use: one clear line on standard error, exit code 2, and nothing written by it."""

import shutil
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from aboveboard_referee.host.frames import PROTOCOL
from tests.e2e.conftest import Finished
from tests.e2e.serving import bot, files, join, new_key, serve, write_tournament
from tests.fakes.processes import Ended, Process, Processes
from tests.fakes.witnesses import ForkedLog

PEERS = Path(__file__).parent / "peers"

WITHOUT_UVLOOP = (
    "import sys; sys.modules['uvloop'] = None\nfrom aboveboard_client.cli import main; main()"
)
"""The command line as it is where the faster loop is not installed."""


def assert_wrong_use(ended: Ended, *words: str) -> None:
    """Exit code 2, and one line with all these words in it."""
    assert ended.code == 2, str(ended)
    assert ended.err.startswith("aboveboard: "), str(ended)
    assert ended.err.count("\n") == 1, str(ended)
    for word in words:
        assert word in ended.err


# --- The tournament's file -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('rounds = 1\ngames = ["whist"]\n', ("line 2: games", "unknown game 'whist'", "allegra")),
        ('rounds = 1\ngames = ["cribbage"\n', ("line 3", "Unclosed array")),
        ('rounds = 1\nentrants = two\ngames = ["cribbage"]\n', ("line 2: entrants", "Invalid")),
        ('games = ["cribbage"]\nrounds = 1\nentrans = 2\n', ("line 3: entrans", "mean entrants?")),
        ('games = ["cribbage"]\nrounds = "1"\n', ("line 2: rounds", "a number from 1 to 1000")),
        ('games = "cribbage"\nrounds = 1\n', ("line 1: games", "a list of games")),
        ('games = ["cribbage"]\nrounds = 1\n[clock]\nmove = 10\n', ("line 4: clock.move", '"10s"')),
    ],
)
def test_a_file_that_is_wrong_is_named_with_line_and_key(
    processes: Processes, text: str, words: tuple[str, ...]
) -> None:
    (processes.folder / "evening.toml").write_text(text)
    ran = processes.run("serve", "evening.toml")
    assert_wrong_use(ran, "evening.toml", *words)
    assert ran.out == ""
    assert set(files(processes.folder)) == {"evening.toml"}
    assert not (processes.folder / "evening").exists()


def test_a_file_that_is_not_there_is_named(processes: Processes) -> None:
    assert_wrong_use(processes.run("serve", "evening.toml"), "evening.toml")
    assert not files(processes.folder)


def test_a_port_in_use_is_named_and_another_one_will_do(processes: Processes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        file = write_tournament(processes.folder, listen=address)
        assert_wrong_use(processes.run("serve", file.name), address, "in use")
    serve(processes, write_tournament(processes.folder))


@pytest.mark.parametrize("command", ["serve", "witness"])
def test_an_address_in_use_is_one_line_on_pythons_own_loop_too(
    processes: Processes, command: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        words: tuple[object, ...] = (write_tournament(processes.folder, listen=address).name,)
        if command == "witness":
            new_key(processes.folder, "w")
            words = ("--key", "w.key", "--name", "club.example/w", "--state", "ws")
            words += ("--listen", address, "--log", ForkedLog(size=1).key.vkey())
        ran = processes.python("-c", WITHOUT_UVLOOP, command, *words).end()
    assert_wrong_use(ran, address, "in use")


def test_a_changed_file_is_held_against_the_tournament_that_is_there(
    finished: Finished, processes: Processes
) -> None:
    state = shutil.copytree(finished.state, processes.folder / "evening")
    before = files(state)
    text = (finished.folder / "evening.toml").read_text()
    changed = text.replace("rounds = 3", "rounds = 4").replace('"60s"', '"61s"')
    (processes.folder / "evening.toml").write_text(changed)
    assert_wrong_use(processes.run("serve", "evening.toml"), "evening.toml", "rounds, clock")
    assert files(state) == before


# --- Key files -----------------------------------------------------------------------------


def pem(private: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> bytes:
    return private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"my dog's name\n", ("my.key", "no private key")),
        (pem(ec.generate_private_key(ec.SECP256R1())), ("my.key", "Ed25519")),
        (pem(rsa.generate_private_key(65537, 2048)), ("my.key", "Ed25519")),
    ],
    ids=["no key", "EC", "RSA"],
)
def test_a_file_that_is_no_ed25519_key_is_named(
    processes: Processes, content: bytes, words: tuple[str, ...]
) -> None:
    path = processes.folder / "my.key"
    path.write_bytes(content)
    path.chmod(0o600)
    assert_wrong_use(processes.run("join", "127.0.0.1:1", "random", "--key", "my.key"), *words)
    assert path.read_bytes() == content


@pytest.mark.parametrize("state", ["missing", "open to others"])
def test_join_start_and_serve_are_alike_in_the_keys_that_they_refuse(
    processes: Processes, state: str
) -> None:
    words = ["there is no key file my.key"] * 2 + ["a key file that is not there: my.key"]
    if state == "open to others":
        new_key(processes.folder, "my").chmod(0o644)
        words = ["chmod 600 my.key"] * 3
    write_tournament(processes.folder, organiser_key="my.key")
    before = files(processes.folder)
    started = [
        processes.aboveboard("join", "127.0.0.1:1", "random", "--key", "my.key"),
        processes.aboveboard("start", "127.0.0.1:1", "--key", "my.key"),
        processes.aboveboard("serve", "evening.toml"),
    ]
    for process, word in zip(started, words, strict=True):
        assert_wrong_use(process.end(), word)
    assert files(processes.folder) == before


def test_no_key_file_is_ever_overwritten(processes: Processes) -> None:
    assert processes.run("key", "new", "my.key").code == 0
    before = files(processes.folder)
    assert_wrong_use(processes.run("key", "new", "my.key"), "my.key", "not overwritten")
    assert files(processes.folder) == before


# --- At the door of a tournament that waits for its entrants -------------------------------


@dataclass(frozen=True)
class Waiting:
    """A tournament of cribbage that ``ada`` has entered and that has not begun."""

    processes: Processes
    address: str
    ada: Process

    def run(self, *words: object) -> Ended:
        return self.processes.run(*words)

    @property
    def state(self) -> Path:
        return self.processes.folder / "evening"


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Waiting]:
    with Processes(tmp_path_factory.mktemp("waiting")) as processes:
        for name in ("ada", "other"):
            new_key(processes.folder, name)
        _, address = serve(processes, write_tournament(processes.folder))
        yield Waiting(
            processes, address, join(processes, address, "random", "ada", "--key", "ada.key")
        )


def test_a_name_that_another_key_has_is_taken(waiting: Waiting) -> None:
    ran = waiting.run("join", waiting.address, "random", "--name", "ada", "--key", "other.key")
    assert_wrong_use(ran, "the name ada is taken")


def test_names_that_look_alike_are_one_name(waiting: Waiting) -> None:
    ran = waiting.run("join", waiting.address, "random", "--name", "ADA", "--key", "other.key")
    assert_wrong_use(ran, "is taken")


def test_a_key_enters_under_one_name(waiting: Waiting) -> None:
    words = ("--name", "eve", "--key", "ada.key", "--state", "eve")
    ran = waiting.run("join", waiting.address, "random", *words)
    assert_wrong_use(ran, "this key has entered already", "ada")


def test_a_second_process_of_a_bot_is_told_that_the_first_still_runs(waiting: Waiting) -> None:
    ran = waiting.run("join", waiting.address, "random", "--name", "ada", "--key", "ada.key")
    assert_wrong_use(ran, "ada.key.state", "in use by another process of this bot")


def test_a_bot_that_does_not_play_the_games_stays_out(waiting: Waiting) -> None:
    ran = waiting.run("join", waiting.address, "allegra-house")
    assert_wrong_use(ran, "cribbage", "does not play")


def test_another_organiser_than_the_one_who_is_meant_is_not_entered_with(waiting: Waiting) -> None:
    ran = waiting.run("join", waiting.address, "random", "--organiser", "other.key")
    assert_wrong_use(ran, "the organiser there is")


def test_a_bot_of_another_protocol_is_told_so_by_the_server(waiting: Waiting) -> None:
    ran = waiting.processes.python(PEERS / "later_client.py", waiting.address).end()
    assert ran.code == 0, str(ran)
    assert ran.out.startswith("REFUSAL_CODE_PROTOCOL ")
    assert f"the server speaks protocol {PROTOCOL}" in ran.out
    assert "upgrade this server" in ran.out


def test_a_server_of_another_protocol_is_not_played_with(processes: Processes) -> None:
    server = processes.python(PEERS / "later_server.py")
    address = server.line("^listening on (.+);")[1]
    ran = processes.run("join", address, "random")
    assert_wrong_use(ran, f"the server speaks protocol {PROTOCOL + 1}", "upgrade this program")


def test_a_second_server_does_not_touch_the_store_of_the_first(waiting: Waiting) -> None:
    before = files(waiting.state)
    ran = waiting.run("serve", "evening.toml")
    assert_wrong_use(ran, "evening/tournament.db", "in use by another server")
    assert files(waiting.state) == before


def test_only_the_organisers_key_begins_a_tournament(waiting: Waiting) -> None:
    ran = waiting.run("start", waiting.address, "--key", "other.key")
    assert_wrong_use(ran, "organiser")


def test_a_tournament_of_one_does_not_begin(waiting: Waiting) -> None:
    ran = waiting.run("start", waiting.address, "--key", "evening/organiser.key")
    assert_wrong_use(ran, "1 entered so far")


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1:70000"])
def test_what_is_no_address_is_not_dialled(processes: Processes, address: str) -> None:
    assert_wrong_use(processes.run("join", address, "random"), repr(address), "HOST:PORT")


def test_an_unknown_bot_is_named(processes: Processes) -> None:
    assert_wrong_use(processes.run("join", "127.0.0.1:1", "nobody"), "no bot 'nobody'", "house")


def test_after_the_start_entries_are_closed_and_there_is_no_second_one(
    processes: Processes,
) -> None:
    file = write_tournament(processes.folder, entrants=2)
    server, address = serve(processes, file)
    for name in ("ada", "ben"):
        join(processes, address, bot("faulty", "Hangs"), name)
    server.line("^Round 1:")
    assert_wrong_use(processes.run("join", address, "random"), "entries are closed")
    ran = processes.run("start", address, "--key", "evening/organiser.key")
    assert_wrong_use(ran, "it has begun already")


# --- A newer process of the same bot -------------------------------------------------------


def test_of_two_processes_with_one_key_the_newer_one_stays(waiting: Waiting) -> None:
    elsewhere = ("--key", "ada.key", "--state", "elsewhere")
    newer = join(waiting.processes, waiting.address, "random", "ada", *elsewhere)
    older = waiting.ada.end()
    assert older.code == 3, str(older)
    assert older.err.startswith("aboveboard: this process has been replaced by a newer one: ")
    assert older.err.count("\n") == 1
    newer.kill()
