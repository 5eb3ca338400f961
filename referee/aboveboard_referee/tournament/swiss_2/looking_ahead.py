"""Looking ahead in version 2: by its own search, and with the bye going round only once.

What is shared with version 3 has only one right answer: what an outlook is, who has met all
but so many, rounds in the order of their price. What is merely chosen is a copy, though some
of it still reads alike: a later version may look further, or at more rounds.
"""

from itertools import combinations, islice

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.swiss_2.futures import Unmet, can_go_on, surely_goes_on
from aboveboard_referee.tournament.systems.past import Pair
from aboveboard_referee.tournament.systems.small_fields import (
    Outlook,
    Pairs,
    Price,
    Solve,
    fewest_left,
    from_the_best,
)

MOST_PAIRS = 240
"""How far ahead is looked, in pairs to be made."""

MOST_TRIES = 300
"""How many rounds are looked at, the best first, before any that can go on will do."""


def with_future(
    outlook: Outlook, solve: Solve, price: Price, most_tries: int = MOST_TRIES
) -> Pairs | None:
    """The best round after which as many rounds as possible need no rematch.

    Where ``most_tries`` of the best ones are not among those, it is any one that is. None
    where ``solve`` finds none. The answer is ``solve``'s own wherever the best round
    has a rematch, for then every round has one, and wherever all of them can go on.
    """
    best = solve(frozenset())
    if best is None or not outlook.rounds or any(outlook.met.get(pair, 0) for pair in best):
        return best
    size = len(outlook.present) + len(outlook.present) % 2
    if surely_goes_on(size, fewest_left(outlook) - 1, outlook.rounds):
        return best
    ahead = min(outlook.rounds, MOST_PAIRS // (size // 2) - 1)
    graphs = [_Graph(outlook, repeats=False)] if ahead > 0 else []
    if graphs and size > len(outlook.present):
        graphs.append(_Graph(outlook, repeats=True))
    for rounds in range(ahead, 0, -1):
        for graph in graphs:
            if graph.goes_on_after(best, rounds):
                return best
            if graph.can_go_on(best, rounds):
                tries = islice(from_the_best(best, solve, price), most_tries)
                found = next((p for p in tries if graph.goes_on_after(p, rounds)), None)
                return found or graph.some_round(best, rounds) or best
    return best


class _Graph:
    """Who of those present can meet whom, as the search for rounds wants it."""

    def __init__(self, outlook: Outlook, *, repeats: bool) -> None:
        odd = len(outlook.present) % 2
        self.names = [*sorted(outlook.present), *([outlook.bye] if odd else [])]
        self.number = {name: i for i, name in enumerate(self.names)}
        least = min((outlook.byes.get(entrant, 0) for entrant in outlook.present), default=0)

        def can_meet(a: Entrant, b: Entrant) -> bool:
            if b == outlook.bye:
                return repeats or outlook.byes.get(a, 0) == least
            return not outlook.met.get((a, b), 0)

        masks = [0] * len(self.names)
        for a, b in combinations(self.names, 2):
            if can_meet(a, b):
                masks[self.number[a]] |= 1 << self.number[b]
                masks[self.number[b]] |= 1 << self.number[a]
        unmet = Unmet(tuple(masks), len(self.names) - 1 if odd else None, repeats)
        self.unmet = unmet.without([self._edge(pair) for pair in outlook.fixed])

    def _edge(self, pair: Pair) -> tuple[int, int]:
        return self.number[pair[0]], self.number[pair[1]]

    def goes_on_after(self, pairs: Pairs, rounds: int) -> bool:
        """Whether a round's pairs are all new, and so many more rounds can follow it."""
        edges = [self._edge(pair) for pair in sorted(pairs)]
        fresh = all(self.unmet.open[a] >> b & 1 for a, b in edges)
        return fresh and can_go_on(self.unmet.without(edges), rounds)

    def some_round(self, instead_of: Pairs, rounds: int) -> Pairs | None:
        """Any round of the same vertices that so many more can follow, if one is found."""
        unmet, chosen = self.unmet, []
        todo = sum(1 << end for pair in instead_of for end in self._edge(pair))
        while todo:
            a = (todo & -todo).bit_length() - 1
            choices = (b for b in range(len(self.names)) if todo & unmet.open[a] & 1 << b)
            for b in choices:
                after, left = unmet.without([(a, b)]), todo & ~(1 << a) & ~(1 << b)
                if can_go_on(after, rounds + 1, left):
                    unmet, todo = after, left
                    chosen.append((self.names[a], self.names[b]))
                    break
            else:
                return None
        return frozenset(chosen)

    def can_go_on(self, some: Pairs, rounds: int) -> bool:
        """Whether any round of the vertices of ``some`` can have so many more after it."""
        first = sum(1 << end for pair in some for end in self._edge(pair))
        return can_go_on(self.unmet, rounds + 1, first)
