"""A bot that is a program of its own."""

import shlex
import shutil
import sys
import threading
from collections.abc import Sequence
from functools import partial
from itertools import count
from time import monotonic
from typing import Any

from aboveboard_client.line_bots.failure import LineBotFailed
from aboveboard_client.line_bots.lines import (
    SHOWN,
    Hello,
    hello_line,
    over_line,
    read_answer,
    read_hello,
    turn_line,
)
from aboveboard_client.line_bots.process import ENDING_S, LineProcess
from aboveboard_client.terminal.output import printable
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import GameError, Seat
from aboveboard_referee.match.player import Turn

HELLO_S = 15.0
"""How long the program has from its start until it has said hello."""
MOST_MATCHES = 64
"""Matches that it can be in at a time, each with a process."""


class LineBot:
    """The bot that a command line starts. Threads may ask it in several matches at once.

    Each match that is under way has a process of its own, which then goes to another match.
    A process that fails costs the question at hand and is ended; the next one is fresh.
    """

    def __init__(self, command: str, seed: str) -> None:
        """Start the program and hear what it plays. ``seed`` is any text, for it to use.

        Raises ``LineBotFailed`` if that cannot be done.
        """
        self._command = _words(command)
        self._hello_line = hello_line(registry.names(), seed)
        self._numbers = count(1)
        self._lock = threading.Lock()  # of the four below
        self._playing: dict[str, LineProcess] = {}  # by match
        self._idle: list[LineProcess] = []
        self._busy: set[LineProcess] = set()  # those that are being asked
        self._closed = False
        self._last: LineProcess | None = None  # asked or begun last
        first, hello = self._start(HELLO_S)
        self._idle.append(first)
        self.name = hello.name  # what it calls itself
        self.games = hello.games  # families or rule sets, empty for all

    @property
    def output(self) -> str:
        """The end of what it wrote to standard error, where it was asked last."""
        return "" if self._last is None else self._last.output

    def choose(self, turn: Turn) -> Any:
        """Its move, a legal one. Raises ``LineBotFailed`` where there is none in time."""
        begun = monotonic()
        process = self._take(turn)
        number = next(self._numbers)
        try:
            left = turn.left_us / 1e6 - (monotonic() - begun)
            text = process.ask(
                turn_line(number, turn), max(0.0, left), partial(read_answer, number=number)
            )
            move = _legal(turn, text)
        except BaseException:
            self._drop(turn.match, process)
            raise
        with self._lock:
            self._busy.discard(process)
        return move

    def over(self, match: str, seat: Seat, close: pb.MatchClose | None) -> None:
        """A match is over for it. It is told so, if it still has a process there.

        One that still thinks about that match is ended.
        """
        with self._lock:
            process = self._playing.pop(match, None)
            if process is None:
                return
            if process in self._busy:
                process.kill()
            else:
                process.tell(over_line(match, seat, close))
                self._idle.append(process)

    def close(self) -> None:
        """End all its processes, with a moment for each to end by itself."""
        with self._lock:
            self._closed = True
            for process in self._busy:
                process.kill()  # and is let go of by whoever asks it
            left = [*self._idle, *self._playing.values()]
            left = [process for process in left if process not in self._busy]
            self._idle.clear()
            self._playing.clear()
        for process in left:
            process.quit()
        deadline = monotonic() + ENDING_S
        for process in left:
            process.close(max(0.0, deadline - monotonic()))

    # --- Its processes ------------------------------------------------------------------------

    def _take(self, turn: Turn) -> LineProcess:
        """A process for this question, which is now busy with it."""
        with self._lock:
            if self._closed:
                raise LineBotFailed("was told to quit")
            process = self._playing.pop(turn.match, None)
            if process in self._busy and process is not None:
                process.kill()  # it was asked what is of no interest any more
                process = None
            while process is None and self._idle:
                process = self._idle.pop()
                if process.ended:  # between two matches, which costs neither
                    process.close()
                    process = None
            if process is None and len(self._playing) >= MOST_MATCHES:
                process = self._longest_waiting()
            if process is not None:
                self._begin(turn.match, process)
                return process
        process, _ = self._start(min(HELLO_S, turn.left_us / 1e6))
        with self._lock:
            self._begin(turn.match, process)
        return process

    def _begin(self, match: str, process: LineProcess) -> None:
        self._playing[match] = self._last = process
        self._busy.add(process)
        if self._closed:
            process.kill()

    def _longest_waiting(self) -> LineProcess | None:
        """One that nobody has asked for the longest time: its match may be over untold."""
        for match, process in self._playing.items():
            if process not in self._busy:
                return self._playing.pop(match)
        return None

    def _drop(self, match: str, process: LineProcess) -> None:
        with self._lock:
            self._busy.discard(process)
            if self._playing.get(match) is process:
                del self._playing[match]
        process.close()

    def _start(self, seconds: float) -> tuple[LineProcess, Hello]:
        process = self._last = LineProcess(self._command, _show)
        try:
            hello = process.ask(self._hello_line, seconds, read_hello)
        except BaseException:
            process.close()
            raise
        return process, hello


def _words(command: str) -> Sequence[str]:
    """The program and its arguments, as a shell would part them; no shell is run."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise LineBotFailed(f"has a command that cannot be read: {error}") from error
    if not words:
        raise LineBotFailed("has no command")
    if shutil.which(words[0]) is None:
        raise LineBotFailed(f"cannot be started: there is no program {printable(words[0])}")
    return words


def _legal(turn: Turn, text: str) -> Any:
    """The legal move that the text is."""
    shown = repr(printable(text, SHOWN))
    try:
        move = turn.game.decode(text)
    except GameError:
        raise LineBotFailed(f"answered {shown}, which is no move") from None
    if move not in turn.legal:
        raise LineBotFailed(f"answered {shown}, which is not legal here")
    return move


def _show(text: str) -> None:
    """What the program writes to standard error is its author's to read."""
    sys.stderr.write(text)
    sys.stderr.flush()
