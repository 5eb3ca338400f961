"""``aboveboard init``: a bot to begin with, which plays and passes its own test."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aboveboard_client.bot import load, plays
from aboveboard_client.commands.init import write_new
from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.measuring.one_game import Setting
from aboveboard_client.series import Series
from aboveboard_client.testing import try_out
from aboveboard_referee.games import registry
from aboveboard_server.config import load_config
from tests.fakes.command_line import Run


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that one is in; what is imported from it is not for other tests."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.mark.parametrize(
    ("game", "first"),
    [
        (None, "cribbage"),
        ("allegra", "allegra"),
        ("cribbage", "cribbage"),
        ("nebraska", "nebraska:family"),
    ],
)
def test_what_it_writes_plays_every_game_that_it_is_for(
    run: Run, folder: Path, game: str | None, first: str
) -> None:
    ran = run("init", "my_bot", *([] if game is None else ["--game", game]))
    assert (ran.code, ran.err) == (0, "")
    assert sorted(p.name for p in folder.iterdir()) == [
        "my_bot.py",
        "my_bot.toml",
        "test_my_bot.py",
    ]
    bot = load("my_bot")
    assert type(bot).__name__ == "MyBot"
    for name in registry.names():
        assert plays(bot, name) == (game in (None, name.partition(":")[0]))
    assert f"  aboveboard play my_bot house --game {first} --games 200\n" in ran.out
    assert ran.out.endswith("  aboveboard join localhost:50051 my_bot\n")
    next(Series(Setting(first, ("my_bot", "random"), "a")).play(1))


def test_an_async_one_plays_as_well(run: Run, folder: Path) -> None:
    assert run("init", "unhurried", "--async", "--game", "allegra").code == 0
    assert "async def choose(self, turn: AllegraTurn)" in (folder / "unhurried.py").read_text()
    next(Series(Setting("allegra", ("unhurried", "random"), "a")).play(1))


def test_the_test_that_it_writes_tries_the_bot_out_and_can_fail(run: Run, folder: Path) -> None:
    run("init", "tried", "--game", "allegra")
    assert 'parametrize("game", ["allegra"])' in (folder / "test_tried.py").read_text()
    source = (folder / "test_tried.py").read_text().replace("from tried import Tried\n", "")
    bot = type(load("tried"))
    worse = type("Worse", (), {"choose": lambda self, turn: turn.legal[0]})
    for made, passes in ((bot, True), (worse, False)):
        scope: dict[str, Any] = {"Tried": made}
        exec(compile(source, "test_tried.py", "exec"), scope)  # as pytest would import it
        test: Callable[..., None] = scope["test_it_plays_by_the_rules_and_beats_chance"]
        if passes:
            test(game="allegra")
        else:
            with pytest.raises(AssertionError):
                test(game="allegra")


def test_trying_out_raises_what_a_bot_raised() -> None:
    class Lost:
        def choose(self, turn: object) -> object:
            raise LookupError("lost in thought")

    with pytest.raises(Exception, match="raised LookupError") as caught:
        try_out(Lost, game="allegra")
    cause = caught.value.__cause__
    assert cause is not None
    assert isinstance(cause.__cause__, LookupError)


def test_the_tournament_that_it_writes_has_house_bots_and_room_for_one_more(
    run: Run, folder: Path
) -> None:
    run("init", "guest")
    config = load_config(folder / "guest.toml")
    assert config.entrants == len(config.house) + 1
    assert set(config.games) == {"allegra", "cribbage", "nebraska:family"}


@pytest.mark.parametrize("there", ["own.py", "test_own.py", "own.toml"])
def test_nothing_that_is_there_is_overwritten_and_then_nothing_is_written(
    run: Run, folder: Path, there: str
) -> None:
    (folder / there).write_text("mine")
    ran = run("init", "own")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        f"aboveboard: {there} is here already, and stays as it is; choose another name\n"
    )
    assert [path.name for path in folder.iterdir()] == [there]
    assert (folder / there).read_text() == "mine"


def test_a_file_that_came_in_between_is_not_overwritten(folder: Path) -> None:
    (folder / "beside").mkdir()
    name, same = folder / "own.py", folder / "beside" / ".." / "own.py"
    with pytest.raises(WrongUse, match=r"own\.py is here already, and stays as it is$"):
        write_new({name: "mine", same: "another's"})
    assert name.read_text() == "mine"


def test_a_file_that_cannot_be_written_is_an_outside_failure(folder: Path) -> None:
    with pytest.raises(OutsideFailure, match=r"own\.py cannot be written: No such file or"):
        write_new({folder / "none" / "own.py": ""})


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("my-bot", "small letters, digits and underscores"),
        ("MyBot", "small letters, digits and underscores"),
        ("7up", "begins with a letter"),
        ("../up", "small letters"),
        ("a" * 32, "1 to 31"),
        ("house", "house is a bot that comes along"),
        ("class", "class is a word of Python's"),
        ("match", "match is a word of Python's"),
        ("json", "json is a module that is installed"),
        ("click", "click is a module that is installed"),
    ],
)
def test_a_name_that_would_not_do_is_refused_in_one_line(
    run: Run, folder: Path, name: str, why: str
) -> None:
    ran = run("init", name)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err
    assert ran.err.count("\n") == 1
    assert list(folder.iterdir()) == []


def test_a_class_does_not_hide_what_its_file_imports(run: Run, folder: Path) -> None:
    assert run("init", "turn").code == 0
    assert "class TurnBot:" in (folder / "turn.py").read_text()
