"""Stepping through a game on a terminal, a key for each step."""

from collections.abc import Callable, Sequence

import click

from aboveboard_client.archives.frames import Frame
from aboveboard_client.terminal.output import printable

KEYS = "next: right, space   back: left, b   m: a move   d: next deal   a: start   e: end   q: quit"

NEXT = frozenset({"n", " ", "\r", "\n", "\x1b[C", "\x1b[B", "\x1bOC", "\x1bOB", "l", "j"})
BACK = frozenset({"b", "\x1b[D", "\x1b[A", "\x1bOD", "\x1bOA", "h", "k", "\x7f"})
START = frozenset({"a", "g", "\x1b[H", "\x1bOH"})
END = frozenset({"e", "G", "\x1b[F", "\x1bOF"})
QUIT = frozenset({"q", "Q", "\x1b", "\x03", "\x04"})


class Stepper:
    """The moments of a game and the one that is on the screen."""

    def __init__(
        self,
        heading: str,
        frames: Sequence[Frame],
        ending: Sequence[str],
        key: Callable[[], str] = click.getchar,
        number: Callable[[], str] | None = None,
    ) -> None:
        self.at = 0
        self._heading = heading
        self._frames = frames
        self._ending = ending
        self._key = key
        self._number = number or _ask_number
        self._said = ""

    def run(self) -> None:
        """Show the game until it is quit."""
        while True:
            click.clear()
            for line in self.screen():
                click.echo(line)
            try:
                key = self._key()
            except (EOFError, KeyboardInterrupt):
                return
            if key in QUIT:
                return
            self.press(key)

    def press(self, key: str) -> None:
        """Go where a key leads; nowhere if it is none of ours."""
        self._said = ""
        last = len(self._frames) - 1
        if key in NEXT:
            self.at = min(self.at + 1, last)
        elif key in BACK:
            self.at = max(self.at - 1, 0)
        elif key in START:
            self.at = 0
        elif key in END:
            self.at = last
        elif key == "d":
            self._go(lambda frame: frame.dealt, "this is the last deal", self.at + 1)
        elif key == "m":
            number = self._number().strip()
            self._go(lambda frame: frame.moved and str(frame.move) == number, "no such move")
        else:
            self._said = "that key does nothing"

    def _go(self, wanted: Callable[[Frame], bool], otherwise: str, start: int = 0) -> None:
        for place in range(start, len(self._frames)):
            if wanted(self._frames[place]):
                self.at = place
                return
        self._said = otherwise

    def screen(self) -> list[str]:
        """The lines to be shown now."""
        frame = self._frames[self.at]
        place = f"moment {self.at + 1} of {len(self._frames)}, move {frame.move}, deal {frame.deal}"
        lines = [self._heading, place, "", *frame.board, ""]
        lines += [f"score {' - '.join(map(str, frame.scores))}", "", frame.head]
        lines += [f"    {line}" for line in frame.told]
        if frame.note:
            lines.append(f"    [{frame.note}]")
        if self.at == len(self._frames) - 1:
            lines += ["", *self._ending]
        return [printable(line, 500) for line in [*lines, "", self._said or KEYS]]


def _ask_number() -> str:
    return str(click.prompt("move", default="", show_default=False))
