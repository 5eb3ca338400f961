"""A Swiss tournament with few entrants for its rounds: a schedule, or looking ahead.

Where everybody could meet everybody, or nearly, a schedule does that. Otherwise a round that is
the best by itself can leave a next one without any pairs who have not met: so the best round is
drawn of those after which all rounds to come are still possible without a rematch, or as many
of them as can be. Where the bye is to go round, rounds in which it does are preferred.

A rematch is only ever made in a round for which there is no pairing without one.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations, islice

from aboveboard_referee.tournament.history import Ask, Drawn, Entrant, History, meetings
from aboveboard_referee.tournament.systems.futures import Unmet, can_go_on, surely_goes_on
from aboveboard_referee.tournament.systems.past import Pair, leaders_first
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.schedule import (
    all_slots,
    free_in,
    idle_byes,
    keep,
    length,
)

Pairs = frozenset[Pair]
"""A round: every pair with the lower index first, a bye being a pair with a number of its own."""

Solve = Callable[[Pairs], Pairs | None]
"""The best round without some pairs, or None if there is none."""

Price = Callable[[Pairs], tuple[int, ...]]
"""What a round costs, the most important measure first: ``Solve`` finds the least."""

MOST_PAIRS = 240
"""How far ahead is looked, in pairs to be made: 39 rounds for 12 entrants, 11 for 40."""

MOST_TRIES = 300
"""How many rounds are looked at, the best first, before any that can go on will do."""


def is_round_robin(plan: Plan, entrants: int) -> bool:
    """Whether so many entrants and rounds make a schedule instead of Swiss pairings.

    That is so from as many rounds as a round robin of an even field has, n - 1, and in an odd
    one from two less than its n: there the schedule still has nobody meet twice or be left over
    twice, and each misses two of the others at most. ``meet_all`` says whether all meet.
    """
    return plan.rounds >= entrants - 1 - entrants % 2


def meet_all(plan: Plan, entrants: int) -> bool:
    """Whether a schedule of so many rounds has so many entrants all meet each other."""
    return plan.rounds >= length(entrants)


def scheduled(plan: Plan, history: History, ask: Ask) -> Drawn | None:
    """The schedule's round, or None where it is to be paired as Swiss rounds are.

    It is kept as long as it leaves no more without an opponent than an odd number of
    entrants must. Where entrants are away or have left, where tables were made by hand, or
    where somebody came late for whom it has no number, it may not. Whatever the Swiss
    pairing then did, a later round follows the schedule only where none of its pairs has met.
    """
    slots = all_slots(plan, history)
    if not is_round_robin(plan, sum(slot is not None for slot in slots)) or ask.by_hand:
        return None
    if not set(ask.present) <= set(slots):
        return None  # who has no number would be left with neither a table nor a bye
    kept = keep(slots, ask.number, meetings(history), free_in(ask))
    paired = {entrant for ends in kept.pairs for entrant in ends}
    if len(ask.present) - len(paired) > len(ask.present) % 2:
        return None
    return Drawn(leaders_first(kept.pairs, history), idle_byes(plan, kept))


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a round is chosen by, besides its own price.

    ``present`` is everybody who is expected in later rounds, ``fixed`` the pairs that are
    made by hand in this one, ``met`` how often two have met, ``byes`` how many byes each
    entrant had, ``bye`` the number that stands for it in a pair, and ``rounds`` how many
    rounds there are after this one.
    """

    present: Sequence[Entrant]
    fixed: Collection[Pair]
    met: Mapping[Pair, int]
    byes: Mapping[Entrant, int]
    bye: Entrant
    rounds: int


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
    graphs = [_Graph(outlook, fair=True)] if ahead > 0 else []
    if graphs and size > len(outlook.present):
        graphs.append(_Graph(outlook, fair=False))
    for rounds in range(ahead, 0, -1):
        for graph in graphs:
            if graph.goes_on_after(best, rounds):
                return best
            if graph.can_go_on(best, rounds):
                hopeful = _Without(solve, graph.hopeless_byes(best, rounds))
                first = hopeful(frozenset()) or best
                tries = islice(from_the_best(first, hopeful, price), most_tries)
                found = next((p for p in tries if graph.goes_on_after(p, rounds)), None)
                return found or graph.some_round(best, rounds) or best
    return best


def fewest_left(outlook: Outlook) -> int:
    """The least number of opponents, the bye being one, that anybody present has not met."""
    here = set(outlook.present)
    met = dict.fromkeys(outlook.present, 0)
    for a, b in {*(pair for pair, times in outlook.met.items() if times), *outlook.fixed}:
        if a in here and b in here:
            met[a] += 1
            met[b] += 1
    odd = len(here) % 2
    fresh = sum(not outlook.byes.get(entrant, 0) for entrant in here)
    most = len(here) - 1 - max(met.values(), default=0)
    return min(most, fresh) if odd else most


@dataclass(frozen=True, slots=True)
class _Without:
    """The best round that lacks some pairs whatever else it is to lack."""

    solve: Solve
    forbidden: Pairs

    def __call__(self, more: Pairs) -> Pairs | None:
        return self.solve(self.forbidden | more)


class _Graph:
    """Who of those present can meet whom, as the search for rounds wants it."""

    def __init__(self, outlook: Outlook, *, fair: bool) -> None:
        """With ``fair`` the bye goes to somebody with the fewest byes, now and each time."""
        here = sorted(outlook.present)
        odd = len(here) % 2
        self.names = [*here, *([outlook.bye] if odd else [])]
        self.number = {name: i for i, name in enumerate(self.names)}
        masks = [0] * len(self.names)
        for a, b in combinations(here, 2):
            if not outlook.met.get((a, b), 0):
                masks[self.number[a]] |= 1 << self.number[b]
                masks[self.number[b]] |= 1 << self.number[a]
        byes = tuple(outlook.byes.get(entrant, 0) for entrant in here) if odd else ()
        unmet = Unmet(tuple(masks), byes, fair)
        self.unmet = unmet.without([self._edge(pair) for pair in outlook.fixed])

    def _edge(self, pair: Pair) -> tuple[int, int]:
        return self.number[pair[0]], self.number[pair[1]]

    def goes_on_after(self, pairs: Pairs, rounds: int) -> bool:
        """Whether a round's pairs are all new, and so many more rounds can follow it."""
        edges = [self._edge(pair) for pair in sorted(pairs)]
        fresh = all(self.unmet.can_meet(a, b) for a, b in edges)
        return fresh and can_go_on(self.unmet.without(edges), rounds)

    def some_round(self, instead_of: Pairs, rounds: int) -> Pairs | None:
        """Any round of the same vertices that so many more can follow, if one is found."""
        unmet, chosen = self.unmet, []
        todo = self._vertices(instead_of)
        while todo:
            a = (todo & -todo).bit_length() - 1
            others = (b for b in range(a + 1, len(self.names)) if todo >> b & 1)
            for b in (b for b in others if unmet.can_meet(a, b)):
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
        return can_go_on(self.unmet, rounds + 1, self._vertices(some))

    def hopeless_byes(self, some: Pairs, rounds: int) -> Pairs:
        """The byes that no round of these vertices can have with so many more after it.

        The bye weighs more than all other pairs, so that of very many rounds the best ones
        have the same: without these, a few tries do.
        """
        first, bye = self._vertices(some), self.unmet.bye
        if bye is None or not first >> bye & 1:
            return frozenset()

        def is_hopeless(holder: int) -> bool:
            others = first & ~(1 << holder) & ~(1 << bye)
            after = self.unmet.without([(holder, bye)])
            return not (self.unmet.can_meet(holder, bye) and can_go_on(after, rounds + 1, others))

        holders = (holder for holder in range(bye) if first >> holder & 1)
        return frozenset((self.names[h], self.names[bye]) for h in holders if is_hopeless(h))

    def _vertices(self, some: Pairs) -> int:
        return sum(1 << end for pair in some for end in self._edge(pair))


def from_the_best(best: Pairs, solve: Solve, price: Price) -> Iterator[Pairs]:
    """All rounds in the order of their price, found by splitting up what is left (Murty 1968).

    Rounds without some pair of the one before, each with those of its pairs that came
    earlier, are all others, each once. A round that must have a pair is one that has none of
    the other pairs of its ends. Rounds of one price come in the order of their pairs.
    """
    ends = sorted({end for pair in best for end in pair})
    every = list(combinations(ends, 2))
    heap: list[tuple[tuple[int, ...], list[Pair], Pairs, Pairs]] = [
        (price(best), sorted(best), frozenset(), frozenset())
    ]
    while heap:
        _, pairs, kept, forbidden = heappop(heap)
        yield frozenset(pairs)
        for pair in pairs:
            if pair in kept:
                continue
            without = forbidden | {pair}
            fixed = {end for one in kept for end in one}
            clash = {one for one in every if one not in kept and not fixed.isdisjoint(one)}
            found = solve(without | clash)
            if found is not None:
                heappush(heap, (price(found), sorted(found), kept, without))
            kept = kept | {pair}
