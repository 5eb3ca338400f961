"""Arbiters in a tournament's file, and after how many failures a bot is suspended."""

from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_server.config import Config, load_config
from aboveboard_server.keys import server_keys
from aboveboard_server.manifest import as_fixed, describe
from tests.fakes.keys import key, secret
from tests.fakes.serving import config as served_config

ZOE = key("zoe").public.raw.hex()
YAN = key("yan").public.raw.hex()


def load(folder: Path, table: str) -> Config:
    file = folder / "cup.toml"
    file.write_text(f'games = ["cribbage"]\nrounds = 2\n[arbiter]\n{table}\n')
    return load_config(file)


def arbiter(name: str, digits: str) -> str:
    return f'{{ name = "{name}", key = "{digits}" }}'


def test_arbiters_are_taken_as_they_are_given_and_go_into_the_manifest(tmp_path: Path) -> None:
    made = load(tmp_path, f"arbiters = [{arbiter('Zoe', ZOE)}, {arbiter('Yan', YAN.upper())}]")
    assert [(each.name, each.key.raw.hex()) for each in made.arbiters] == [
        ("Zoe", ZOE),
        ("Yan", YAN),
    ]
    (tmp_path / "cup").mkdir()
    manifest = describe(made, server_keys(made), 1, bytes(32))
    assert [(each.name, each.key.hex()) for each in manifest.arbiters] == [
        ("Zoe", ZOE),
        ("Yan", YAN),
    ]
    assert manifest.form.suspend_after == 3


@pytest.mark.parametrize("given", [0, 1, 1000])
def test_the_number_of_failures_that_suspend_is_given(tmp_path: Path, given: int) -> None:
    assert load(tmp_path, f"suspend_after = {given}").form.suspend_after == given


WRONG = {
    "suspend_after = -1": "a number from 0 to 1000",
    "suspend_after = 1001": "a number from 0 to 1000",
    'suspend_after = "3"': "a number from 0 to 1000",
    'arbiters = "zoe"': "must be a list like",
    f'arbiters = ["{ZOE}"]': "has name and key in each",
    f'arbiters = [{{ key = "{ZOE}" }}]': "number 1 has not",
    f"arbiters = [{arbiter('no name', ZOE)}]": "not 'no name'",
    f"arbiters = [{arbiter('Zoe', ZOE[:-1])}]": "must give Zoe a public key of 64",
    f"arbiters = [{arbiter('Zoe', '00' * 32)}]": "gives Zoe a key that is none",
    f"arbiters = [{arbiter('Zoe', ZOE)}, {arbiter('ZOE', YAN)}]": "has one name twice",
    f"arbiters = [{arbiter('Zoe', ZOE)}, {arbiter('Yan', ZOE)}]": "has one key twice",
    "arbiters = ["
    + ",".join(arbiter(f"a{n}", key(f"a{n}").public.raw.hex()) for n in range(17))
    + "]": "has 17 arbiters; 16 are the most",
}


@pytest.mark.parametrize("table", WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_told_with_file_line_and_key(tmp_path: Path, table: str) -> None:
    with pytest.raises(WrongUse) as caught:
        load(tmp_path, table)
    line = str(caught.value)
    assert line.startswith(f"{tmp_path}/cup.toml, line 4: arbiter.")
    assert WRONG[table] in line


@pytest.mark.parametrize("role", ["organiser", "referee", "log"])
def test_an_arbiter_with_a_key_of_the_servers_is_refused(tmp_path: Path, role: str) -> None:
    event = served_config(tmp_path)
    keys = server_keys(event)
    own: PrivateKey = getattr(keys, role)
    made = load(tmp_path, f"arbiters = [{arbiter('Zoe', own.public.raw.hex())}]")
    with pytest.raises(WrongUse, match=f"the arbiter Zoe has the {role}'s key"):
        describe(made, keys, 1, secret("salt"))


def test_a_tournament_of_the_first_swiss_is_still_told_as_it_was_begun(tmp_path: Path) -> None:
    made = load(tmp_path, "")
    (tmp_path / "cup").mkdir()
    wanted = describe(made, server_keys(made), 1, bytes(32))
    fixed = as_fixed(wanted, type(wanted)())
    assert not fixed.HasField("form")
    assert fixed.system_version == 1
