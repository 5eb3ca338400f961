"""The one command ``aboveboard``: its subcommands come from every installed package.

A package offers them by an entry point of the group ``aboveboard.commands`` that names
a sequence of click commands, so nothing here imports a package above this one.
"""

import os
import sys
import traceback
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import entry_points, version
from typing import Any, NoReturn

import click

from aboveboard_client.errors import AboveboardError, OutsideFailure, WrongUse
from aboveboard_client.terminal.output import printable
from aboveboard_protos.bridge import Interrupted

ENTRY_POINTS = "aboveboard.commands"

EXIT_OUR_MISTAKE = 70  # EX_SOFTWARE of sysexits.h
EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells have it
EXIT_NO_READER = 141  # 128 + SIGPIPE

SECTIONS: Sequence[tuple[str, Sequence[str]]] = (
    ("See it work", ("demo",)),
    ("Play", ("init", "play", "check", "join", "report", "bye", "withdraw", "return")),
    ("Run a tournament", ("serve", "start", "rule", "pause", "resume", "end", "backup", "restore")),
    (
        "Check a result",
        ("verify", "show", "replay", "score", "explain", "ratings", "log", "witness"),
    ),
    ("Plan and exchange", ("simulate", "pair", "standings", "export", "season")),
    ("Keys", ("key", "token")),
)
"""The order in which a newcomer wants the commands; what is not named here comes last."""


class Commands(click.Group):
    """A group whose members are found when they are asked for."""

    @cached_property
    def found(self) -> dict[str, click.Command]:
        commands: dict[str, click.Command] = {}
        for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
            try:
                offered = point.load()
            except ImportError as error:
                # One package's trouble should not take the others' commands away.
                click.echo(
                    f"aboveboard: the commands of {point.value} are left out: {error}", err=True
                )
                continue
            commands.update((command.name, command) for command in offered)
        return commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        listed = [name for _, names in SECTIONS for name in names if name in self.found]
        return listed + sorted(set(self.found) - set(listed))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.found.get(cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        named = {name for _, section in SECTIONS for name in section}
        sections = [*SECTIONS, ("More", [name for name in names if name not in named])]
        width = formatter.width - 6 - max(map(len, names), default=0)
        for title, section in sections:
            rows = [
                (name, self.found[name].get_short_help_str(width))
                for name in section
                if name in self.found
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows, col_spacing=4)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (BrokenPipeError, BaseExceptionGroup) as error:
            if isinstance(error, BaseExceptionGroup) and error.split(BrokenPipeError)[1]:
                raise
            # Whoever read the output has seen enough. Nothing more may be written, not
            # even when the interpreter flushes its streams at the end.
            _give_up_output()
            ctx.exit(EXIT_NO_READER)


@click.group(
    cls=Commands,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=(
        "Exit codes: 0 good, 1 a verdict against, 2 wrong use, 3 an outside failure "
        "(connection, disk). Every command explains itself with --help."
    ),
)
@click.version_option(version("aboveboard"), prog_name="aboveboard")
def aboveboard() -> None:
    """Tournaments for card-playing bots whose every result anyone can recompute."""


def run(args: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; errors become one line on stderr."""
    try:
        result = aboveboard.main(args=args, prog_name="aboveboard", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return WrongUse.exit_code
    except click.UsageError as error:
        of = error.ctx.command_path if error.ctx is not None else "aboveboard"
        click.echo(f"aboveboard: {error.format_message()} See: {of} --help", err=True)
        return WrongUse.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return EXIT_INTERRUPTED
    except Interrupted as error:
        click.echo(f"aboveboard: {error}", err=True)
        return 128 + error.signal
    except AboveboardError as error:
        # Whatever of it came from elsewhere, a terminal obeys none of it.
        click.echo(f"aboveboard: {printable(str(error), limit=1000)}", err=True)
        return error.exit_code
    except OSError as error:
        # A full disk under the output, as a rule: what has its own remedy says so itself.
        _give_up_output()
        where = "" if error.filename is None else f"{error.filename}: "
        said = printable(f"{where}{error.strerror or error}", limit=1000)
        click.echo(f"aboveboard: {said}", err=True)
        return OutsideFailure.exit_code
    except Exception:  # noqa: BLE001  # the outermost frame: whatever came here is our mistake
        traceback.print_exc()
        click.echo("aboveboard: this is a mistake in aboveboard; please report it", err=True)
        return EXIT_OUR_MISTAKE
    return result if isinstance(result, int) else 0


def _give_up_output() -> None:
    """Have nothing more written to standard output, not even at the interpreter's end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> NoReturn:
    """The console script."""
    sys.exit(run())
