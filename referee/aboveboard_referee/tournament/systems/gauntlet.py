"""Gauntlet: one entrant, the *hero*, meets all others, ``Plan.legs`` times each.

The hero is the first in the initial order. As nobody has two places in one round, a round is
one pairing: the hero and, of the others present, one whom it has met the fewest times, the
first of these in the initial order, those who came late after all others. So a challenger
who is away is met later, and who comes late is met if rounds are left. The rest of the
field is not needed in a round and has no place and no bye in it.

A round that the hero is away for is empty, and lost. When the hero has left, it is over.
"""

from aboveboard_referee.tournament.history import Ask, Drawn, Entrant, History, meetings
from aboveboard_referee.tournament.systems.past import (
    Pair,
    by_seat,
    capped,
    check_asked,
    field_of,
    first_seats,
    named,
    wrong_pairs,
)
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.traits import Traits

MOST_LEGS = 200


class Gauntlet:
    """The system of that name."""

    name = "gauntlet"
    version = 1
    traits = Traits(frozenset({"bye", "legs"}), is_predetermined=True)

    def wrong(self, plan: Plan) -> str | None:
        """What in this plan the system cannot follow, in a few words; or ``None``."""
        if not 1 <= plan.legs <= MOST_LEGS:
            return f"{plan.legs} legs"
        return wrong_pairs(plan)

    def rounds(self, plan: Plan, entrants: int) -> int:
        """One for each challenger and leg, or the plan's if fewer."""
        return capped(plan, plan.legs * max(0, entrants - 1))

    def draw(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        """The hero's next pairing; ``None`` when everybody present was met so often."""
        check_asked(history)
        field = field_of(plan, history)
        if not field or ask.number > self.rounds(plan, len(history.order)):
            return None
        hero = field[0]
        if hero not in ask.present:
            left = bool(history.rounds) and hero not in named(history.rounds[-1])
            return None if left or len(history.order) < 2 else Drawn(ask.by_hand)
        if any(hero in table for table in ask.by_hand):
            return Drawn(ask.by_hand)

        by_hand = {entrant for table in ask.by_hand for entrant in table}
        met = meetings(history)
        challengers = [
            (met[min(hero, other), max(hero, other)], place, other)
            for place, other in enumerate(
                (*field[1:], *sorted(set(history.order).difference(field)))
            )
            if other in ask.present and other not in by_hand
        ]
        if not challengers or min(challengers)[0] >= plan.legs:
            return Drawn(ask.by_hand) if ask.by_hand else None
        return Drawn((*ask.by_hand, _seated(hero, min(challengers)[2], history, ask.seed)))

    def levels(self, plan: Plan, history: History) -> None:
        """``None``: points rank the challengers, who met nobody but the hero."""
        return


def _seated(hero: Entrant, other: Entrant, history: History, seed: bytes) -> Pair:
    """By seat: the other way round than when they last met, else as seats even out."""
    for drawn in reversed(history.rounds):
        for table in drawn.tables:
            if hero in table.entrants and other in table.entrants:
                first = table.entrants[0]
                return (other, hero) if first == hero else (hero, other)
    return by_seat(hero, other, first_seats(history), seed)
