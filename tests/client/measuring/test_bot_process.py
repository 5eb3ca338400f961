"""Bots in processes of their own, whatever they do there."""

import os
import signal
from collections.abc import Iterator
from multiprocessing import Pipe
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from aboveboard_client.bot import UnknownBot
from aboveboard_client.measuring import bot_process
from aboveboard_client.measuring.bot_process import BotProcess, Failed
from aboveboard_client.measuring.forked import answer_all, end_group
from aboveboard_client.measuring.one_game import BotFailed, PlayedGame, Setting
from aboveboard_client.series import Series, try_bots
from tests.fakes.ended import has_ended
from tests.fakes.line_bots import a_turn
from tests.fakes.processes import Processes

GAME = "nebraska:family"


@pytest.fixture
def processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)  # with which nothing could be lost
    with Processes(tmp_path) as processes:
        yield processes


def games(*specs: str) -> Iterator[PlayedGame]:
    return Series(Setting(GAME, specs, "a")).play(1)


@pytest.mark.parametrize(
    ("bot", "what"),
    [
        ("Raising", "raised AttributeError"),
        ("Leaving", "raised SystemExit"),
        ("Interrupting", "raised KeyboardInterrupt"),
        ("Dying", "ended its process with code 7"),
        ("Dreaming", "chose 'castle kingside', which is no legal move"),
    ],
)
def test_a_bot_that_fails_in_its_process_is_named_with_the_game(
    bots: Path, bot: str, what: str
) -> None:
    with pytest.raises(BotFailed, match=what) as caught:
        list(games("random", f"{bots}:{bot}"))
    assert (caught.value.bot, caught.value.game) == (1, 1)
    assert (f'{bots.name}", line' in caught.value.trace) == what.startswith("raised")
    assert "bot_process" not in caught.value.trace


def test_a_bots_process_is_gone_after_its_game() -> None:
    with BotProcess("random", bytes(32), GAME) as process:
        process.wait()
        pid = process._process.pid
        assert pid is not None
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_bot_that_ended_before_it_was_asked_is_told_by_how_it_ended() -> None:
    with BotProcess("random", bytes(32), GAME) as process:
        process.wait()
        process._process.kill()
        process._process.join()
        with pytest.raises(Failed, match="signal 9"):
            process.choose(a_turn())


def test_a_bot_that_cannot_be_loaded_again_is_named_with_the_game(tmp_path: Path) -> None:
    (tmp_path / "once.py").write_text(
        "from pathlib import Path\n"
        "Path(__file__).with_suffix('.begun').touch(exist_ok=False)\n"
        "class Once:\n"
        "    def choose(self, turn): return turn.legal[0]\n"
    )
    playing = Series(Setting(GAME, ("random", str(tmp_path / "once.py")), "a")).play(2)
    next(playing)
    with pytest.raises(
        BotFailed, match=r"could not begin: .*once\.py cannot be imported: "
    ) as caught:
        next(playing)
    assert (caught.value.bot, caught.value.game) == (1, 2)


def test_what_a_bot_started_ends_with_its_game(bots: Path) -> None:
    next(games("random", f"{bots}:Orphaning"))
    children = Path(f"{bots}.children").read_text().split()
    assert children
    assert all(has_ended(int(child)) for child in children)


@pytest.mark.parametrize(
    ("failing", "said"),
    [
        # Held at its end by a thread, as by anything that takes long, it is killed there.
        ("threading.Thread(target=threading.Event().wait).start(); raise LookupError", "first"),
        ("os._exit(7)", "first\n"),
        ("threading.Event().wait()", "first\n"),
    ],
    ids=["raises", "ends its process", "hangs"],
)
def test_what_a_bot_printed_before_it_failed_appears(
    processes: Processes, failing: str, said: str
) -> None:
    (processes.folder / "chatty.py").write_text(
        "import os, threading\n\n\nclass Chatty:\n    def choose(self, turn):\n"
        f"        print('first', end={said[5:]!r})\n        {failing}\n"
    )
    words = ("random", "chatty", "-g", GAME, "-n", "1", "--move-time", "1s")
    ran = processes.run("play", *words)
    assert ran.code == 2, str(ran)
    assert said in ran.out


def test_what_a_bot_printed_before_it_was_refused_appears(processes: Processes) -> None:
    (processes.folder / "chatty.py").write_text(
        "import threading\n\nprint('first', end='')\n"
        "threading.Thread(target=threading.Event().wait).start()\nraise LookupError\n"
    )
    ran = processes.run("play", "random", "chatty", "-g", GAME, "-n", "1")
    assert ran.code == 2, str(ran)
    assert ran.out == "first"


def test_a_bot_has_time_of_its_own_to_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    path = tmp_path / "slow.py"
    path.write_text(
        f"open({str(gate)!r}).read()\n\n\n"
        "class Slow:\n    def choose(self, turn):\n        return turn.legal[0]\n"
    )
    with BotProcess(f"{path}:Slow", bytes(32), GAME, move_s=0.0) as process:
        assert not process._pipe.poll(0.1)
        gate.write_text("")
        process.wait()
    monkeypatch.setattr(bot_process, "LOAD_SECONDS", 0.1)
    with (
        BotProcess(f"{path}:Slow", bytes(32), GAME) as process,
        pytest.raises(Failed, match=r"took more than 0\.1 s to begin"),
    ):
        process.wait()


def test_a_bot_that_nobody_listens_to_any_more_ends_without_a_word() -> None:
    asked, theirs = Pipe()
    theirs.send("an answer that nobody reads")
    asked.close()
    answer_all(theirs, str)  # the question after it
    asked, theirs = Pipe()
    asked.send("a question")
    asked.close()
    answer_all(theirs, str)  # the answer to it


def test_a_signal_waits_until_a_bots_process_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    start = ForkServerProcess.start

    def told_to_end(process: ForkServerProcess) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        start(process)
        begun.append(process)

    def end(_number: int, _frame: object) -> None:
        raise SystemExit

    before = signal.signal(signal.SIGTERM, end)
    monkeypatch.setattr(ForkServerProcess, "start", told_to_end)
    try:
        with pytest.raises(SystemExit):
            BotProcess("random", bytes(32), GAME)
    finally:
        signal.signal(signal.SIGTERM, before)
    (process,) = begun
    end_group(process)


def test_a_bot_that_dies_before_it_is_there_is_none(bots: Path) -> None:
    with pytest.raises(UnknownBot, match="Stillborn ended its process with code 8"):
        try_bots(Setting(GAME, ("random", f"{bots}:Stillborn"), "a"))
    with (
        BotProcess(f"{bots}:Stillborn", bytes(32), GAME) as process,
        pytest.raises(Failed, match="code 8"),
    ):
        process.wait()
