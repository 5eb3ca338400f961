"""What commands print: colours and a live line on a terminal, plain lines in a pipe.

Text that came from elsewhere (a server, an archive, a bot) goes through ``printable``
before it is shown: a terminal obeys control characters.
"""

import csv
import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import click
from rich.console import Console
from rich.live import Live as RichLive
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from aboveboard_referee.one_line import one_line


def printable(text: str, limit: int = 200) -> str:
    """Foreign text as one harmless line of at most ``limit`` characters."""
    return one_line(text, limit)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command line, where rich would exit with a code of its own."""
        raise BrokenPipeError


def stdout() -> Console:
    """Standard output as it is now. Nothing in a text is taken for markup."""
    return _Console(highlight=False, markup=False, emoji=False, soft_wrap=True)


def stderr() -> Console:
    """The same for standard error."""
    return _Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


def say(text: str, style: str | None = None) -> None:
    """A line on standard output, in a colour where there are any."""
    stdout().print(text, style=style)


def say_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Names and values in two columns."""
    width = max(len(name) for name, _ in pairs)
    console = stdout()
    for name, value in pairs:
        console.print(Text(f"{name:<{width}}  ", style="dim"), Text(value), sep="")


def say_title(text: str) -> None:
    """The heading of what follows."""
    say(printable(text, limit=500), style="bold")


def say_csv(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table for spreadsheets, lines ended by a line feed; None is an empty cell."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


def say_json(values: Mapping[str, Any]) -> None:
    """One JSON object, in ASCII: what came from elsewhere moves no cursor."""
    click.echo(json.dumps(values, indent=2))


def say_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[str] = ()
) -> None:
    """A table; the columns named in ``right`` are aligned to the right."""
    console = stdout()
    if console.is_terminal:
        table = Table(box=None, header_style="bold", pad_edge=False)
        for name in header:
            table.add_column(name, justify="right" if name in right else "left")
        for row in rows:
            table.add_row(*map(Text, row))
        console.print(table)
        return
    for line in table_lines(header, rows, right):
        console.print(line)


def table_lines(
    header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[str] = ()
) -> Iterator[str]:
    """A table as aligned lines, its header first; as ``say_table`` says it in a pipe."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in (header, *rows):
        cells = [
            f"{cell:>{width}}" if name in right else f"{cell:<{width}}"
            for name, cell, width in zip(header, row, widths, strict=True)
        ]
        yield "  ".join(cells).rstrip()


class Live:
    """A last line on a terminal that is kept up to date while others are printed above it.

    In a pipe there is no such line, and what happens is told by lines alone.
    """

    def __init__(self) -> None:
        self._console = stdout()
        self._spinner = Spinner("dots", Text("…"))
        self._live = RichLive(
            self._spinner,
            console=self._console,
            transient=True,
            # What goes to another place than this terminal must not be caught.
            redirect_stderr=sys.stderr.isatty(),
        )

    @property
    def on_terminal(self) -> bool:
        return self._console.is_terminal

    def show(self, text: str) -> None:
        """The new text of the last line."""
        self._spinner.update(text=Text(text))

    def say(self, text: str, style: str | None = None) -> None:
        """A line that stays."""
        self._console.print(text, style=style)

    def __enter__(self) -> Self:
        if self.on_terminal:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.on_terminal:
            self._live.stop()
