"""Whether a field can go on for so many rounds without a rematch: an exact search.

Who has not met yet is a graph, and so many more rounds without a rematch are so many perfect
matchings of it that have no edge in common. Where everybody has enough opponents left there
always are (``surely_goes_on``, by Dirac 1952).

Where the bye can repeat, the search has a slip that is part of this version: in rounds after
the first it leaves the bye's vertex out of those to be paired, so that it finds only ways to
go on in which vertex 0, which may choose the bye, has it in each of them.

The search is a copy as a whole, though its steps are those of ``systems.futures`` where no bye
is concerned. Which way is found first, and where ``MOST_STEPS`` ends it, decides what is drawn;
so a shared step could never be made quicker for the versions to come.
"""

from collections.abc import Sequence
from dataclasses import dataclass

MOST_STEPS = 20_000
"""How many pairs a search tries before it gives up.

A field of 12 takes hundreds, unless byes repeat.
"""


@dataclass(frozen=True, slots=True)
class Unmet:
    """Who can still meet whom: by vertex, a bit for each other one.

    Their number is even. ``bye`` is the vertex, the last one, that whoever has the bye is
    paired with, None where the field is even. It can be paired with the same one again and
    again if ``repeats``; no other pair can.
    """

    open: tuple[int, ...]
    bye: int | None = None
    repeats: bool = False

    def without(self, pairs: Sequence[tuple[int, int]]) -> "Unmet":
        """The graph after a round of these pairs."""
        left = list(self.open)
        for a, b in pairs:
            if not (self.repeats and self.bye in (a, b)):
                left[a] &= ~(1 << b)
                left[b] &= ~(1 << a)
        return Unmet(tuple(left), self.bye, self.repeats)


def surely_goes_on(vertices: int, fewest: int, rounds: int) -> bool:
    """Whether so many rounds are possible however they are drawn, without looking closer.

    ``fewest`` is the least number of opponents that anybody has left.
    """
    return rounds <= 0 or 2 * (fewest - (rounds - 1)) >= vertices


def can_go_on(unmet: Unmet, rounds: int, first: int | None = None) -> bool:
    """Whether so many more rounds are possible without a rematch.

    ``first`` are the vertices, as bits, to be paired in the first of them, all by default.
    False also if ``MOST_STEPS`` did not suffice to tell.
    """
    if rounds <= 0:
        return True
    search = _Search(unmet)
    if first is None:
        return search.go_on(rounds, 0)
    return search.pair(first, rounds, 0)


class _Search:
    """One search, in place, with the steps that it has taken."""

    def __init__(self, unmet: Unmet) -> None:
        self.open = list(unmet.open)
        self.again = unmet.bye if unmet.repeats else None  # who can be met again
        self.steps = 0

    def go_on(self, rounds: int, least: int) -> bool:
        """Whether so many more rounds are possible.

        Which of them comes first is all the same, so that only those are tried in which
        vertex 0 meets others in ascending order, from ``least``.
        """
        if rounds == 0:
            return True
        counts = [mask.bit_count() for mask in self.open]
        if surely_goes_on(len(counts), min(counts), rounds):
            return True
        if self._short(counts, rounds):  # this takes the bye's count away, and so its vertex
            return False
        everybody = (1 << len(counts)) - 1
        return self._try(0, self.open[0] >> least << least, everybody, rounds, None)

    def _short(self, counts: list[int], rounds: int) -> bool:
        """Whether somebody has too few opponents left for so many rounds."""
        if self.again is None:
            return min(counts) < rounds
        # Whoever lacks some must have the bye in as many, and there is one bye a round.
        del counts[self.again]
        bit = 1 << self.again
        byes = (max(0, rounds - c + bool(m & bit)) for c, m in zip(counts, self.open, strict=False))
        return sum(byes) > rounds

    def pair(self, todo: int, rounds: int, least: int) -> bool:
        """Pair those still to do in a round, then go on."""
        if not todo:
            return self.go_on(rounds - 1, least)
        fewest, tightest, left = len(self.open), 0, todo
        while left:
            vertex = (left & -left).bit_length() - 1
            left &= left - 1
            count = (self.open[vertex] & todo).bit_count()
            if count < fewest:
                fewest, tightest = count, vertex
        return self._try(tightest, self.open[tightest] & todo, todo, rounds, least)

    def _try(self, vertex: int, choices: int, todo: int, rounds: int, least: int | None) -> bool:
        """Pair a vertex with each of its choices, until one of them lets all go on."""
        while choices and self.steps < MOST_STEPS:
            self.steps += 1
            bit = choices & -choices
            choices ^= bit
            other = bit.bit_length() - 1
            kept = self.again is not None and self.again in (vertex, other)
            after = least if least is not None else other + (not kept)
            if not kept:
                self.open[vertex] ^= bit
                self.open[other] ^= 1 << vertex
            found = self.pair(todo & ~bit & ~(1 << vertex), rounds, after)
            if not kept:
                self.open[vertex] ^= bit
                self.open[other] ^= 1 << vertex
            if found:
                return True
        return False
