"""A bot is one decision, and this is where bots come from.

The shortest one is a class with a single method::

    class First:
        def choose(self, turn):
            return turn.legal[0]

In ``first.py`` it is played with as ``first``; more generally as ``path/to/file.py:First``
or ``package.module:First``. ``async def choose`` will do too. Everything else of a match
(keys, checks, commitments, the clock) is done for it.
"""

import inspect
import random
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, cast

from aboveboard_client import bots
from aboveboard_client.awaited import Awaited, is_async
from aboveboard_client.bot_source import UnknownBot, factory_of
from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.line_bots.line_bot import LineBot
from aboveboard_client.traces import trace_line
from aboveboard_referee.games import registry
from aboveboard_referee.match.player import Turn

__all__ = [
    "LOAD_SECONDS",
    "SEED_BYTES",
    "Bot",
    "UnknownBot",
    "ending",
    "load",
    "made_of",
    "names",
    "plays",
    "rule_sets",
]

SEED_BYTES = 32
LOAD_SECONDS = 60.0
"""How long a bot may take to be loaded and made, in a process of its own."""
EXEC = "exec:"
"""What the spec of a bot begins with that is a program of its own; its command follows."""


class Bot(Protocol):
    """What a bot must have. One bot may be asked in many matches by turns."""

    games: tuple[str, ...]
    """The families or full names that it plays, such as ``("cribbage",)`` or
    ``("nebraska:poker",)``; empty, or left out, for all of them."""

    def choose(self, turn: Turn) -> object:
        """A move out of ``turn.legal``; anything else loses the match."""
        ...


def plays(bot: Bot, game_name: str) -> bool:
    """Whether ``bot`` plays the rule set ``game_name``, which may be an alias.

    Raises ``registry.UnknownGame`` for a name that no rule set has.
    """
    name = registry.canonical(game_name)
    games = _games(bot)
    return not games or any(name in rule_sets(entry) for entry in games)


def rule_sets(entry: str) -> tuple[str, ...]:
    """The rule sets of a family, or the one that is called so. An alias will do.

    Raises ``registry.UnknownGame``.
    """
    for family in registry.families():
        if entry == family.name:
            return tuple(family.variants)
    return (registry.canonical(entry),)


def names() -> tuple[str, ...]:
    """The bots that come along, sorted."""
    return tuple(sorted(bots.BOTS))


def load(spec: str, seed: bytes | None = None) -> Bot:
    """The bot that ``spec`` names: one of ``names()``, or a class of the user's own.

    The latter is ``path/to/file.py:Class``, ``package.module:Class``, or ``NAME`` for the
    only bot in ``NAME.py`` or the package ``NAME`` of the current folder. It is called
    without an argument, or with the keyword ``rng`` if it takes one. That ``rng`` is a
    ``random.Random`` made from ``seed`` (32 bytes) or, without one, from the system's
    randomness; a bot that comes along and has a seed answers equal turns equally. What is
    returned has a plain ``choose``, also where the bot's own is ``async``.
    ``exec:COMMAND`` is a program that talks lines, which is started here.

    Raises ``UnknownBot`` for whatever keeps it from being a bot.
    """
    if seed is not None and len(seed) != SEED_BYTES:
        raise ValueError(f"a seed is {SEED_BYTES} bytes, not {len(seed)}")
    rng = random.Random(seed or secrets.token_bytes(SEED_BYTES))  # noqa: S311  # no secret
    if spec in bots.BOTS:
        return bots.BOTS[spec](rng)
    if spec.startswith(EXEC):
        return _program(spec, rng)
    return _finished(spec, factory_of(spec), rng)


def made_of(factory: Callable[..., object], name: str, seed: bytes) -> Bot:
    """The bot that a class makes, as ``load`` would make it; ``name`` is for what is wrong.

    Raises ``UnknownBot``.
    """
    return _finished(name, factory, random.Random(seed))  # noqa: S311  # no secret


@contextmanager
def ending(*bots: Bot) -> Iterator[None]:
    """At the end, tell those of the bots that are programs of their own to quit."""
    try:
        yield
    finally:
        for bot in bots:
            if isinstance(bot, LineBot):
                bot.close()


# --- A user's own ----------------------------------------------------------------------


def _program(spec: str, rng: random.Random) -> Bot:
    try:
        made = LineBot(spec.removeprefix(EXEC), seed=f"{rng.getrandbits(64):016x}")
    except LineBotFailed as error:
        raise UnknownBot(f"{spec} {error}") from error
    try:
        _check(spec, made)
    except UnknownBot:
        made.close()
        raise
    return made


def _finished(spec: str, factory: object, rng: random.Random) -> Bot:
    made = _make(spec, factory, rng)
    _check(spec, made)
    if is_async(made.choose):
        return Awaited(_games(made), cast("Callable[[Turn], Awaitable[object]]", made.choose))
    return made


def _make(spec: str, factory: object, rng: random.Random) -> Bot:
    assert callable(factory)
    try:
        made = factory(rng=rng) if _takes_rng(factory) else factory()
    except (Exception, SystemExit) as error:
        raise UnknownBot(f"{spec} cannot be made: {trace_line(error)}") from error
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
            rule_sets(entry)
        except registry.UnknownGame as error:
            raise UnknownBot(f"{spec}: {error}") from error


def _games(bot: Bot) -> tuple[str, ...]:
    return getattr(bot, "games", ())
