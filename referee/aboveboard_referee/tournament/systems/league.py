"""League: a season in which each division plays a round robin of its own, all at once.

``Plan.divisions`` are the divisions' sizes, the top one first. Who is in which is either
``Plan.assigned``, as ``season.next_season`` makes it of the season before, or the initial
order cut into these sizes. Whoever of the field neither of them places is in the last
division, whatever its size. In each division all that holds of a round robin holds, with
``Plan.legs``; of those who come late the first has the number that an odd last division
leaves over.

Where divisions are not equally long, the shorter ones are done first; their entrants then
have neither places nor byes. Divisions rank before points do.
"""

from aboveboard_referee.tournament.history import Ask, Bye, Drawn, Entrant, History, meetings
from aboveboard_referee.tournament.systems.past import (
    capped,
    check_asked,
    field_of,
    latecomers,
    leaders_first,
    remaining,
    wrong_pairs,
)
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.round_robin import MOST_LEGS
from aboveboard_referee.tournament.systems.schedule import (
    Slots,
    free_in,
    idle_byes,
    keep,
    length,
    slots_of,
)
from aboveboard_referee.tournament.systems.traits import Traits

MOST_DIVISIONS = 1000

LEAST_OF_A_DIVISION = 2
"""Fewest places of a division: nobody plays alone."""


class League:
    """The system of that name."""

    name = "league"
    version = 1
    traits = Traits(frozenset({"bye", "divisions", "legs"}), is_predetermined=True)

    def wrong(self, plan: Plan) -> str | None:
        """What in this plan the system cannot follow, in a few words; or ``None``."""
        if not 1 <= len(plan.divisions) <= MOST_DIVISIONS:
            return f"{len(plan.divisions)} divisions"
        if min(plan.divisions) < 2:
            return f"a division of {min(plan.divisions)}"
        if not 1 <= plan.legs <= MOST_LEGS:
            return f"{plan.legs} legs"
        if plan.assigned and len(plan.assigned) != len(plan.divisions):
            return f"{len(plan.assigned)} divisions assigned of {len(plan.divisions)}"
        placed = [entrant for division in plan.assigned for entrant in division]
        if len(set(placed)) != len(placed):
            return "an entrant in two divisions"
        return wrong_pairs(plan)

    def rounds(self, plan: Plan, entrants: int) -> int:
        """As many as the longest division needs, or the plan's if fewer."""
        sizes = [len(division) for division in _cut(plan, tuple(range(entrants)))]
        if plan.assigned:
            placed = [len(division) for division in plan.assigned]
            sizes = [*placed[:-1], max(placed[-1], entrants - sum(placed[:-1]))]
        return capped(plan, max(length(size, plan.legs) for size in sizes))

    def draw(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        """The next round of all divisions, the top one's tables first; ``None`` after the last."""
        check_asked(history)
        numbers = [slots for slots in _numbers(plan, history) if slots]
        lengths = [length(len(slots), plan.legs) for slots in numbers]
        over = ask.number > capped(plan, max(lengths, default=0))
        if over or len(remaining(plan, history, ask)) < 2:
            return None
        met, free = meetings(history), free_in(ask)
        tables = [*ask.by_hand]
        byes: list[Bye] = []
        for slots, rounds in zip(numbers, lengths, strict=True):
            if ask.number <= rounds:
                kept = keep(slots, ask.number, met, free)
                tables.extend(kept.pairs)
                byes.extend(idle_byes(plan, kept))
        level = self.levels(plan, history)
        by_level = sorted(
            leaders_first(tables, history), key=lambda ends: -max(level[e] for e in ends)
        )
        return Drawn(tuple(by_level), tuple(byes))

    def levels(self, plan: Plan, history: History) -> tuple[int, ...]:
        """The number of each entrant's division from below, the last being 1; 0 for no one's."""
        level = [0] * history.entrants
        for number, slots in enumerate(reversed(_numbers(plan, history)), start=1):
            for entrant in slots:
                if entrant is not None:
                    level[entrant] = number
        return tuple(level)


def divisions_of(plan: Plan, history: History) -> tuple[tuple[Entrant, ...], ...]:
    """Who is in each division, the top one first, those who came late included."""
    return tuple(
        tuple(entrant for entrant in slots if entrant is not None)
        for slots in _numbers(plan, history)
    )


def _numbers(plan: Plan, history: History) -> list[Slots]:
    """Each division's entrants by their numbers in its schedule."""
    *upper, last = _cut(plan, field_of(plan, history))
    return [*map(slots_of, upper), slots_of(last, latecomers(history))]


def _cut(plan: Plan, field: tuple[Entrant, ...]) -> list[tuple[Entrant, ...]]:
    """The field by division. The last has whoever is left."""
    if plan.assigned:
        placed = {entrant for division in plan.assigned for entrant in division}
        rest = tuple(entrant for entrant in field if entrant not in placed)
        known = set(field)
        parts = [tuple(e for e in division if e in known) for division in plan.assigned]
        return [*parts[:-1], parts[-1] + rest]
    parts, start = [], 0
    for size in plan.divisions[:-1]:
        parts.append(field[start : start + size])
        start += size
    return [*parts, field[start:]]
