"""Whether a field can go on for so many rounds without a rematch: an exact search.

Who has not met yet is a graph, and so many more rounds without a rematch are so many perfect
matchings of it that have no edge in common but the bye's. Where everybody has enough opponents
left there always are: a graph of n vertices, each with n/2 neighbours or more, has a perfect
matching (Dirac 1952), and each round takes one neighbour of each away.
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

    Their number is even. In an odd field the last vertex is the bye, which has no bits;
    ``byes`` is how many each other vertex had so far, and is empty in an even field. If
    ``fair``, the bye goes to one of those who have had the fewest until then, each time; else
    to anybody.
    """

    open: tuple[int, ...]
    byes: tuple[int, ...] = ()
    fair: bool = False

    @property
    def bye(self) -> int | None:
        """The vertex that whoever has the bye is paired with; None where the field is even."""
        return len(self.byes) if self.byes else None

    def can_meet(self, a: int, b: int) -> bool:
        """Whether two can be paired in the next round; the bye is never ``a``."""
        if b == self.bye:
            return not self.fair or self.byes[a] == min(self.byes)
        return bool(self.open[a] >> b & 1)

    def without(self, pairs: Sequence[tuple[int, int]]) -> "Unmet":
        """The graph after a round, or a part of one, of these pairs."""
        left, byes = list(self.open), list(self.byes)
        for a, b in pairs:
            if b == self.bye:
                byes[a] += 1
            else:
                left[a] &= ~(1 << b)
                left[b] &= ~(1 << a)
        return Unmet(tuple(left), tuple(byes), self.fair)


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
    if first is None:
        return _Search(unmet, rounds).go_on(rounds, 0)
    bye = unmet.bye
    if bye is None or not first >> bye & 1:
        return _Search(unmet, rounds - 1).pair(first, rounds, 0)
    # Who may have the bye now is not who may have it in some round to come.
    steps = 0
    for holder in range(bye):
        if first >> holder & 1 and unmet.can_meet(holder, bye):
            search = _Search(unmet.without([(holder, bye)]), rounds - 1, steps)
            if search.pair(first & ~(1 << holder) & ~(1 << bye), rounds, 0):
                return True
            steps = search.steps
    return False


def shares(byes: Sequence[int], rounds: int) -> tuple[list[int], list[int]]:
    """Of so many byes, each to one of those with the fewest: how many each has, at least and most.

    They rise like water. Any byes within these bounds can be given in such an order.
    """
    least, left, level = [0] * len(byes), rounds, min(byes)
    while True:
        lowest = [i for i, had in enumerate(byes) if had + least[i] == level]
        if left < len(lowest):
            break
        for i in lowest:
            least[i] += 1
        left, level = left - len(lowest), level + 1
    most = [n + bool(left and had + n == level) for had, n in zip(byes, least, strict=True)]
    return least, most


class _Search:
    """One search, in place, with the steps that it has taken."""

    def __init__(self, unmet: Unmet, rounds: int, steps: int = 0) -> None:
        """``rounds`` are those in which the bye is still to be given."""
        self.open = list(unmet.open)
        self.bye = unmet.bye
        self.steps = steps
        self.least = [0] * len(unmet.byes)
        self.most = [rounds] * len(unmet.byes)
        if unmet.byes and unmet.fair:
            self.least, self.most = shares(unmet.byes, rounds)
        for vertex, most in enumerate(self.most):
            if most:
                self._turn(vertex, len(self.most))

    def _turn(self, a: int, b: int) -> None:
        """Close what is open between two, and open what is closed."""
        self.open[a] ^= 1 << b
        self.open[b] ^= 1 << a

    def go_on(self, rounds: int, least: int) -> bool:
        """Whether so many more rounds are possible.

        Which of them comes first is all the same, so that only those are tried in which the
        bye, or vertex 0 in an even field, meets others in ascending order, from ``least``.
        """
        if rounds == 0:
            return not any(owed > 0 for owed in self.least)
        counts = [mask.bit_count() for mask in self.open]
        if not any(owed > 0 for owed in self.least) and surely_goes_on(
            len(counts), min(counts), rounds
        ):
            return True
        if self._short(counts, rounds):
            return False
        everybody = (1 << len(counts)) - 1
        root = self.bye or 0
        return self._try(root, self.open[root] >> least << least, everybody, rounds, None)

    def _short(self, counts: Sequence[int], rounds: int) -> bool:
        """Whether somebody has too few opponents left for so many rounds."""
        if self.bye is None:
            return min(counts) < rounds
        # Whoever lacks some must have the bye in as many, and there is one bye a round.
        needed = 0
        for vertex, (least, most) in enumerate(zip(self.least, self.most, strict=True)):
            opponents = counts[vertex] - (self.open[vertex] >> self.bye & 1)
            needs = max(least, rounds - opponents, 0)
            if needs > most:
                return True
            needed += needs
        return needed > rounds

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
            closed = self._take(vertex, other)
            after = least if least is not None else other + closed
            found = self.pair(todo & ~bit & ~(1 << vertex), rounds, after)
            self._give_back(vertex, other, closed=closed)
            if found:
                return True
        return False

    def _take(self, a: int, b: int) -> bool:
        """Pair two, and tell whether they cannot be paired again: only with the bye one may."""
        closed = True
        if self.bye in (a, b):
            holder = min(a, b)
            self.least[holder] -= 1
            self.most[holder] -= 1
            closed = not self.most[holder]
        if closed:
            self._turn(a, b)
        return closed

    def _give_back(self, a: int, b: int, *, closed: bool) -> None:
        if self.bye in (a, b):
            holder = min(a, b)
            self.least[holder] += 1
            self.most[holder] += 1
        if closed:
            self._turn(a, b)
