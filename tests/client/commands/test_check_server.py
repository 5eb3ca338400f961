"""``aboveboard check --server``: what makes a check useless is said before it, not after it."""

from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from aboveboard_client.commands import at_log
from aboveboard_client.commands.check_server import suspended_there
from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.keys.keyfile import save_key
from aboveboard_client.state.state_folder import state_folder
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey, PublicKey
from tests.fakes.command_line import Run
from tests.fakes.keys import key
from tests.fakes.leaves import Leaves, fold
from tests.fakes.suspended_logs import play_first_round

AT = "localhost:1"  # whose log is a fake; nobody else answers there
SUSPENDED, OTHER = 1, 0


class Log:
    """A log in place of a served one."""

    def __init__(self, home: Leaves) -> None:
        self.home = home
        self.tournament = SimpleNamespace(manifest=home.manifest)

    async def history(self) -> tuple[None, object, list[bytes]]:
        return None, fold(self.home.all), list(self.home.all)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Leaves:
    """Round 1 has its table, and one entrant is suspended."""
    made = Leaves(4, 5, system="round-robin", form=pb.Form(bye=2, suspend_after=1, legs=3))
    play_first_round(made, SUSPENDED)

    @asynccontextmanager
    async def log_at(address: str, organiser: PublicKey | None):
        assert address == AT
        yield Log(made)

    monkeypatch.setattr(at_log, "log_at", log_at)
    return made


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """One that leaves a mark where it is loaded, and fails everything."""
    file = tmp_path / "marking.py"
    file.write_text(
        f"open({str(tmp_path / 'loaded')!r}, 'w').close()\n\n\n"
        "class Marking:\n    games = ('cribbage:source',)\n\n"
        "    def choose(self, turn):\n        raise LookupError\n"
    )
    return file


def kept(tmp_path: Path, holder: PrivateKey) -> Path:
    path = tmp_path / "my.key"
    save_key(path, holder)
    return path


@pytest.mark.parametrize("runs", [False, True])
@pytest.mark.parametrize("json", [False, True])
def test_a_bot_that_is_not_suspended_is_told_so_at_once(
    run: Run, tmp_path: Path, home: Leaves, bot: Path, runs: bool, json: bool
) -> None:
    file = kept(tmp_path, home.keys[OTHER])
    words = ("check", bot, "--server", AT, "--key", file, *(["--json"] if json else []))
    if runs:
        with state_folder(tmp_path / "my.key.state"):
            ran = run(*words)
    else:
        ran = run(*words)
    said = "bot0 is not suspended there: nothing is to be done, and nothing was checked\n"
    assert ran == (0, "", said) if json else (0, said, "")
    assert not (tmp_path / "loaded").exists()


def test_a_suspended_bot_that_runs_here_is_not_checked_for_nothing(
    run: Run, tmp_path: Path, home: Leaves, bot: Path
) -> None:
    file = kept(tmp_path, home.keys[SUSPENDED])
    with state_folder(tmp_path / "my.key.state"):
        ran = run("check", bot, "--server", AT, "--key", file)
    assert (ran.code, ran.out) == (2, "")
    assert "in use: your bot runs" in ran.err
    assert "stop it first (--force does it all the same)" in ran.err
    assert not (tmp_path / "loaded").exists()


def test_a_server_that_does_not_answer_is_said_before_the_check(
    run: Run, tmp_path: Path, bot: Path
) -> None:
    file = kept(tmp_path, key("mine"))
    ran = run("check", bot, "--server", AT, "--key", file)
    assert (ran.code, ran.out) == (3, "")
    assert f"nobody answers at {AT}" in ran.err
    assert not (tmp_path / "loaded").exists()


def test_a_stranger_is_told_so_before_the_check(
    run: Run, tmp_path: Path, home: Leaves, bot: Path
) -> None:
    ran = run("check", bot, "--server", AT, "--key", kept(tmp_path, key("a stranger")))
    assert (ran.code, ran.out) == (2, "")
    assert "nobody plays there with the key" in ran.err
    assert not (tmp_path / "loaded").exists()


def test_a_suspended_bot_is_checked(run: Run, tmp_path: Path, home: Leaves, bot: Path) -> None:
    file = kept(tmp_path, home.keys[SUSPENDED])
    ran = run("check", f"{bot}:Nobody", "--server", AT, "--key", file)
    assert ran.code == 2
    assert ran.out == "bot1 is suspended there; the server is told of it if it passes\n"
    assert "Nobody" in ran.err


def test_nobody_plays_from_the_state_folder_while_its_bot_is_checked(
    tmp_path: Path, home: Leaves
) -> None:
    file = kept(tmp_path, home.keys[SUSPENDED])
    folder = tmp_path / "my.key.state"
    with state_folder(folder):
        pass
    said: list[str] = []
    with suspended_there(AT, file, said.append, force=False) as tell_server:
        assert tell_server is not None
        with pytest.raises(WrongUse, match="in use"), state_folder(folder):
            pass
        with pytest.raises(OutsideFailure, match="nobody answers"):
            tell_server()
    with (
        state_folder(folder),
        suspended_there(AT, file, said.append, force=True) as forced,
    ):
        assert forced is not None
