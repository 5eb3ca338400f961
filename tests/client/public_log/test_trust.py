"""Trust files: what they may say, and where an error is shown to be."""

import os
from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.trust import Trust, read_trust
from aboveboard_referee.log.note import COSIGNATURE, ED25519, NoteKey
from tests.fakes.keys import key

ORGANISER = key("organiser").public
ADA = key("ada").public
LOG = NoteKey("aboveboard/tournament/x", ED25519, key("log").public)
WITNESSES = tuple(NoteKey(f"w{i}", COSIGNATURE, key(f"w{i}").public) for i in range(3))


def written(folder: Path, text: str) -> Path:
    path = folder / "trust.toml"
    path.write_text(text)
    return path


def listed(*witnesses: NoteKey) -> str:
    return f"[{', '.join(repr(witness.vkey()) for witness in witnesses)}]"


def test_a_whole_trust_file_names_every_key(tmp_path: Path) -> None:
    text = (
        f"organiser = '{ORGANISER.raw.hex()}'\nlog = '{LOG.vkey()}'\n"
        f"witnesses = {listed(*WITNESSES)}\nwitnesses_needed = 2\n"
        f"[entrants]\nada = '{ADA.raw.hex()}'\n"
    )
    assert read_trust(written(tmp_path, text)) == Trust(ORGANISER, LOG, WITNESSES, 2, {"ada": ADA})


def test_an_empty_trust_file_trusts_nobody_and_demands_nothing(tmp_path: Path) -> None:
    assert read_trust(written(tmp_path, "")) == Trust()


def test_all_listed_witnesses_are_needed_unless_a_number_says_less(tmp_path: Path) -> None:
    assert read_trust(written(tmp_path, f"witnesses = {listed(*WITNESSES)}")).needed == 3


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("\norganiser = 'abc'", 2, "organiser must be a public key of 64 hexadecimal digits"),
        (f"organiser = '{'00' * 32}'", 1, "organiser is no usable public key"),
        ("log = 'a+b+c'", 1, "log must be like name+hash+base64"),
        (f"log = '{WITNESSES[0].vkey()}'", 1, "log is a witness's key"),
        (f"witnesses = ['{LOG.vkey()}']", 1, "witnesses is a log's key"),
        ("witnesses = 'x'", 1, "witnesses must be a list"),
        (f"witnesses = {listed(*WITNESSES[:1] * 2)}", 1, "a name and a key of its own"),
        ("witnesses_needed = 1", 1, "witnesses_needed must be a number from 0 to 0"),
        ("\n[entrants]\n'a b' = 'x'", 2, "names 'a b', which no entrant can be called"),
        ("[entrants]\nada = 7", 2, "entrants.ada must be a public key"),
        ("entrants = 3", 1, "entrants must be a table"),
        ("organizer = 'x'", 1, "organizer is no key of a trust file"),
        ("organiser = x", 1, "organiser: Invalid value"),
    ],
)
def test_what_is_wrong_is_told_with_file_line_and_key(
    tmp_path: Path, text: str, line: int, what: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(WrongUse) as raised:
        read_trust(path)
    assert str(raised.value).startswith(f"{path}, line {line}: ")
    assert what in str(raised.value)


def test_the_logs_own_key_is_no_witness(tmp_path: Path) -> None:
    self_witness = NoteKey("w", COSIGNATURE, LOG.key)
    text = f"log = '{LOG.vkey()}'\nwitnesses = {listed(self_witness)}"
    with pytest.raises(WrongUse, match="must not have the log's own key"):
        read_trust(written(tmp_path, text))


def test_an_entrant_with_the_organisers_key_is_refused(tmp_path: Path) -> None:
    digits = ORGANISER.raw.hex()
    text = f"organiser = '{digits}'\n[entrants]\nada = '{digits}'"
    with pytest.raises(WrongUse, match=r"entrants\.ada has the organiser's key"):
        read_trust(written(tmp_path, text))


def test_a_missing_trust_file_is_called_by_its_kind(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="there is no trust file"):
        read_trust(tmp_path / "trust.toml")


def test_a_pipe_is_no_trust_file_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "trust.toml")
    with pytest.raises(WrongUse, match="is no plain file"):
        read_trust(tmp_path / "trust.toml")
