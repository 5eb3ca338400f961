"""How fast a peer may send: a bucket of frames and one of bytes for each stream."""

from collections.abc import Callable
from dataclasses import dataclass

BURST_SECONDS = 2.0
"""So much of its rate may come at once."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What a peer may send on one stream, in the long run a second."""

    frames: int
    bytes: int

    def __post_init__(self) -> None:
        if self.frames < 1 or self.bytes < 1:
            raise ValueError("a rate must be at least 1")


class Meter:
    """Counts one stream's frames against a `Rate`. ``clock`` is in seconds.

    A frame costs two subtractions. The clock is looked at only where a bucket seems empty, so
    after a pause what was left in it comes on top of a burst.
    """

    __slots__ = ("_bytes", "_clock", "_frames", "_rate", "_since")

    def __init__(self, rate: Rate, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._clock = clock
        self._since = clock()
        self._frames = rate.frames * BURST_SECONDS
        self._bytes = rate.bytes * BURST_SECONDS

    def take(self, size: int) -> bool:
        """Count a frame of so many bytes; whether it is within the rate."""
        self._frames -= 1
        self._bytes -= size
        return (self._frames >= 0 and self._bytes >= 0) or self._refilled()

    def _refilled(self) -> bool:
        now = self._clock()
        passed, self._since = now - self._since, now
        rate = self._rate
        self._frames = min(self._frames + passed * rate.frames, rate.frames * BURST_SECONDS)
        self._bytes = min(self._bytes + passed * rate.bytes, rate.bytes * BURST_SECONDS)
        return self._frames >= 0 and self._bytes >= 0

    def __str__(self) -> str:
        return f"{self._rate.frames} frames or {self._rate.bytes} bytes a second"
