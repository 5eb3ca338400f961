"""The tournament file's words on keys and witnesses of the public log."""

from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_referee.log.note import COSIGNATURE, ED25519, NoteKey
from aboveboard_server.config import EXAMPLE, MOST_WITNESSES, Config, load_config
from tests.fakes.keys import key

BASE = """\
games = ["cribbage"]
rounds = 2
"""


def load(folder: Path, text: str) -> Config:
    (folder / "cup.toml").write_text(text)
    return load_config(folder / "cup.toml")


def vkey(name: str, kind: int = COSIGNATURE) -> str:
    return NoteKey(f"witness.example/{name}", kind, key(name).public).vkey()


def listed(*entries: str) -> str:
    return f"{BASE}[log]\nwitnesses = [{', '.join(repr(entry) for entry in entries)}]\n"


def test_without_the_table_there_are_no_witnesses_and_the_keys_are_made(tmp_path: Path) -> None:
    config = load(tmp_path, BASE)
    assert (config.witnesses, config.witness_wait_us) == ((), 2_000_000)
    assert (config.log_key, config.organiser_certificate) == (None, None)


def test_every_key_of_the_log_is_taken_as_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "log.pem").touch()
    text = f"""\
        organiser_certificate = "organiser.cert"
        {BASE}
        [log]
        key = "{tmp_path}/log.pem"
        witness_wait = "250ms"
        witnesses = ["grpc://localhost:7879 {vkey("one")}", "http://w.example/x  {vkey("two")}"]
    """
    config = load(tmp_path, text)
    assert config.organiser_certificate == tmp_path / "organiser.cert"
    assert config.log_key == tmp_path / "log.pem"
    assert config.witness_wait_us == 250_000
    found = [(witness.url, witness.key.vkey()) for witness in config.witnesses]
    assert found == [
        ("grpc://localhost:7879", vkey("one")),
        ("http://w.example/x", vkey("two")),
    ]


def test_the_examples_log_is_that_of_a_file_that_says_nothing(tmp_path: Path) -> None:
    example, plain = load(tmp_path, EXAMPLE), load(tmp_path, BASE)
    assert example.witness_wait_us == plain.witness_wait_us
    assert example.witnesses == plain.witnesses


GOOD = f"grpc://localhost:7879 {vkey('one')}"

WRONG: dict[str, tuple[str, str]] = {
    "no table": (f"log = 3\n{BASE}", "line 1: log must be a table, [log]"),
    "an unknown key": (f"{BASE}[log]\nwitnes = []\n", "line 4: log.witnes is no key of this table"),
    "no list": (f'{BASE}[log]\nwitnesses = "x"\n', "log.witnesses must be a list"),
    "too many": (
        listed(*[f"grpc://w{n}.example:1 {vkey(str(n))}" for n in range(MOST_WITNESSES + 1)]),
        f"log.witnesses must be a list of {MOST_WITNESSES} at most",
    ),
    "no entry": (listed("grpc://localhost:7879"), "log.witnesses has entries like"),
    "a number": (f"{BASE}[log]\nwitnesses = [3]\n", "log.witnesses has entries like"),
    "another scheme": (
        listed(f"ftp://localhost:7879 {vkey('one')}"),
        "log.witnesses has an entry that is none: 'ftp://localhost:7879' is no witness's address",
    ),
    "no port": (listed(f"grpc://localhost {vkey('one')}"), "is no witness's address"),
    "a key that is none": (listed("grpc://localhost:1 witness.example/one+0+A"), "is no witness's"),
    "a log's key": (listed(f"grpc://localhost:1 {vkey('one', ED25519)}"), "is a log's, not a"),
    "a witness twice": (listed(GOOD, GOOD), "log.witnesses has one name twice; each has its own"),
    "a wait without a unit": (f"{BASE}[log]\nwitness_wait = 2\n", "log.witness_wait must be like"),
    "a wait for nobody": (
        f'{BASE}[log]\nwitness_wait = "1s"\n',
        "log.witness_wait is for witnesses; give log.witnesses too",
    ),
    "no wait": (f'{BASE}[log]\nwitness_wait = "0s"\n', "log.witness_wait must be from 1ms to 60s"),
    "a wait of hours": (f'{BASE}[log]\nwitness_wait = "1h"\n', "log.witness_wait must be from 1ms"),
    "an empty key file": (f'{BASE}[log]\nkey = ""\n', "log.key must be a text of 1 to 200"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_value_is_named_with_its_file_and_key_in_one_line(
    what: str, tmp_path: Path
) -> None:
    text, words = WRONG[what]
    with pytest.raises(WrongUse) as caught:
        load(tmp_path, text)
    line = str(caught.value)
    assert line.startswith(f"{tmp_path}/cup.toml, line ")
    assert words in line
    assert line.isprintable()
    assert len(line) < 500


def test_two_names_of_one_key_are_no_two_witnesses(tmp_path: Path) -> None:
    keys = [
        NoteKey(f"witness.example/{name}", COSIGNATURE, key("one").public).vkey() for name in "ab"
    ]
    with pytest.raises(WrongUse, match=r"log\.witnesses has one key twice; each has its own"):
        load(tmp_path, listed(*[f"grpc://localhost:{n + 1} {k}" for n, k in enumerate(keys)]))
