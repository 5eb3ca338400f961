"""``aboveboard join``: what is settled before anything goes over a network."""

import os
from pathlib import Path

import pytest

from aboveboard_client.commands.join import check_address, default_name
from aboveboard_client.errors import WrongUse
from aboveboard_client.keyfile import save_key
from aboveboard_referee.tournament.entries import NAME
from tests.fakes.command_line import Run
from tests.fakes.keys import key

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
        (["localhost:1"], "'BOT'"),
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
