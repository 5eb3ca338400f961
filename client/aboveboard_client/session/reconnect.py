"""How somebody who lost a connection tries again: soon, then less often, and not for ever."""

from collections.abc import Callable
from dataclasses import dataclass

import trio

from aboveboard_client.terminal.output import printable
from aboveboard_protos.v1 import service_pb2 as service

LEAST_RETRY_SECONDS = 1.0
"""Who is refused as by a busy server waits for so long, whatever was said."""

HELD_SECONDS = 5.0
"""A connection that stood for so long makes good for what failed before it."""


MOST_RETRY_SECONDS = 60.0
"""Nobody is kept waiting for longer by a server that is busy."""


class Lost(Exception):
    """A connection is gone, or nobody answers, for now; in a line how.

    ``retry`` is how many seconds the other side, which is busy, wants to be left alone; 0 where
    it said nothing of the kind.
    """

    def __init__(self, why: str, retry: float = 0.0) -> None:
        super().__init__(why)
        self.retry = min(retry, MOST_RETRY_SECONDS)


def reason_of(refusal: service.Refusal) -> str:
    """What a refusal says, in one harmless line; never nothing, since it stands after a colon."""
    return printable(refusal.text.strip()) or "it gives no reason"


def busy(refusal: service.Refusal) -> Lost:
    """What a refusal by a server says that has too much to do."""
    why = f"the server is busy: {reason_of(refusal)}"
    return Lost(why, max(refusal.retry_us / 1e6, LEAST_RETRY_SECONDS))


@dataclass(frozen=True)
class Patience:
    """Times in seconds. ``jitter`` gives a factor for each delay, so that not all come at once."""

    total: float = 600.0  # from the loss on; 0: never try again
    first: float = 0.1  # the first delay; each further one is twice as long
    most: float = 5.0  # the longest delay
    jitter: Callable[[], float] = lambda: 1.0  # in (0, 1]


class Attempts:
    """The attempts at one connection. Between ``wait`` and ``held`` lies one outage.

    ``lost`` is told why it broke, once until it stands again; ``back`` then, after how
    many seconds.
    """

    def __init__(
        self,
        patience: Patience,
        lost: Callable[[str], None] = lambda _why: None,
        back: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        self._patience = patience
        self._lost_at: float | None = None
        self._delay = patience.first
        self._lost = lost
        self._back = back
        self._told_at: float | None = None  # since when it is known to be lost
        self._stands_since: float | None = None

    def stands(self) -> None:
        """The other side has let us in, or shows that it has."""
        now = trio.current_time()
        if self._stands_since is None:
            self._stands_since = now
        if self._told_at is not None:
            self._back(now - self._told_at)
            self._told_at = None

    def ended(self, *, of_use: bool = False) -> None:
        """A connection is over; one that stood for long, or was ``of_use``, has held."""
        since, self._stands_since = self._stands_since, None
        if of_use or (since is not None and trio.current_time() - since >= HELD_SECONDS):
            self.held()

    async def again(self, why: Lost) -> None:
        """It broke, and is tried again: returns when it is time to."""
        if self._told_at is None:
            self._told_at = trio.current_time()
            self._lost(str(why))
        await self.wait(why.retry)

    @property
    def away(self) -> float:
        """Seconds since the connection was lost; 0 while it is not."""
        return 0.0 if self._lost_at is None else trio.current_time() - self._lost_at

    @property
    def exhausted(self) -> bool:
        """Whether there is no sense in trying any more."""
        return self.away >= self._patience.total

    async def wait(self, at_least: float = 0.0) -> None:
        """Sleep until it is time for the next attempt, not before ``at_least`` seconds."""
        if self._lost_at is None:
            self._lost_at = trio.current_time()
        delay = at_least + self._delay * self._patience.jitter()
        delay = min(delay, self._patience.total - self.away)
        self._delay = min(self._delay * 2, self._patience.most)
        await trio.sleep(max(0.0, delay))

    def held(self) -> None:
        """The connection did what it is for: the next loss begins anew."""
        self._lost_at = None
        self._delay = self._patience.first
