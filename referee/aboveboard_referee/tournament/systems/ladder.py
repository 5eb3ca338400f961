"""Ladder: everybody is on a rung, and who beats somebody from a higher one changes with it.

It starts as the initial order and goes on until the organiser ends it, or for ``Plan.rounds``.
Nothing is kept but the history: the rungs after each round follow from those before it.

* In a round those present, by rung, are paired at a distance d: the first d of each 2d with
  the second d. d is 1, 2, ... ``Plan.reach`` by turns, two rounds each; in the second of these
  the pairs start d further down, so that everybody is challenged from below and challenges.
  Where that would leave no pair at all, neighbours meet from the top. Whom the pairs leave
  over has a pairing bye that is worth nothing: rungs rank a ladder, not points.
* The winner of a table has the higher of its two rungs, the loser the other. A tie changes
  nothing, nor does a table at which nobody appeared. So it is at a table made by hand,
  however far apart its entrants are.
* Who is away with a bye keeps its rung; who has left frees it, and everybody below moves up.
* Who comes, or comes back, starts from below the last rung, by the order of entry.
"""

from collections.abc import Iterable, Mapping, Sequence

from aboveboard_referee.tournament.history import (
    PAIRING_BYE,
    Ask,
    Bye,
    Drawn,
    Entrant,
    History,
    Table,
)
from aboveboard_referee.tournament.systems.past import (
    Pair,
    by_seat,
    check_asked,
    field_of,
    first_seats,
    named,
    remaining,
    wrong_pairs,
)
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.traits import Traits

MOST_REACH = 100


class Ladder:
    """The system of that name."""

    name = "ladder"
    version = 1
    traits = Traits(frozenset({"reach"}), is_open=True, goes_on=True, ranks_by_points=False)

    def wrong(self, plan: Plan) -> str | None:
        """What in this plan the system cannot follow, in a few words; or ``None``."""
        if not 1 <= plan.reach <= MOST_REACH:
            return f"challenges over {plan.reach} rungs"
        return wrong_pairs(plan)

    def rounds(self, plan: Plan, entrants: int) -> int:
        """The plan's; 0 means until the organiser ends it."""
        return plan.rounds

    def draw(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        """The next challenges, the highest rung's first; ``None`` after the plan's last round."""
        check_asked(history)
        over = plan.rounds and ask.number > plan.rounds
        if over or len(remaining(plan, history, ask)) < 2:
            return None
        rungs = _joined(_fold(plan, history), ask.present)
        there = frozenset(ask.present).difference(*ask.by_hand)
        free = [entrant for entrant in rungs if entrant in there]
        balance = first_seats(history)
        tables: list[tuple[Entrant, ...]] = [
            by_seat(higher, lower, balance, ask.seed)
            for higher, lower in challenges(free, ask.number, plan.reach)
        ]
        rung = {entrant: i for i, entrant in enumerate(rungs)}
        tables = sorted([*tables, *ask.by_hand], key=lambda ends: min(rung[e] for e in ends))
        paired = {entrant for ends in tables for entrant in ends}
        idle = (entrant for entrant in free if entrant not in paired)
        return Drawn(tuple(tables), tuple(Bye(entrant, PAIRING_BYE, 0) for entrant in idle))

    def levels(self, plan: Plan, history: History) -> tuple[int, ...]:
        """How many rungs each is from the ground; 0 for who has left."""
        level = [0] * history.entrants
        for above, entrant in enumerate(reversed(_fold(plan, history)), start=1):
            level[entrant] = above
        return tuple(level)


def challenges(rungs: Sequence[Entrant], number: int, reach: int) -> list[Pair]:
    """Who meets whom in a round, the higher rung first."""
    distance = 1 + (number - 1) // 2 % reach
    start = distance * ((number - 1) % 2)
    if start + distance >= len(rungs):
        distance, start = 1, 0
    return [
        (rungs[place], rungs[place + distance])
        for place in range(start, len(rungs) - distance)
        if (place - start) // distance % 2 == 0
    ]


def _fold(plan: Plan, history: History) -> list[Entrant]:
    """The rungs after a history, the highest first."""
    rungs = list(field_of(plan, history))
    for drawn in history.rounds:
        there = named(drawn)
        rungs = _joined(rungs, there)
        rung = {entrant: i for i, entrant in enumerate(rungs)}
        for table in drawn.tables:
            _change(rungs, rung, table)
        rungs = [entrant for entrant in rungs if entrant in there]
    return rungs


def _joined(rungs: Sequence[Entrant], present: Iterable[Entrant]) -> list[Entrant]:
    return [*rungs, *sorted(set(present).difference(rungs))]


def _change(rungs: list[Entrant], rung: Mapping[Entrant, int], table: Table) -> None:
    """Give the winner of a decided table of two the higher of the rungs they had."""
    if not table.decided or len(table.entrants) != 2:
        return
    higher, lower = table.entrants
    if rung[lower] < rung[higher]:
        higher, lower = lower, higher
    if table.gained(lower) > table.gained(higher):
        rungs[rung[higher]], rungs[rung[lower]] = lower, higher
