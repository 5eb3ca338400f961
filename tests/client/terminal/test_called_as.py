"""What a person is told to type."""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from aboveboard_client.terminal.called_as import called_as, command_line

ROOT = Path(__file__).parents[3]


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


def test_a_command_line_can_be_copied_into_a_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["my programs/aboveboard", "play"])
    monkeypatch.setenv("PATH", "")
    said = command_line("show", Path("a folder/g1.records"), "--round", 1)
    assert said == "'my programs/aboveboard' show 'a folder/g1.records' --round 1"


FOR_OTHERS = {
    "server/aboveboard_server/welcome.py: aboveboard join",
    "server/aboveboard_server/door/tokens.py: aboveboard join",
}
"""What bots of others are to type, on machines of theirs."""

FILES = ("EXAMPLE", "TOURNAMENT")
"""Constants that are written into files, which may go anywhere."""


def test_no_command_that_is_told_to_its_user_has_a_name_that_a_shell_may_not_find() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {command[1]}"
        for path in [*ROOT.glob("client/**/*.py"), *ROOT.glob("server/**/*.py")]
        for text in printed(ast.parse(path.read_text()))
        for command in re.finditer(r"(?:: |\$ )(aboveboard [a-z]+)", text)
    }
    assert found == FOR_OTHERS


def printed(tree: ast.Module) -> Iterator[str]:
    """All texts of a module but its docstrings, the help of options, and files."""
    apart: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as docstring):
                apart.add(docstring)
            case ast.keyword(arg="help", value=value):
                apart.update(ast.walk(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in FILES:
                apart.update(ast.walk(value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in apart:
            yield node.value
