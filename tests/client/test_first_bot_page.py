"""docs/first-bot.md: its code is a bot, and a better one than that which it replaces."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from aboveboard_client.measuring.duplicate import Duplicate
from aboveboard_client.measuring.one_game import Setting
from aboveboard_client.series import Series
from tests.fakes.command_line import Run

PAGE = Path(__file__).parents[2] / "docs" / "first-bot.md"

ORIGINAL, CHANGED = "orig.py:Mybot", "mybot.py:Mybot"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """As the page has it by the end of "Make it better"."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    commands = re.findall(r"^    (?:aboveboard (init .*)|(cp .*))$", PAGE.read_text(), re.M)
    assert commands == [("init mybot --game cribbage", ""), ("", "cp mybot.py orig.py")]
    assert run(*commands[0][0].split()).code == 0
    (tmp_path / "mybot.py").rename("orig.py")
    (source,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    (tmp_path / "mybot.py").write_text(source)
    return tmp_path


@pytest.mark.parametrize(
    ("game", "others"), [("cribbage", 1), ("cribbage", 3), ("cribbage:source", 1)]
)
def test_its_bot_plays_all_of_cribbage(game: str, others: int) -> None:
    series = Series(Setting(game, (CHANGED, *["random"] * others), "a"))
    assert len(list(series.play(1))) == 1


def test_its_bot_passes_the_test_that_init_wrote(folder: Path) -> None:
    scope: dict[str, Any] = {}
    exec(compile((folder / "mybot.py").read_text(), "mybot.py", "exec"), scope)
    test = (folder / "test_mybot.py").read_text().replace("from mybot import Mybot\n", "")
    exec(compile(test, "test_mybot.py", "exec"), scope)
    scope["test_it_plays_by_the_rules_and_beats_chance"](game="cribbage")


@pytest.mark.slow
def test_its_bot_beats_the_one_that_init_wrote() -> None:
    series = Duplicate(Setting("cribbage", (CHANGED, ORIGINAL), "a"), processes=2)
    for _ in series.play(80):
        pass
    interval = series.pairs.interval()
    assert interval is not None
    assert interval[0] > 0.5
