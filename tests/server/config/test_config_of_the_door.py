"""The tables of a tournament file that say who gets in, and how much each may take."""

from pathlib import Path

import pytest

from aboveboard_client.errors import WrongUse
from aboveboard_server.config import Config, load_config
from aboveboard_server.config.door_tables import Limits, Tls


def loaded(folder: Path, text: str) -> Config:
    file = folder / "cup.toml"
    file.write_text(f'games = ["cribbage"]\nrounds = 1\n{text}')
    return load_config(file)


def test_a_file_without_these_tables_is_plain_and_open(tmp_path: Path) -> None:
    event = loaded(tmp_path, "")
    assert (event.tls, event.entry_tokens, event.limits) == (Tls(), None, Limits())


def test_files_are_found_beside_the_tournaments(tmp_path: Path) -> None:
    (tmp_path / "tokens.txt").write_text("")
    event = loaded(
        tmp_path, '[tls]\ncertificate = "a.pem"\nkey = "b.pem"\n[entry]\ntokens = "tokens.txt"\n'
    )
    assert event.tls == Tls(False, tmp_path / "a.pem", tmp_path / "b.pem")
    assert event.entry_tokens == tmp_path / "tokens.txt"


def test_each_limit_can_be_given_alone(tmp_path: Path) -> None:
    event = loaded(tmp_path, "[limits]\nwaiting = 7\n")
    assert event.limits == Limits(waiting=7)


@pytest.mark.parametrize(
    ("text", "line", "wrong"),
    [
        ('[tls]\ncertificate = "a.pem"\n', 4, "tls.certificate needs tls.key beside it"),
        ('[tls]\nkey = "a.pem"\n', 4, "tls.key needs tls.certificate beside it"),
        ("[tls]\non = 1\n", 4, "tls.on must be true or false"),
        ('[tls]\nnames = "a"\n', 4, "tls.names must be a list"),
        ('[tls]\nnames = ["a b"]\n', 4, "'a b', which is no name"),
        (
            '[tls]\ncertificate = "a"\nkey = "b"\nnames = ["c"]\n',
            6,
            "is for a certificate that is made here",
        ),
        ('[entry]\ntokens = "t.txt"\n', 4, "aboveboard token new"),
        ("[limits]\nwaiting = 0\n", 4, "limits.waiting must be a number from 1"),
        ("[limits]\nbytes_per_second = 10\n", 4, "must be a number from 500000"),
        ("[limits]\nframes = 10\n", 4, "limits.frames is no key of this table"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_key(
    tmp_path: Path, text: str, line: int, wrong: str
) -> None:
    with pytest.raises(WrongUse) as caught:
        loaded(tmp_path, text)
    assert f"cup.toml, line {line}: " in str(caught.value)
    assert wrong in str(caught.value)
