"""How somebody who lost a connection tries again: soon, then less often, and not for ever."""

from collections.abc import Callable
from dataclasses import dataclass

import trio

HELD_SECONDS = 5.0
"""A connection that stood for so long makes good for what failed before it."""


class Lost(Exception):
    """A connection is gone, or nobody answers, for now; in a line how."""


@dataclass(frozen=True)
class Patience:
    """Times in seconds. ``jitter`` gives a factor for each delay, so that not all come at once."""

    total: float = 600.0  # from the loss on; 0: never try again
    first: float = 0.1  # the first delay; each further one is twice as long
    most: float = 5.0  # the longest delay
    jitter: Callable[[], float] = lambda: 1.0  # in (0, 1]


class Attempts:
    """The attempts at one connection. Between ``wait`` and ``held`` lies one outage."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._lost_at: float | None = None
        self._delay = patience.first

    @property
    def away(self) -> float:
        """Seconds since the connection was lost; 0 while it is not."""
        return 0.0 if self._lost_at is None else trio.current_time() - self._lost_at

    @property
    def exhausted(self) -> bool:
        """Whether there is no sense in trying any more."""
        return self.away >= self._patience.total

    async def wait(self) -> None:
        """Sleep until it is time for the next attempt."""
        if self._lost_at is None:
            self._lost_at = trio.current_time()
        delay = min(self._delay * self._patience.jitter(), self._patience.total - self.away)
        self._delay = min(self._delay * 2, self._patience.most)
        await trio.sleep(max(0.0, delay))

    def held(self) -> None:
        """The connection did what it is for: the next loss begins anew."""
        self._lost_at = None
        self._delay = self._patience.first
