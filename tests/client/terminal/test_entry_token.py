"""How somebody gives an entry token, and what is no token."""

import io
from pathlib import Path

import pytest

from aboveboard_client.commands.join import join
from aboveboard_client.errors import WrongUse
from aboveboard_client.terminal.entry_token import given_token


def test_without_a_word_there_is_no_token() -> None:
    assert given_token(None, None) == ""


def test_a_token_is_the_first_line_of_a_file_or_of_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "t").write_text(" abc2 \nand a note\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("def3\n"))
    assert given_token(None, tmp_path / "t") == "abc2"
    assert given_token(None, Path("-")) == "def3"
    assert given_token("ghi4", None) == "ghi4"


@pytest.mark.parametrize("text", ["", "\n", "a b", "é", "a" * 300, "\x1b[2J"])
def test_what_is_no_token_is_told_without_showing_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "t").write_text(text)
    with pytest.raises(WrongUse) as caught:
        given_token(None, tmp_path / "t")
    assert str(caught.value) == (
        "an entry token is one word of letters and digits, and this is none"
    )


def test_a_token_is_given_in_one_way_alone(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="not both"):
        given_token("abc2", tmp_path / "t")
    with pytest.raises(WrongUse, match="cannot be read"):
        given_token(None, tmp_path / "none")


def test_the_environment_can_hold_the_token() -> None:
    (option,) = [param for param in join.params if param.name == "token"]
    assert option.envvar == "ABOVEBOARD_TOKEN"
