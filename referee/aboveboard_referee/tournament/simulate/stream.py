"""Chance that a seed repeats exactly, on every machine."""

from collections.abc import MutableSequence
from hashlib import shake_256
from typing import TypeVar

T = TypeVar("T")

_BLOCK = 4096


class Stream:
    """Bytes that follow from a seed and what they are for.

    ::

        block k = SHAKE-256( seed ‖ 0x00 ‖ label ‖ 0x00 ‖ u64 k ), 4096 bytes of it
    """

    def __init__(self, seed: bytes, label: str) -> None:
        self._start = seed + b"\0" + label.encode() + b"\0"
        self._blocks = 0
        self._block = b""
        self._used = 0

    def take(self, size: int) -> bytes:
        """The next bytes, at most 4096 of them."""
        if self._used + size > len(self._block):
            self._block = shake_256(self._start + self._blocks.to_bytes(8, "big")).digest(_BLOCK)
            self._blocks += 1
            self._used = 0
        self._used += size
        return self._block[self._used - size : self._used]

    def number(self, size: int = 8) -> int:
        """A whole number of so many bytes, all of them equally likely."""
        return int.from_bytes(self.take(size), "big")

    def below(self, limit: int) -> int:
        """A whole number from 0 to ``limit`` - 1, all of them equally likely."""
        most = (1 << 64) // limit * limit
        while (number := self.number()) >= most:
            pass
        return number % limit

    def fraction(self) -> float:
        """A number from 0 to under 1, in steps of 2^-53."""
        return (self.number() >> 11) * 2.0**-53

    def bell(self) -> int:
        """A number around 0 of the normal distribution as far as six standard deviations.

        A standard deviation is 65,536: the sum of twelve even numbers of 16 bits, which is
        whole, so that no machine rounds it otherwise.
        """
        return sum(self.number(2) for _ in range(12)) - 6 * 65_535

    def shuffle(self, things: MutableSequence[T]) -> None:
        """Bring them into an order of which all are equally likely."""
        for i in range(len(things) - 1, 0, -1):
            j = self.below(i + 1)
            things[i], things[j] = things[j], things[i]
