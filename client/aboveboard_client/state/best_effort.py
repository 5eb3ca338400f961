"""Writing what no match depends on: a disk that fails costs that, and nothing else."""

from collections.abc import Callable
from typing import TypeVar

import trio

from aboveboard_client.state.journal_file import InThread

T = TypeVar("T")


class BestEffort:
    """One write after the other. ``failed`` is told of the first that fails, and of no more."""

    def __init__(self, cannot: str, run: InThread) -> None:
        """``cannot`` begins the line that ``failed`` is told; why follows it."""
        self.failed: Callable[[str], None] = lambda _why: None
        self._cannot = cannot
        self._run = run
        self._one_by_one = trio.Lock()
        self._told = False

    async def write(self, work: Callable[[], T]) -> T | None:
        """What ``work`` returns; ``None`` where the disk fails."""
        async with self._one_by_one:
            try:
                done: T = await self._run(work)
            except OSError as error:
                if not self._told:
                    self._told = True
                    self.failed(f"{self._cannot}: {error.strerror or error}")
                return None
            return done
