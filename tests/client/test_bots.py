"""Where bots come from: those that come along, and a user's own class."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from aboveboard_client.bot import UnknownBot, load, names, plays
from aboveboard_referee.games import registry
from aboveboard_referee.match.player import Turn

SEED = bytes(range(32))


@pytest.fixture(autouse=True)
def _imports_left_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Loading a user's module adds to the places to import from; not for other tests."""
    import sys

    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def turn(legal: tuple[Any, ...]) -> Turn:
    return Turn(registry.game("cribbage"), None, 0, legal, 1_000_000, 1)


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    file = folder / name
    file.write_text(text)
    return file


# --- Those that come along ----------------------------------------------------------------


def test_a_random_and_a_house_bot_come_along_for_each_family_and_for_all_games() -> None:
    families = [family.name for family in registry.families()]
    expected = {f"{family}-{kind}" for family in families for kind in ("random", "house")}
    assert set(names()) == expected | {"random", "house"}
    assert list(names()) == sorted(names())


@pytest.mark.parametrize("name", ["random", "house"])
def test_a_bot_of_all_games_plays_every_one(name: str) -> None:
    assert all(plays(load(name), game) for game in registry.names())


@pytest.mark.parametrize("family", ["allegra", "cribbage", "nebraska"])
@pytest.mark.parametrize("kind", ["random", "house"])
def test_a_bot_of_one_family_plays_its_rule_sets_alone(family: str, kind: str) -> None:
    bot = load(f"{family}-{kind}")
    for game in registry.names():
        assert plays(bot, game) == (game.partition(":")[0] == family)


def test_bots_with_one_seed_choose_alike_and_others_do_not() -> None:
    def choices(seed: bytes | None) -> list[object]:
        bot = load("random", seed)
        return [bot.choose(turn(tuple(range(1000)))) for _ in range(10)]

    assert choices(SEED) == choices(SEED)
    assert choices(SEED) != choices(SEED[::-1])
    assert choices(None) != choices(None)


def test_a_seed_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        load("random", b"abc")


# --- Which games a bot plays --------------------------------------------------------------


class Of:
    def __init__(self, *games: str) -> None:
        self.games = games

    def choose(self, turn: Turn) -> object:
        return turn.legal[0]


def test_an_alias_names_one_rule_set_and_a_family_all_of_its_own() -> None:
    assert plays(Of("cribbage"), "cribbage:source")
    assert plays(Of("cribbage"), "cribbage:acc")
    assert plays(Of("cribbage:acc"), "cribbage")
    assert not plays(Of("cribbage:acc"), "cribbage:source")
    assert not plays(Of("cribbage:source"), "cribbage")


def test_a_bot_plays_any_of_the_games_that_it_names() -> None:
    bot = Of("nebraska:poker", "allegra")
    assert [game for game in registry.names() if plays(bot, game)] == ["allegra", "nebraska:poker"]


def test_nobody_can_be_asked_about_a_game_that_does_not_exist() -> None:
    with pytest.raises(registry.UnknownGame, match="chess"):
        plays(Of(), "chess")


# --- A user's own -------------------------------------------------------------------------

FIRST = """
class First:
    def choose(self, turn):
        return turn.legal[0]
"""


def test_a_class_in_a_file_is_a_bot_for_all_games(tmp_path: Path) -> None:
    bot = load(f"{written(tmp_path, FIRST)}:First")
    assert bot.choose(turn((3, 4))) == 3
    assert all(plays(bot, game) for game in registry.names())


def test_a_class_in_a_module_of_the_current_folder_is_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_own_bots").mkdir()
    written(tmp_path / "my_own_bots", FIRST, "simple.py")
    monkeypatch.chdir(tmp_path)
    assert load("my_own_bots.simple:First").choose(turn((3, 4))) == 3


def test_a_file_can_import_what_lies_beside_it(tmp_path: Path) -> None:
    written(tmp_path, FIRST, "beside_my_bot.py")
    file = written(tmp_path, "from beside_my_bot import First\nclass Mine(First): ...\n")
    assert load(f"{file}:Mine").choose(turn((3, 4))) == 3


def test_a_file_can_hold_a_dataclass(tmp_path: Path) -> None:
    text = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Mine:\n    games: tuple[str, ...] = ()\n"
        "    def choose(self, turn): return turn.legal[0]\n"
    )
    assert load(f"{written(tmp_path, text)}:Mine").choose(turn((3, 4))) == 3


def test_a_class_that_takes_rng_gets_one_made_from_the_seed(tmp_path: Path) -> None:
    text = (
        "class Mine:\n    def __init__(self, *, rng): self.rng = rng\n"
        "    def choose(self, turn): return self.rng.random()\n"
    )
    spec = f"{written(tmp_path, text)}:Mine"
    assert load(spec, SEED).choose(turn((1, 2))) == Random(SEED).random()
    assert load(spec).choose(turn((1, 2))) != load(spec).choose(turn((1, 2)))


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("", "there is no bot ''"),
        ("hous", "there is no bot 'hous': hous.py is not here, .*along are allegra-house, "),
        ("nowhere.py", "there is no file nowhere.py"),
        ("x" * 300, "there is no bot 'x{{300}}': x{{300}}.py is not here"),
        ("x" * 300 + ".py", "there is no file x{{300}}.py"),
        ("x" * 300 + ".py:First", "there is no file x{{300}}.py"),
        (":First", "there is no bot ':First'"),
        ("{folder}/nowhere.py:First", "there is no file {folder}/nowhere.py"),
        ("{folder}:First", "cannot be imported|there is no module"),
        ("nowhere_at_all.bots:First", "there is no module nowhere_at_all"),
        ("json.nowhere:First", "there is no module json.nowhere"),
        ("json:Nobody", "json has no class Nobody"),
        ("json:__name__", "__name__ in json is no class"),
        ("json:JSONDecoder", "json:JSONDecoder has no method choose"),
    ],
)
def test_what_cannot_be_found_is_told_in_one_line(tmp_path: Path, spec: str, expected: str) -> None:
    with pytest.raises(UnknownBot, match=expected.format(folder=tmp_path)) as raised:
        load(spec.format(folder=tmp_path))
    assert "\n" not in str(raised.value)


def test_a_name_alone_stands_for_the_only_bot_of_a_file_or_package_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, FIRST, "alone.py")
    (tmp_path / "boxed").mkdir()
    written(tmp_path / "boxed", FIRST, "inner.py")
    written(tmp_path / "boxed", "from .inner import First\n", "__init__.py")
    importing = "from typing import Protocol\nfrom alone import First\nclass _Shared(First): ...\n"
    written(tmp_path, f"{importing}class Mine(_Shared): ...\n", "derived.py")
    for spec in ("alone", "alone.py", "boxed", str(tmp_path / "boxed"), "derived"):
        assert load(spec).choose(turn((3, 4))) == 3


def test_a_name_that_could_mean_several_bots_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, f"{FIRST}\nclass Second(First): ...\n", "two.py")
    with pytest.raises(UnknownBot, match=r"two.py has 2 bots; name one: two.py:First or two"):
        load("two")
    written(tmp_path, "import json\n", "none.py")
    with pytest.raises(UnknownBot, match=r"none.py has no class with a method choose"):
        load("none")
    (tmp_path / "two").mkdir()
    written(tmp_path / "two", FIRST, "__init__.py")
    with pytest.raises(UnknownBot, match=r"there are both two.py and two/__init__.py"):
        load("two")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def broken(:", "cannot be imported: SyntaxError: invalid syntax"),
        (
            "\n1 / 0",
            r"cannot be imported: ZeroDivisionError: division by zero \(mine.py, line 2\)$",
        ),
        ("import numpy_of_nobody", "ModuleNotFoundError: No module named 'numpy_of_nobody'"),
        ("raise ValueError('two\\nlines')", "cannot be imported: ValueError: two lines"),
        ("import sys; sys.exit(3)", "cannot be imported: SystemExit: 3"),
        ("", "has no class Mine"),
        ("Mine = 7", "Mine in .* is no class"),
        ("class Mine: ...", "Mine has no method choose"),
        ("class Mine:\n  choose = None", "Mine has no method choose"),
        ("class Mine:\n  def __init__(self, deck): ...", "cannot be made: TypeError: .*deck'$"),
        (
            "class Mine:\n  def __init__(self): raise OSError('no model')",
            r"cannot be made: OSError: no model \(mine.py, line 2\)$",
        ),
        (
            "class Mine:\n  games = 'cribbage'\n  def choose(self, turn): ...",
            "games must be a tuple of names",
        ),
        (
            "class Mine:\n  games = (7,)\n  def choose(self, turn): ...",
            "games must be a tuple of names",
        ),
        (
            "class Mine:\n  games = 7\n  def choose(self, turn): ...",
            "games must be a tuple of names",
        ),
        (
            "class Mine:\n  games = ('chess',)\n  def choose(self, turn): ...",
            "Mine: unknown game 'chess'",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_one_line(
    tmp_path: Path, text: str, expected: str
) -> None:
    with pytest.raises(UnknownBot, match=expected) as raised:
        load(f"{written(tmp_path, text)}:Mine")
    assert "\n" not in str(raised.value)
    assert "mine.py" in str(raised.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "import numpy_of_nobody",
            r"my_bad_bot cannot be imported: .*numpy_of_nobody' \(my_bad_bot.py, line 1\)$",
        ),
        ("1 / 0", "my_bad_bot cannot be imported: ZeroDivisionError"),
    ],
)
def test_an_error_inside_a_module_is_not_taken_for_a_missing_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: str
) -> None:
    written(tmp_path, text, "my_bad_bot.py")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownBot, match=expected):
        load("my_bad_bot:Mine")
