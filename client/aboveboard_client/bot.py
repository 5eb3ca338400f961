"""A bot is one decision, and this is where bots come from.

The shortest one is a class with a single method::

    class First:
        def choose(self, turn):
            return turn.legal[0]

It is played with as ``path/to/file.py:First`` or ``package.module:First``. Everything
else of a match (keys, checks, commitments, the clock) is done for it.
"""

import importlib
import importlib.util
import inspect
import random
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Protocol, cast

from aboveboard_client import bots
from aboveboard_referee.games import registry
from aboveboard_referee.match.player import Turn

SEED_BYTES = 32


class Bot(Protocol):
    """What a bot must have. One bot may be asked in many matches by turns."""

    games: tuple[str, ...]
    """The families or full names that it plays, such as ``("cribbage",)`` or
    ``("nebraska:poker",)``; empty, or left out, for all of them."""

    def choose(self, turn: Turn) -> object:
        """A move out of ``turn.legal``; anything else loses the match."""
        ...


class UnknownBot(ValueError):
    """There is no such bot, or what is there cannot be one. The message is one line."""


def plays(bot: Bot, game_name: str) -> bool:
    """Whether ``bot`` plays the rule set ``game_name``, which may be an alias.

    Raises ``registry.UnknownGame`` for a name that no rule set has.
    """
    name = registry.canonical(game_name)
    games = _games(bot)
    return not games or any(name in _rule_sets(entry) for entry in games)


def names() -> tuple[str, ...]:
    """The bots that come along, sorted."""
    return tuple(sorted(bots.BOTS))


def load(spec: str, seed: bytes | None = None) -> Bot:
    """The bot that ``spec`` names: one of ``names()``, or a class of the user's own.

    The latter is ``path/to/file.py:Class`` or ``package.module:Class``; it is called
    without an argument, or with the keyword ``rng`` if it takes one. That ``rng`` is a
    ``random.Random`` made from ``seed`` (32 bytes) or, without one, from the system's
    randomness; a bot that comes along and has a seed answers equal turns equally.

    Raises ``UnknownBot`` for whatever keeps it from being a bot.
    """
    if seed is not None and len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
    rng = random.Random(seed or secrets.token_bytes(SEED_BYTES))  # noqa: S311  # no secret
    if spec in bots.BOTS:
        return bots.BOTS[spec](rng)
    where, colon, class_name = spec.rpartition(":")
    if not (colon and where and class_name):
        raise UnknownBot(
            f"there is no bot {spec!r}; name one of {', '.join(names())}, "
            "or your own as path/to/file.py:Class or package.module:Class"
        )
    module = _file(Path(where)) if where.endswith(".py") else _module(where)
    made = _make(spec, getattr(module, class_name, None), rng)
    _check(spec, made)
    return made


# --- A user's own ----------------------------------------------------------------------


def _file(path: Path) -> ModuleType:
    """The file as a module; like a script, it can import what lies beside it."""
    if not path.is_file():
        raise UnknownBot(f"there is no file {path}")
    folder, name = str(path.resolve().parent), f"aboveboard_bot_{path.stem}"
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    if folder not in sys.path:
        sys.path.append(folder)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        found.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise UnknownBot(f"{path} cannot be imported: {_line(error)}") from error
    return module


def _module(name: str) -> ModuleType:
    """The module, looked for in the current folder too, where a console script does not."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{name}.".startswith(f"{error.name}."):
            raise UnknownBot(f"there is no module {error.name}") from error
        raise UnknownBot(f"{name} cannot be imported: {_line(error)}") from error
    except (Exception, SystemExit) as error:
        raise UnknownBot(f"{name} cannot be imported: {_line(error)}") from error


def _make(spec: str, factory: object, rng: random.Random) -> Bot:
    where, _, class_name = spec.rpartition(":")
    if factory is None:
        raise UnknownBot(f"{where} has no class {class_name}")
    if not callable(factory):
        raise UnknownBot(f"{class_name} in {where} is no class")
    try:
        made = factory(rng=rng) if _takes_rng(factory) else factory()
    except Exception as error:
        raise UnknownBot(f"{spec} cannot be made: {_line(error)}") from error
    return cast("Bot", made)


def _takes_rng(factory: Callable[..., object]) -> bool:
    try:
        parameter = inspect.signature(factory).parameters.get("rng")
    except ValueError:  # some built-in classes have none
        return False
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return parameter is not None and parameter.kind in by_name


def _check(spec: str, made: Bot) -> None:
    if not callable(getattr(made, "choose", None)):
        raise UnknownBot(f"{spec} has no method choose")
    games = _games(made)
    if not isinstance(games, tuple | list) or not all(isinstance(entry, str) for entry in games):
        raise UnknownBot(f'{spec}: games must be a tuple of names, such as ("cribbage",)')
    for entry in games:
        try:
            _rule_sets(entry)
        except registry.UnknownGame as error:
            raise UnknownBot(f"{spec}: {error}") from error


def _games(bot: Bot) -> tuple[str, ...]:
    return getattr(bot, "games", ())


def _rule_sets(entry: str) -> tuple[str, ...]:
    """The rule sets that one entry of a bot's games stands for."""
    for family in registry.families():
        if entry == family.name:
            return tuple(family.variants)
    return (registry.canonical(entry),)


def _line(error: BaseException) -> str:
    """A stranger's exception as one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
