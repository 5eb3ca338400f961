"""``aboveboard witness``: what it wants, and how it says so."""

import re
import sys
from pathlib import Path

import pytest

from aboveboard_client import cli
from aboveboard_client.keys.keyfile import PASSPHRASE_VARIABLE, save_key
from tests.fakes import hosting
from tests.fakes.command_line import Run
from tests.fakes.witnesses import WITNESS, WITNESS_KEY, WITNESS_NAME, ForkedLog, Running, World

LOG = ForkedLog()
VKEY = LOG.key.vkey()


@pytest.fixture
def options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """All that it takes, in a folder with a key."""
    monkeypatch.delenv(PASSPHRASE_VARIABLE, raising=False)
    save_key(tmp_path / "my.key", WITNESS)
    return {
        "--key": tmp_path / "my.key",
        "--name": WITNESS_NAME,
        "--state": tmp_path / "state",
        "--listen": "127.0.0.1:0",
        "--log": VKEY,
    }


def words(options: dict[str, object]) -> list[object]:
    return ["witness", *(word for option in options.items() for word in option)]


@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        ("--key", None, "Missing option '--key'"),
        ("--key", "nowhere.key", "there is no key file nowhere.key"),
        ("--name", None, "Missing option '--name'"),
        ("--name", "", "cannot be a witness's name"),
        ("--name", "two words", "cannot be a witness's name"),
        ("--name", "a+b", "cannot be a witness's name"),
        ("--state", None, "Missing option '--state'"),
        ("--state", "nowhere/state", "is no folder and cannot be made one"),
        ("--listen", None, "say where to be asked"),
        ("--listen", "7879", "'7879' is no HOST:PORT"),
        ("--listen", "localhost:70000", "is no HOST:PORT"),
        ("--listen", "http://localhost:80", "is no HOST:PORT"),
        ("--http", "localhost", "'localhost' is no HOST:PORT"),
        ("--log", None, "name at least one log"),
        ("--log", "nonsense", "'nonsense' is no log's key"),
        ("--log", VKEY[:-4] + "AAA=", "is no log's key"),
        ("--log", WITNESS_KEY.vkey(), "a witness's, not a log's"),
        ("--logs", "nowhere.txt", "there is no file nowhere.txt"),
        ("--logs", "twice.txt", "is named twice"),
        ("--logs", "binary.txt", "is no text file of keys"),
        ("--logs", "bad.txt", "'another' is no log's key"),
        ("--logs", "long.txt", "long.txt has more than 1048576 bytes"),
    ],
)
def test_wrong_use_is_said_in_a_line(
    run: Run,
    options: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    option: str,
    value: str | None,
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("twice.txt").write_text(f"# the same once more\n\n{VKEY}\n")
    Path("binary.txt").write_bytes(b"\xff\xfe")
    Path("bad.txt").write_text("another\n")
    Path("long.txt").write_text(f"{VKEY}\n".ljust((1 << 20) + 1, "#"))
    options[option] = value
    if value is None:
        del options[option]
    ran = run(*words(options))
    assert ran.code == 2
    assert complaint in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""


def test_a_folder_in_use_is_said(run: Run, options: dict[str, object], tmp_path: Path) -> None:
    with Running(tmp_path / "state", LOG):
        ran = run(*words(options))
    assert (ran.code, ran.out) == (2, "")
    assert "is in use by another witness process; stop that one first" in ran.err


def test_damage_is_said_before_anything_is_served(
    run: Run, options: dict[str, object], tmp_path: Path
) -> None:
    with Running(tmp_path / "state", LOG):
        pass
    with Running(tmp_path / "state", LOG) as witness:
        hosting.run(lambda: World(LOG).offer(witness.ask, "a", 8))
    [head] = (tmp_path / "state").glob("*.head")
    head.write_bytes(b"")
    ran = run(*words(options))
    assert (ran.code, ran.out) == (2, "")
    assert "is damaged" in ran.err
    assert "docs/witness.md" in ran.err


def test_without_the_library_for_http_it_says_what_to_install(
    run: Run, options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "h11", None)
    ran = run(*words({**options, "--http": "127.0.0.1:0"}))
    assert ran.code == 2
    assert "pip install 'aboveboard[http]'" in ran.err


def test_the_command_is_listed_and_explains_itself(run: Run) -> None:
    assert "witness" in cli.aboveboard.list_commands(None)  # type: ignore[arg-type]
    ran = run("witness", "--help")
    assert ran.code == 0
    for option in ("--key", "--name", "--state", "--listen", "--http", "--log ", "--logs"):
        assert option in ran.out


def test_its_help_says_which_options_it_needs_one_of(run: Run) -> None:
    told = " ".join(run("witness", "--help").out.split())
    for one, other in (("--listen", "--http"), ("--log", "--logs")):
        for needed, beside in ((one, other), (other, one)):
            assert re.search(rf" {needed} [^]]*\[required: this, {beside} or both\]", told)
