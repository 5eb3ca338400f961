"""Bytes as a row of choices, so that whatever is altered in them makes something else."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """Choices one after the other; once the bytes are used up, each is the first of all."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._data) - self._at

    def below(self, most: int) -> int:
        """A number from 0 to ``most`` - 1, of 256 at most."""
        if not self.left:
            return 0
        self._at += 1
        return self._data[self._at - 1] % most

    def one_of(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def some_of(self, items: Sequence[T]) -> tuple[T, ...]:
        """Any of them, in their order."""
        return tuple(item for item in items if self.below(2))

    def in_any_order(self, items: Sequence[T]) -> list[T]:
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in items]
