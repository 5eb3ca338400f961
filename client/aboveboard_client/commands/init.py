"""``aboveboard init``: a bot to begin with, its test, and a tournament for it."""

import importlib.util
import keyword
import re
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import click

from aboveboard_client import bots, starters
from aboveboard_client.errors import OutsideFailure, WrongUse
from aboveboard_client.terminal.called_as import command_line
from aboveboard_client.terminal.output import say
from aboveboard_referee.games import registry

EVERY_GAME = "every_game"
FIRST_GAMES = {family.name: next(iter(family.variants)) for family in registry.families()}

_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}", re.ASCII)
_CLASS = "Starter"

TEST = '''\
"""What {name} must be able to do. To run this: pip install pytest; pytest test_{name}.py"""

import pytest
from {name} import {class_name}

from aboveboard_client.testing import try_out


@pytest.mark.parametrize("game", [{games}])
def test_it_plays_by_the_rules_and_beats_chance(game):
    result = try_out({class_name}, "random", game=game, games=6, seed="1")
    assert result.points >= 4
'''

TOURNAMENT = """\
# A tournament of {name} and three bots that come along: aboveboard serve {name}.toml
# More of what can be said here: aboveboard serve --example
title = "The first tournament of {name}"
games = [{games}]
rounds = 3
entrants = 4
state = "{name}-tournament"

[house]                    # bots that the server brings along
bots = ["house", "random", "random"]
"""


@click.command()
@click.argument("name")
@click.option(
    "--game",
    "-g",
    type=click.Choice(sorted(FIRST_GAMES)),
    help="A bot of this game alone.  [default: a bot of every game]",
)
@click.option("--async", "is_async", is_flag=True, help="Write `async def choose`.")
def init(name: str, game: str | None, is_async: bool) -> None:
    """Write a bot called NAME to this folder, to be changed.

    NAME.py is a class of one method, test_NAME.py a test of it, and NAME.toml a tournament
    in which it meets bots that come along. Nothing that is there is overwritten.
    """
    check_name(name)
    names = sorted(FIRST_GAMES) if game is None else [game]
    games = [FIRST_GAMES[each] for each in names]
    source, class_name = starter(name, game or EVERY_GAME, is_async=is_async)
    quoted = ", ".join(f'"{each}"' for each in games)
    write_new(
        {
            Path(f"{name}.py"): source,
            Path(f"test_{name}.py"): TEST.format(name=name, class_name=class_name, games=quoted),
            Path(f"{name}.toml"): TOURNAMENT.format(name=name, games=quoted),
        }
    )
    first = "cribbage" if game is None else games[0]
    say(f"{name}.py is a bot for {', '.join(names)}; all it does is in `choose`")
    say(f"test_{name}.py is a test of it, {name}.toml a tournament for it")
    say("now see it play, change it, and play again:")
    for words in (
        ("play", name, "house", "--game", first, "--games", 200),
        ("check", name),
        ("serve", f"{name}.toml"),
    ):
        say(f"  {command_line(*words)}")
    say("and, while that serves, in another terminal here:")
    say(f"  {command_line('join', 'localhost:50051', name)}")


def check_name(name: str) -> None:
    """``WrongUse`` unless a bot can be called so, as a module that hides no other."""
    if _NAME.fullmatch(name) is None:
        raise WrongUse(
            "a bot's name is 1 to 31 small letters, digits and underscores and begins with a "
            f"letter, not {name[:60]!r}"
        )
    if name in bots.BOTS:
        raise WrongUse(f"{name} is a bot that comes along; choose another name")
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        raise WrongUse(f"{name} is a word of Python's; choose another name")
    own = {Path(f"{name}.py").resolve(), (Path(name) / "__init__.py").resolve()}
    found = None if name in sys.stdlib_module_names else importlib.util.find_spec(name)
    taken = found is not None and (found.origin is None or Path(found.origin).resolve() not in own)
    if name in sys.stdlib_module_names or taken:
        raise WrongUse(f"{name} is a module that is installed; choose another name")


def starter(name: str, kind: str, *, is_async: bool) -> tuple[str, str]:
    """The source of a new bot, and what its class is called."""
    source = (files(starters) / f"{kind}.py").read_text()
    class_name = "".join(word.capitalize() for word in name.split("_"))
    if re.search(rf"\b{class_name}\b", source):
        class_name += "Bot"
    source = re.sub(rf"\b{_CLASS}\b", class_name, source)
    if is_async:
        source = source.replace("    def choose(", "    async def choose(")
    return source, class_name


def write_new(texts: Mapping[Path, str]) -> None:
    """Write files none of which is there. Raises ``WrongUse`` for one that is, before any."""
    for path in texts:
        if path.exists() or path.is_symlink():
            raise WrongUse(f"{path} is here already, and stays as it is; choose another name")
    for path, text in texts.items():
        try:
            with open(path, "x", encoding="utf-8") as file:
                file.write(text)
        except FileExistsError:
            raise WrongUse(f"{path} is here already, and stays as it is") from None
        except OSError as error:
            raise OutsideFailure(f"{path} cannot be written: {error.strerror}") from error
