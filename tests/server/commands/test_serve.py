"""What a server that is stopped says, and what it has seen to before it begins."""

import signal
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from aboveboard_protos import bridge
from aboveboard_server.operations.restored import mark_restored
from tests.fakes.command_line import Run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text('games = ["cribbage"]\nrounds = 1\nentrants = 2\n')
    (tmp_path / "cup").mkdir()
    return path


@pytest.fixture
def before(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done before the server was stopped, which it is at once."""
    done: list[str] = []

    def stopped(_: Callable[[], Any]) -> None:
        done.append("served")
        raise bridge.Interrupted(signal.SIGTERM)

    monkeypatch.setattr(bridge, "run", stopped)
    # The package has the command by the same name.
    module = import_module("aboveboard_server.commands.serve")
    monkeypatch.setattr(module, "allow_open_files", lambda: done.append("files"))
    return done


def test_a_stopped_server_says_how_to_go_on_with_every_flag_that_was_given(
    run: Run, file: Path, before: list[str]
) -> None:
    ran = run("serve", file, "--title", "The Cup of May", "--clock-move", "5s", "--tls")
    assert ran.code == 128 + signal.SIGTERM
    assert ran.err == (
        f"stopped; go on with: aboveboard serve {file} --title 'The Cup of May'"
        " --clock-move 5s --tls-on true\n"
    )
    assert ran.out == ""
    assert before == ["files", "served"]


def test_the_word_about_a_restored_state_is_said_again_as_long_as_it_is_needed(
    run: Run, file: Path, before: list[str]
) -> None:
    go_on = f"stopped; go on with: aboveboard serve {file}"
    assert run("serve", file, "--restored").err == f"{go_on}\n"
    mark_restored(file.with_suffix(""), "2030-01-01")
    assert run("serve", file, "--restored").err == f"{go_on} --restored\n"
    assert run("serve", file).err == f"{go_on}\n"
    assert before == ["files", "served"] * 3
