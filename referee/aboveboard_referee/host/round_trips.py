"""How long the network takes, measured by pings."""

from collections import deque

LAST = 5
"""So many round trips are looked at, and the least of them counts."""


class RoundTrips:
    """The round trips of one connection.

    A bot can make them longer by answering late, never shorter than they are; what
    comes back to it for them is capped by the match's limits.
    """

    def __init__(self) -> None:
        self._open: dict[int, float] = {}
        self._last: deque[int] = deque(maxlen=LAST)
        self._number = 0
        self.least_us = 0
        """The least of the last five, in microseconds; 0 where none was measured."""

    def begin(self, now: float) -> int:
        """The number of a new ping that leaves ``now``, in seconds."""
        self._number += 1
        self._open[self._number] = now
        # Whoever does not answer pings shall not make us remember them.
        self._open.pop(self._number - LAST, None)
        return self._number

    def end(self, number: int, at: float) -> None:
        """The answer to ping ``number`` has come; any other number is ignored."""
        left = self._open.pop(number, None)
        if left is not None:
            self._last.append(max(0, int((at - left) * 1e6)))
            self.least_us = min(self._last)
