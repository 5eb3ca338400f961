"""Reading files that people write: never waited for, never read without end, always named."""

import os
from functools import partial
from pathlib import Path

import pytest

from aboveboard_client.errors import AboveboardError, OutsideFailure, WrongUse
from aboveboard_client.terminal.toml_file import FILE_LIMIT, TomlFile
from tests.fakes.memory import hollow, peak_of

KIND = "tournament file"


def refused(path: Path, kind: type[AboveboardError] = WrongUse) -> str:
    """What is said of it, after its name."""
    with pytest.raises(kind) as caught:
        TomlFile(path, KIND)
    line = str(caught.value)
    assert line.isprintable()
    return line.replace(str(path), "FILE")


def written(folder: Path, text: bytes) -> Path:
    (folder / "cup.toml").write_bytes(text)
    return folder / "cup.toml"


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == "FILE is no plain file"


def test_a_device_is_not_read(tmp_path: Path) -> None:
    assert refused(Path("/dev/zero")) == "FILE is no plain file"


def test_a_file_without_end_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = hollow(tmp_path / "cup.toml", 64 << 20)
    assert refused(path) == "FILE is too large for a tournament file"
    assert peak_of(partial(TomlFile, path, KIND), WrongUse) < 4 * FILE_LIMIT


def test_a_file_of_just_the_limit_is_read(tmp_path: Path) -> None:
    text = b"a = 1\n#"
    TomlFile(written(tmp_path, text + b"x" * (FILE_LIMIT - len(text))), KIND)
    path = written(tmp_path, text + b"x" * (FILE_LIMIT - len(text) + 1))
    assert refused(path) == "FILE is too large for a tournament file"


def test_what_is_not_there_or_a_folder_is_said_not_to_be_there(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "none", tmp_path, tmp_path / "file" / "cup.toml"):
        assert refused(path) == "there is no tournament file FILE"


def test_what_cannot_be_read_is_an_outside_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", fails)
    assert refused(tmp_path / "cup.toml", OutsideFailure) == (
        "FILE cannot be read: Permission denied"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"\xff", "FILE is not text in UTF-8"),
        (b"a = " + b"[" * 50_000, "FILE nests too deeply, or has a number that is too long"),
        (b"a = " + b"9" * 50_000, "FILE nests too deeply, or has a number that is too long"),
        (b"a = 1\nb = \n", "FILE, line 2: b: Invalid value, column 5"),
        (b"a" * 200 + b" = \n", f"FILE, line 1: {'a' * 60}: Invalid value, column 204"),
        (b"a = 1\n[b", "FILE, line 2: "),
    ],
)
def test_what_is_no_toml_is_told_with_its_line_and_key(
    tmp_path: Path, text: bytes, said: str
) -> None:
    assert refused(written(tmp_path, text)).startswith(said)


def test_a_wrong_value_is_told_in_one_short_line_whatever_it_is(tmp_path: Path) -> None:
    file = TomlFile(written(tmp_path, b'[a]\nb = 1\n"c\\u001b[31m" = 2\n'), KIND)
    for key in ("a.b", "a.c\x1b[31m", "x" * 10_000):
        with pytest.raises(WrongUse) as caught:
            file.wrong(key, "must not be \x1b[31m" + "y" * 10_000)
        line = str(caught.value)
        assert line.isprintable()
        assert len(line) < len(str(tmp_path)) + 500
    with pytest.raises(WrongUse, match=r"cup\.toml, line 2: a\.b is wrong$"):
        file.wrong("a.b", "is wrong")
