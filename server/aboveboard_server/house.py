"""The bots that a server brings along, as processes of ``aboveboard join``."""

import os
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import trio

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.keys.keyfile import save_key
from aboveboard_referee.fairplay.keys import PrivateKey

PATIENCE_SECONDS = 10
"""How long the bots have to end once the server has."""

FIRST_PAUSE_SECONDS, MOST_PAUSE_SECONDS = 1, 60
"""Before a bot that ended is started again; each time twice as long, up to the second."""

LOG_BYTES = 5_000_000
"""With more than that a bot's log is put aside, in place of what was put aside before."""

_LOOK_SECONDS = 1


@dataclass
class _Bot:
    """A bot's process, which is started again whenever something outside ended it."""

    name: str
    words: Sequence[str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    pause: float = FIRST_PAUSE_SECONDS

    def start(self) -> subprocess.Popen[bytes]:
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        return self.process

    async def keep(self, note: Callable[[str], None]) -> None:
        """Start it again when it was killed, or gave up on the network. What it ended by
        itself for, a verdict or a refusal, would be the same the next time.
        """
        process = self.process
        while process is not None:
            while (code := process.poll()) is None:  # nothing else tells of it
                cap(self.log)
                await trio.sleep(_LOOK_SECONDS)
            cap(self.log)
            if code == 0:
                return
            told = f"{self.name} has ended with code {code}, see {self.log}"
            if code > 0 and code != OutsideFailure.exit_code:
                note(told)
                return
            note(f"{told}; it is started again in {self.pause:g} s")
            await trio.sleep(self.pause)
            self.pause = min(2 * self.pause, MOST_PAUSE_SECONDS)
            try:
                process = self.start()
            except OSError as error:
                note(f"{self.name} cannot be started: {error.strerror}")


def cap(log: Path) -> None:
    """Put the end of a log aside, and begin it anew, where it has become too long.

    Its process goes on in the same file, at the end of what is there. A disk that fails leaves
    all as it is: no tournament depends on it.
    """
    with suppress(OSError):
        if log.stat().st_size > LOG_BYTES:
            with log.open("rb") as file:
                file.seek(-LOG_BYTES, os.SEEK_END)
                end = file.read(LOG_BYTES)
            log.with_name(f"{log.name}.1").write_bytes(end)
            os.truncate(log, 0)


class House:
    """A context in which the bots of ``[house]`` play, from ``begin`` on.

    Each has a key and what it says in a file of its own below ``folder``, so that a server
    that is started again has the same entrants.
    """

    def __init__(self, bots: Sequence[str], folder: Path) -> None:
        self._bots = bots
        self._folder = folder
        self._begun: list[_Bot] = []

    def begin(self, address: str) -> None:
        """Have them join at ``address``. Raises ``OSError`` where that cannot be."""
        if self._bots:
            self._folder.mkdir(parents=True, exist_ok=True)
        for name, bot in zip(names_of(self._bots), self._bots, strict=True):
            key = self._folder / f"{name}.key"
            if not key.exists():
                save_key(key, PrivateKey(secrets.token_bytes(32)))
            words = [
                *(sys.executable, "-m", "aboveboard_client", "join", address, bot),
                *("--name", name, "--key", str(key), "--house"),
            ]
            begun = _Bot(name, words, self._folder / f"{name}.log")
            begun.start()
            self._begun.append(begun)

    async def keep(self, note: Callable[[str], None]) -> None:
        """Start those again that end before the tournament does; ``note`` tells of each."""
        async with trio.open_nursery() as nursery:
            for bot in self._begun:
                nursery.start_soon(bot.keep, note)

    @property
    def _processes(self) -> list[subprocess.Popen[bytes]]:
        return [bot.process for bot in self._begun if bot.process is not None]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # After a whole tournament they go by themselves; without one they would wait for it.
        try:
            for process in self._processes if error is None else ():
                process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            for process in self._processes:
                process.terminate()
            for process in self._processes:
                process.wait()


def names_of(bots: Sequence[str]) -> list[str]:
    """What they are called: ``house-1``, ``house-2``, ``mybot-1``."""
    names: list[str] = []
    counts: dict[str, int] = {}
    for bot in bots:
        word = re.sub(r"[^A-Za-z0-9._-]", "-", Path(bot.rpartition(":")[2] or bot).stem)
        word = word.lstrip("._-")[:25] or "bot"
        counts[word] = counts.get(word, 0) + 1
        names.append(f"{word}-{counts[word]}")
    return names
