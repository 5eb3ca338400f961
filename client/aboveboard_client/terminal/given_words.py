"""The words of the command that is running, as whoever typed it would type it again."""

from collections.abc import Collection

import click
from click.core import ParameterSource

from aboveboard_client.terminal.called_as import called_as


def given_words(ctx: click.Context, but: Collection[str] = ()) -> list[str]:
    """The command and all that was given on its command line, options first, ``but`` for some
    parameters by their names.
    """
    words = [called_as(), *ctx.command_path.split()[1:]]
    arguments: list[str] = []
    for param in ctx.command.params:
        name = param.name or ""
        if name in but or ctx.get_parameter_source(name) != ParameterSource.COMMANDLINE:
            continue
        value = ctx.params[name]
        values = value if isinstance(value, tuple | list) else [value]
        if isinstance(param, click.Argument):
            arguments += map(_text, values)
        elif isinstance(param, click.Option) and param.is_flag:
            words.append(param.opts[0] if value else param.secondary_opts[0])
        else:
            words += [word for each in values for word in (param.opts[0], _text(each))]
    return [*words, *arguments]


def _text(value: object) -> str:
    """A float is a duration in seconds, which is written with its unit."""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.0f}s" if value.is_integer() else f"{round(value * 1000)}ms"
