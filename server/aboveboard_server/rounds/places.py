"""Who plays how many matches: one begins in the very step in which all its bots have room."""

from collections import Counter
from collections.abc import Callable, Sequence

import trio

from aboveboard_referee.tournament.history import Entrant


class Places:
    """The places of bots at matches. ``capacity`` is how many of an entrant's there are now.

    It may fall below what is taken, as when a bot comes back that plays fewer at a time: then
    nothing begins for it until so many have ended. ``most`` is for all matches together.
    """

    def __init__(self, capacity: Callable[[Entrant], int], most: int) -> None:
        self._capacity = capacity
        self._most = most
        self._matches = 0
        self._taken: Counter[Entrant] = Counter()
        self._waiting: list[tuple[Sequence[Entrant], trio.Event]] = []

    def hold(self, entrants: Sequence[Entrant]) -> None:
        """Count a match that is under way already, whether or not there is room."""
        self._matches += 1
        self._taken.update(entrants)

    async def take(self, entrants: Sequence[Entrant]) -> None:
        """Wait for room at all of a match's bots, and take it; those that wait longer first."""
        waiter = (entrants, trio.Event())
        self._waiting.append(waiter)
        self.look()
        try:
            await waiter[1].wait()
        except trio.Cancelled:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
            else:
                self.leave(entrants)
            raise

    def leave(self, entrants: Sequence[Entrant]) -> None:
        """A match has ended."""
        self._matches -= 1
        self._taken.subtract(entrants)
        self.look()

    def look(self) -> None:
        """Let in whoever there is room for; to be called when a capacity has changed."""
        for waiter in list(self._waiting):
            entrants, admitted = waiter
            if self._has_room(entrants):
                self._waiting.remove(waiter)
                self.hold(entrants)
                admitted.set()

    def _has_room(self, entrants: Sequence[Entrant]) -> bool:
        return self._matches < self._most and all(
            self._taken[entrant] < self._capacity(entrant) for entrant in entrants
        )
