"""Bots in processes of their own, whatever they do there."""

import os
import signal
from collections.abc import Iterator
from multiprocessing import Pipe
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from aboveboard_client.bot import UnknownBot
from aboveboard_client.measuring.bot_process import BotProcess, Failed
from aboveboard_client.measuring.forked import answer_all, end_group
from aboveboard_client.measuring.one_game import BotFailed, PlayedGame, Setting
from aboveboard_client.series import Series, try_bots
from tests.fakes.ended import has_ended

GAME = "nebraska:family"


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


def test_what_a_bot_started_ends_with_its_game(bots: Path) -> None:
    next(games("random", f"{bots}:Orphaning"))
    children = Path(f"{bots}.children").read_text().split()
    assert children
    assert all(has_ended(int(child)) for child in children)


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
