"""The one command: what it lists, and how each kind of end becomes an exit code."""

import re
import subprocess
import sys
from importlib.metadata import version

import click
import pytest

from aboveboard_client import cli
from aboveboard_client.cli import Commands, aboveboard
from aboveboard_client.errors import OutsideFailure, VerdictAgainst, WrongUse
from tests.fakes.command_line import Run


def offer(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Add a command ``fail`` that raises ``error``."""

    @click.command()
    def fail() -> None:
        raise error

    monkeypatch.setattr(aboveboard, "found", {"fail": fail})


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (VerdictAgainst("it does not hold"), 1),
        (WrongUse("there is no such file"), 2),
        (OutsideFailure("the disk is full"), 3),
    ],
)
def test_an_error_is_one_line_and_its_exit_code(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int
) -> None:
    offer(monkeypatch, error)
    assert run("fail") == (code, "", f"aboveboard: {error}\n")


def test_a_mistake_of_ours_is_shown_with_its_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, ZeroDivisionError("in our own code"))
    ran = run("fail")
    assert ran.code == 70
    assert "Traceback" in ran.err
    assert "ZeroDivisionError: in our own code" in ran.err


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (
            PermissionError(13, "Permission denied", "/x\x1b/cup"),
            "/x\N{REPLACEMENT CHARACTER}/cup: Permission denied",
        ),
    ],
)
def test_a_disk_that_fails_is_told_with_the_path_if_it_has_one(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, line: str
) -> None:
    monkeypatch.setattr(cli, "_give_up_output", lambda: None)  # which the test reads
    offer(monkeypatch, error)
    assert run("fail") == (3, "", f"aboveboard: {line}\n")


@pytest.mark.parametrize(
    "args",
    [
        ["show"],
        ["verify"],
        ["verify", "--evidence"],
        ["replay"],
        ["explain", "1"],
        ["ratings"],
        ["season"],
        ["standings"],
        ["pair"],
        ["export", "--format", "trf"],
    ],
    ids=" ".join,
)
def test_what_is_not_there_is_wrong_use_in_every_command(run: Run, args: list[str]) -> None:
    ran = run(args[0], *(["nowhere", args[1]] if args[1:] == ["1"] else [*args[1:], "nowhere"]))
    assert (ran.code, ran.out) == (2, "")
    assert re.fullmatch("aboveboard: there is no (file|folder) nowhere\n", ran.err)


@pytest.mark.parametrize("command", ["show", "verify", "replay", "standings", "pair"])
def test_a_path_that_cannot_be_looked_at_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(cli, "_give_up_output", lambda: None)
    long = "x" * 300
    assert run(command, long) == (3, "", f"aboveboard: {long}: File name too long\n")


def test_a_mistake_beside_a_reader_that_has_seen_enough_is_not_hidden(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = [BrokenPipeError(), ZeroDivisionError("in our own code")]
    offer(monkeypatch, ExceptionGroup("both", errors))
    ran = run("fail")
    assert ran.code == 70
    assert "ZeroDivisionError: in our own code" in ran.err


@pytest.mark.parametrize("error", [KeyboardInterrupt(), click.Abort()])
def test_an_interrupt_ends_with_130(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    offer(monkeypatch, error)
    ran = run("fail")
    assert ran.code == 130
    assert ran.err.strip() == "interrupted"


@pytest.mark.parametrize(
    "args",
    [["no-such-command"], ["--no-such-option"], ["key", "no-such-command"], ["play", "house"]],
)
def test_a_wrong_command_line_is_one_line_and_exit_2(run: Run, args: list[str]) -> None:
    ran = run(*args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("aboveboard: ")
    assert ran.err.count("\n") == 1
    assert "--help" in ran.err


def test_the_version_is_that_of_the_distribution(run: Run) -> None:
    assert run("--version") == (0, f"aboveboard, version {version('aboveboard')}\n", "")


def test_alone_it_lists_the_commands_by_what_people_want_to_do(run: Run) -> None:
    ran = run()
    assert ran.code == 2
    listed = ran.out + ran.err
    assert listed.index("Play:") < listed.index("Check a result:") < listed.index("Keys:")
    for name in ("play", "join", "verify", "show", "key"):
        assert f"\n  {name} " in listed


def test_every_command_explains_itself(run: Run) -> None:
    context = click.Context(aboveboard)
    for name in aboveboard.list_commands(context):
        ran = run(name, "--help")
        assert ran.code == 0
        assert f"Usage: aboveboard {name}" in ran.out


def test_a_package_whose_commands_cannot_be_imported_is_left_out_and_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        name = value = "broken.commands"

        def load(self) -> None:
            raise ImportError("something is not installed")

    monkeypatch.setattr(cli, "entry_points", lambda group: [Broken()])
    assert Commands("aboveboard").found == {}
    assert "broken.commands are left out: something is not installed" in capsys.readouterr().err


def test_commands_that_no_section_names_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = {name: click.Command(name) for name in ("zebra", "verify", "demo", "apple")}
    monkeypatch.setattr(aboveboard, "found", commands)
    context = click.Context(aboveboard)
    assert aboveboard.list_commands(context) == ["demo", "verify", "apple", "zebra"]
    assert "More:" in aboveboard.get_help(context)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_reader_that_has_seen_enough_ends_a_command_quietly(wrapped: bool) -> None:
    broken = "BrokenPipeError(32, 'Broken pipe')"
    error = f"ExceptionGroup('in a nursery', [{broken}])" if wrapped else broken
    script = (
        "import click\n"
        "from aboveboard_client import cli\n"
        "@click.command()\n"
        "def fail():\n"
        f"    raise {error}\n"
        "cli.aboveboard.found = {'fail': fail}\n"
        "raise SystemExit(cli.run(['fail']))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (141, b"", b"")
