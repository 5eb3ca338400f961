"""Round robin: everybody meets everybody, ``Plan.legs`` times, by the Berger tables.

Numbers are given by initial order. What happens besides:

* In an odd field one entrant a round has no opponent, each in turn. It has a pairing bye.
* Whose opponent is not there, has left, or was given another table by hand has a pairing
  bye too: that pair is not played, and no later round makes up for it. Its results against
  others stand. What is to be made up for can be paired by hand in a later round, at which
  it counts as the meeting that was missed.
* The second leg has the pairs of the first in the same order, with seats exchanged.
* Of those who come late the first has the number that an odd field leaves over, and plays
  from then on. No schedule has a number for anybody else: they are not paired.
"""

from aboveboard_referee.tournament.history import Ask, Drawn, History, meetings
from aboveboard_referee.tournament.systems.past import (
    capped,
    check_asked,
    leaders_first,
    remaining,
    wrong_pairs,
)
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.schedule import (
    all_slots,
    free_in,
    idle_byes,
    keep,
    length,
)
from aboveboard_referee.tournament.systems.traits import Traits

MOST_LEGS = 20


class RoundRobin:
    """The system of that name."""

    name = "round-robin"
    version = 1
    traits = Traits(frozenset({"bye", "legs"}), is_predetermined=True)

    def wrong(self, plan: Plan) -> str | None:
        """What in this plan the system cannot follow, in a few words; or ``None``."""
        if not 1 <= plan.legs <= MOST_LEGS:
            return f"{plan.legs} legs"
        return wrong_pairs(plan)

    def rounds(self, plan: Plan, entrants: int) -> int:
        """As many as it takes to meet everybody ``plan.legs`` times, or the plan's if fewer."""
        return capped(plan, length(entrants, plan.legs))

    def draw(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        """The schedule's round, the leaders' table first; ``None`` after the last."""
        check_asked(history)
        slots = all_slots(plan, history)
        over = ask.number > self.rounds(plan, len(slots))
        if over or len(remaining(plan, history, ask)) < 2:
            return None
        kept = keep(slots, ask.number, meetings(history), free_in(ask))
        tables = leaders_first((*ask.by_hand, *kept.pairs), history)
        return Drawn(tables, idle_byes(plan, kept))

    def levels(self, plan: Plan, history: History) -> None:
        """``None``: points alone rank a round robin."""
        return
