"""What a person is told to type."""

import sys
from pathlib import Path

import pytest

from aboveboard_client.terminal.called_as import called_as


def test_a_program_that_the_shell_does_not_find_is_named_as_it_was_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("mine", "other"):
        program = tmp_path / folder / "aboveboard"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["mine/aboveboard", "play"])
    for path, expected in (("", "mine/aboveboard"), ("other", "mine/aboveboard")):
        monkeypatch.setenv("PATH", path)
        assert called_as() == expected
    monkeypatch.setenv("PATH", str(tmp_path / "mine"))
    assert called_as() == "aboveboard"
    monkeypatch.setattr(sys, "argv", ["python -m"])
    assert called_as() == "aboveboard"
