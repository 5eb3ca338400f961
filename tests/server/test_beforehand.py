"""What is told of a tournament before its server begins."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from aboveboard_server.beforehand import begins, check_files
from tests.fakes.command_line import Run
from tests.fakes.entrants import Entrant
from tests.fakes.robots import NOW
from tests.fakes.serving import config, serve

FILE = 'games = ["cribbage"]\nrounds = 1\n'


def test_a_time_to_start_is_told_and_that_it_has_passed(tmp_path: Path) -> None:
    day = config(tmp_path, start_at_us=1_893_528_000_000_000)
    assert begins(day, "", day.start_at_us - 1) == "begins at 2030-01-01 20:00:00 UTC"
    passed = "start_at has passed, 2030-01-01 20:00:00 UTC: begins as soon as two have entered"
    assert begins(day, "", day.start_at_us) == passed
    assert begins(config(tmp_path, entrants=3), "", 0) == "begins when 3 have entered"
    assert begins(config(tmp_path), "go", 0) == "begins at the organiser's word: go"


def test_a_server_says_first_that_its_time_to_start_has_passed(tmp_path: Path) -> None:
    event = config(tmp_path, start_at_us=NOW - 1, rounds=1)
    served = serve(event, Entrant(0), Entrant(1))
    told = [n for n, line in enumerate(served.lines) if line.startswith("start_at has passed, ")]
    assert len(told) == 1
    assert "listening on" in served.lines[told[0] + 1]


def test_a_dry_run_says_that_the_time_to_start_has_passed(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f"{FILE}start_at = 2020-01-01T00:00:00Z\n")
    ran = run("serve", file, "--dry-run")
    assert "start_at has passed, 2020-01-01 00:00:00 UTC: begins as soon as two" in ran.out


def a_file(folder: Path) -> str:
    (folder / "place").write_text("no folder")
    return "place"


def below_a_file(folder: Path) -> str:
    return f"{a_file(folder)}/below/it"


def nowhere(folder: Path) -> str:
    (folder / "place").symlink_to("nothing")
    return "place"


def an_archive(folder: Path) -> str:
    (folder / "place" / "log").mkdir(parents=True)
    (folder / "place" / "log" / "leaves.records").touch()
    return "place"


@pytest.mark.parametrize(
    ("place", "code"),
    [
        (a_file, 2),
        (below_a_file, 2),
        (nowhere, 2),
        (an_archive, 2),
        (lambda _: "/proc/nothing", 3),
        (lambda _: "é" * 200, 3),
    ],
)
def test_a_state_folder_that_cannot_be_is_refused_alike_with_and_without_a_dry_run(
    place: Callable[[Path], str], code: int, run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(f'{FILE}state = "{place(tmp_path)}"\n')
    served, tried = run("serve", file), run("serve", file, "--dry-run")
    assert (tried.code, tried.err, tried.out) == (code, served.err, "")
    assert served.code == code
    assert tried.err.count("\n") == 1


@pytest.mark.parametrize("key", ["organiser_key", "entry_tokens"])
def test_files_that_a_server_would_fail_at_are_looked_at(
    key: str, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "none").write_text("nothing of use\n")
    flag = f"--{key.replace('_', '-')}"
    (tmp_path / "cup.toml").write_text(FILE)
    ran = run("serve", tmp_path / "cup.toml", "--dry-run", flag, "none")
    assert (ran.code, ran.out) == (2, "")
    assert "none" in ran.err


def test_a_dry_run_leaves_nothing_behind(tmp_path: Path) -> None:
    event = replace(config(tmp_path), state=tmp_path / "new" / "cup")
    before = sorted(os.walk(tmp_path))
    check_files(event)
    assert sorted(os.walk(tmp_path)) == before
