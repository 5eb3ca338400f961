"""The bots that a server brings along, as processes of ``aboveboard join``."""

import re
import secrets
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from aboveboard_client.keys.keyfile import save_key
from aboveboard_referee.fairplay.keys import PrivateKey

PATIENCE_SECONDS = 10
"""How long the bots have to end once the server has."""


class House:
    """A context in which the bots of ``[house]`` play, from ``begin`` on.

    Each has a key and what it says in a file of its own below ``folder``, so that a server
    that is started again has the same entrants.
    """

    def __init__(self, bots: Sequence[str], folder: Path) -> None:
        self._bots = bots
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []

    def begin(self, address: str) -> None:
        """Have them join at ``address``. Raises ``OSError`` where that cannot be."""
        if self._bots:
            self._folder.mkdir(parents=True, exist_ok=True)
        for name, bot in zip(names_of(self._bots), self._bots, strict=True):
            key = self._folder / f"{name}.key"
            if not key.exists():
                save_key(key, PrivateKey(secrets.token_bytes(32)))
            with open(self._folder / f"{name}.log", "ab") as log:
                self._processes.append(
                    subprocess.Popen(
                        [
                            *(sys.executable, "-m", "aboveboard_client", "join", address, bot),
                            *("--name", name, "--key", str(key), "--house"),
                        ],
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                    )
                )

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
