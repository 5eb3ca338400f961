"""``aboveboard join``: what is settled before anything goes over a network."""

import os
from pathlib import Path

import click
import pytest

from aboveboard_client.commands.join import default_name
from aboveboard_client.errors import WrongUse
from aboveboard_client.keys.certificate_file import load_certificate
from aboveboard_client.keys.keyfile import save_key
from aboveboard_client.public_log.trust import trusted
from aboveboard_client.state.state_folder import state_folder
from aboveboard_client.terminal.addresses import check_address
from aboveboard_client.terminal.durations import seconds
from aboveboard_referee.fairplay.certificate import certify_key
from aboveboard_referee.log.note import COSIGNATURE, NoteKey
from aboveboard_referee.tournament.ledger.entries import NAME
from tests.fakes.command_line import Run
from tests.fakes.keys import key
from tests.fakes.referees import NOW

KEY = key("mine")


@pytest.mark.parametrize(
    "address", ["localhost:7878", "10.0.0.1:1", "[::1]:65535", "cards.example.org:50051"]
)
def test_addresses_are_host_and_port(address: str) -> None:
    check_address(address)


@pytest.mark.parametrize(
    "address",
    ["", "localhost", ":7878", "localhost:", "localhost:0", "localhost:65536", "::1:80", "a:b"],
)
def test_anything_else_is_no_address(address: str) -> None:
    with pytest.raises(WrongUse, match="no HOST:PORT"):
        check_address(address)


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("house", "house"),
        ("cribbage-house", "cribbage-house"),
        ("/home/me/secret folder/bots.py:MyBot", "MyBot"),
        ("package.module:_Hidden", "Hidden"),
        ("bots.py:" + "A" * 60, "A" * 27),
        ("bots.py:Größe", "Gr--e"),
        ("bots.py:___", "bot"),
    ],
)
def test_the_default_name_is_the_bots_with_digits_of_the_key(spec: str, label: str) -> None:
    name = default_name(spec, KEY)
    assert name == f"{label}-{KEY.public.fingerprint()[:4]}"
    assert NAME.fullmatch(name)


def test_the_default_name_is_the_same_whenever_the_key_is() -> None:
    assert default_name("house", KEY) == default_name("house", KEY)
    assert default_name("house", KEY) != default_name("house", key("another"))


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["localhost", "random"], "no HOST:PORT"),
        (["localhost:1", "nobody"], "no bot 'nobody'"),
        (["localhost:1", "random", "--name", "two words"], "not 'two words'"),
        (["localhost:1", "random", "--name", ""], "1 to 32 letters"),
        (["localhost:1", "random", "--key", "nowhere.key"], "no key file nowhere.key"),
        (["localhost:1", "random", "--organiser", "ff" * 32], "no usable public key"),
        (["localhost:1", "random", "--capacity", "0"], "'--capacity'"),
        (["localhost:1", "random", "--patience", "soon"], 'like "250ms", "10s" or "5m"'),
        (["localhost:1", "random", "--state", "kept"], "--state goes with --key"),
        (["localhost:1", "random", "--trust", "nowhere.toml"], "no trust file nowhere.toml"),
        (["localhost:1", "random", "--witnesses-needed", "1"], "lists 0 witnesses: list more"),
        (["localhost:1", "random", "--certificate", "nowhere"], "'nowhere' does not exist"),
        (["localhost:1"], "Name a BOT"),
    ],
)
def test_wrong_use_is_one_line(run: Run, args: list[str], why: str) -> None:
    ran = run("join", *args)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1


def test_a_key_open_to_others_is_refused(run: Run, tmp_path: Path) -> None:
    save_key(tmp_path / "key", KEY)
    os.chmod(tmp_path / "key", 0o644)
    ran = run("join", "localhost:1", "random", "--key", tmp_path / "key")
    assert ran.code == 2
    assert "chmod 600" in ran.err


def test_an_address_where_nobody_listens_is_an_outside_failure(run: Run) -> None:
    ran = run("join", "127.0.0.1:1", "random", "--name", "me")
    assert ran.code == 3
    assert ran.out.startswith("joining 127.0.0.1:1 as me, ")
    assert ran.err.startswith("aboveboard: nobody answers at 127.0.0.1:1")
    assert ran.err.count("\n") == 1


# --- Who is trusted ------------------------------------------------------------------------------

WITNESSES = [NoteKey(f"w{i}", COSIGNATURE, key(f"w{i}").public) for i in range(3)]


def trust_file(folder: Path) -> Path:
    path = folder / "trust.toml"
    keys = [witness.vkey() for witness in WITNESSES]
    path.write_text(f"organiser = '{KEY.public.raw.hex()}'\nwitnesses = {keys}\n")
    return path


def test_a_trust_file_says_whom_to_trust_and_how_many_witnesses_are_needed(tmp_path: Path) -> None:
    trust = trusted(None, trust_file(tmp_path), None)
    assert (trust.organiser, trust.needed) == (KEY.public, 3)


def test_fewer_witnesses_can_be_demanded_than_the_file_does(tmp_path: Path) -> None:
    assert trusted(None, trust_file(tmp_path), 2).needed == 2


def test_the_organiser_is_not_two_people(tmp_path: Path) -> None:
    digits = KEY.public.raw.hex()
    assert trusted(digits, trust_file(tmp_path), None).organiser == KEY.public
    with pytest.raises(WrongUse, match="another key than the organiser's in"):
        trusted(key("another").public.raw.hex(), trust_file(tmp_path), None)


@pytest.mark.parametrize(
    ("role", "bot", "later_us", "why"),
    [
        ("entrant", "mine", 10**15, None),
        ("organiser", "mine", 10**15, "another key or role"),
        ("entrant", "another", 10**15, "another key or role"),
        ("entrant", "mine", -1, "has expired"),
    ],
)
def test_a_certificate_is_for_this_key_and_role_and_still_good(
    tmp_path: Path, role: str, bot: str, later_us: int, why: str | None
) -> None:
    path = tmp_path / "certificate"
    path.write_bytes(certify_key(key("long-term"), key(bot).public, role, NOW + later_us))
    if why is None:
        assert load_certificate(path, KEY.public, NOW) == path.read_bytes()
        return
    with pytest.raises(WrongUse, match=why):
        load_certificate(path, KEY.public, NOW)


# --- The state folder ----------------------------------------------------------------------------


@pytest.fixture
def my_key(tmp_path: Path) -> Path:
    save_key(tmp_path / "my.key", KEY)
    return tmp_path / "my.key"


def test_what_a_restart_needs_lies_beside_the_key(run: Run, my_key: Path) -> None:
    for _ in range(2):
        ran = run("join", "127.0.0.1:1", "random", "--key", my_key)
        assert ran.code == 3
        assert ran.err.startswith("aboveboard: nobody answers")
    state = my_key.with_name("my.key.state")
    assert {path.name for path in state.iterdir()} == {
        "journal",
        "lock",
        "log",
        "played",
        "secret",
    }


def test_another_state_folder_can_be_named(run: Run, my_key: Path, tmp_path: Path) -> None:
    run("join", "127.0.0.1:1", "random", "--key", my_key, "--state", tmp_path / "other")
    assert (tmp_path / "other" / "secret").exists()
    assert not my_key.with_name("my.key.state").exists()


def test_a_state_folder_in_use_is_one_line(run: Run, my_key: Path) -> None:
    with state_folder(my_key.with_name("my.key.state")):
        ran = run("join", "127.0.0.1:1", "random", "--key", my_key)
    assert (ran.code, ran.out) == (2, "")
    assert "in use by another process of this bot" in ran.err
    assert ran.err.count("\n") == 1


def test_without_a_key_file_nothing_is_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("join", "127.0.0.1:1", "random")
    assert "(a new key for this run, not to be started anew)" in ran.out
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "length"), [("250ms", 0.25), ("0s", 0), ("10s", 10), ("5m", 300), ("2h", 7200)]
)
def test_durations_have_a_unit(text: str, length: float) -> None:
    assert seconds(text) == pytest.approx(length)


@pytest.mark.parametrize("text", ["", "10", "s", "-1s", "1.5s", "1d", "1s ", "\u0661s"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        seconds(text)
