"""A flag for every key of a tournament file, which counts in place of what the file says."""

from collections.abc import Mapping
from typing import Any

import click

from aboveboard_server.config import Key, all_keys, key_named

_META = "aboveboard.config_flags"


def given_flags(ctx: click.Context) -> Mapping[str, str]:
    """The texts that were given, by key."""
    found: dict[str, str] = ctx.meta.get(_META, {})
    return found


def as_words(flags: Mapping[str, str]) -> list[str]:
    """The words of a command line that give these flags again."""
    return [word for key, text in flags.items() for word in (key_named(key).flag, text)]


class ConfiguredCommand(click.Command):
    """A command with a flag for every key of a tournament file, in a section of their own."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._flags = [_Flag(key) for key in all_keys()]
        self.params.extend(self._flags)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        own = [option.get_help_record(ctx) for option in options if option not in self._flags]
        with formatter.section("Options"):
            formatter.write_dl([record for record in own if record])
        with formatter.section("In place of what FILE says ('' as if it said nothing)"):
            formatter.write_dl([flag.record for flag in self._flags])


class _Flag(click.Option):
    def __init__(self, key: Key) -> None:
        super().__init__(
            [key.flag, f"key_{key.name.replace('.', '_')}"],
            metavar=_metavar(key.example),
            help=key.explained,
            expose_value=False,
            callback=self._keep,
        )
        self._key = key

    @property
    def record(self) -> tuple[str, str]:
        return f"{self._key.flag} {self.metavar}", self._key.explained

    def _keep(self, ctx: click.Context, _: click.Parameter, text: str | None) -> None:
        if text is not None:
            ctx.meta.setdefault(_META, {})[self._key.name] = text


def _metavar(example: object) -> str:
    match example:
        case bool():
            return "true|false"
        case int():
            return "N"
        case list():
            return "A,B"
        case str():
            return "TEXT"
        case _:
            return "TIME"
