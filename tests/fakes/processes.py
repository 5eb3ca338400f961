"""Commands as processes of their own, started, watched and ended as a user would.

Nothing here sleeps: whoever waits is woken by the line, or by the end, that it waits for.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Condition, Thread
from typing import IO, NamedTuple, Self

PATIENCE = 120.0
"""Seconds after which a test gives up. Far more than anything takes on a busy machine."""


class Ended(NamedTuple):
    """What a process left behind."""

    code: int
    out: str
    err: str

    @property
    def well(self) -> bool:
        """Whether it had nothing to complain of."""
        return self.code == 0 and not self.err

    def __str__(self) -> str:
        return f"exit code {self.code}\n{self.out}--- standard error\n{self.err}"


class Process:
    """A running process whose output is collected as it comes."""

    def __init__(self, command: Sequence[str], cwd: Path) -> None:
        self.command = command
        self._lines: dict[str, list[str]] = {"out": [], "err": []}
        self._open = {"out", "err"}
        self._changed = Condition()
        self._popen = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,  # so that what it starts itself can be ended with it
        )
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        self._readers = [
            Thread(target=self._read, args=("out", self._popen.stdout), daemon=True),
            Thread(target=self._read, args=("err", self._popen.stderr), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self) -> int:
        return self._popen.pid

    def line(self, pattern: str, stream: str = "out", seconds: float = PATIENCE) -> re.Match[str]:
        """The first line, of all so far and to come, in which the pattern is found.

        So many ``seconds`` may pass without another line.
        """
        seen = 0
        lines = self._lines[stream]
        with self._changed:
            while True:
                for text in lines[seen:]:
                    if found := re.search(pattern, text):
                        return found
                seen = len(lines)
                if stream not in self._open:
                    raise AssertionError(f"ended without a line {pattern!r}{self}")
                if not self._changed.wait(seconds):
                    raise AssertionError(f"no line {pattern!r} within {seconds} s{self}")

    def end(self, seconds: float | None = PATIENCE) -> Ended:
        """Wait until it has ended by itself, for so long at most; ``None``: as long as it takes."""
        try:
            code = self._popen.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still runs after {seconds} s{self}") from None
        for reader in self._readers:
            reader.join(PATIENCE)
        return Ended(code, "".join(self._lines["out"]), "".join(self._lines["err"]))

    def send(self, number: signal.Signals) -> None:
        """Send a signal to this process alone."""
        self._popen.send_signal(number)

    def kill(self) -> Ended:
        """End it now, with all that it started, if it still runs."""
        if self._popen.poll() is None:
            os.killpg(self._popen.pid, signal.SIGKILL)
        return self.end()

    def _read(self, name: str, stream: IO[str]) -> None:
        with stream:
            for text in stream:
                with self._changed:
                    self._lines[name].append(text)
                    self._changed.notify_all()
        with self._changed:
            self._open.discard(name)
            self._changed.notify_all()

    def __str__(self) -> str:
        """What is known of it, for the message of a failed test."""
        out, err = ("".join(self._lines[name]) for name in ("out", "err"))
        return f"\n$ {' '.join(self.command)}\n{out}--- standard error\n{err}"


class Processes:
    """Starts processes in a folder. As a context manager it ends all that still run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._started: list[Process] = []

    def aboveboard(self, *words: object) -> Process:
        """Start the command line."""
        return self.python("-m", "aboveboard_client", *words)

    def python(self, *words: object) -> Process:
        """Start a program of the tests' own."""
        return self.program(sys.executable, *words)

    def program(self, *words: object) -> Process:
        """Start any other program."""
        process = Process([*map(str, words)], self.folder)
        self._started.append(process)
        return process

    def run(self, *words: object) -> Ended:
        """Start the command line and wait for its end."""
        return self.aboveboard(*words).end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._started:
            process.kill()
