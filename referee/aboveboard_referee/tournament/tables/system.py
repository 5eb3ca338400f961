"""The system ``swiss-tables``: who sits with whom in the next round."""

from collections.abc import Sequence
from itertools import pairwise

from aboveboard_referee.tournament.history import (
    MOST_SEATS,
    PAIRING_BYE,
    TABLE_POINT,
    Ask,
    Bye,
    Drawn,
    Entrant,
    History,
)
from aboveboard_referee.tournament.systems.past import check_asked
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.traits import Traits
from aboveboard_referee.tournament.tables.blocks import blocks
from aboveboard_referee.tournament.tables.exact import SMALL, best_tables
from aboveboard_referee.tournament.tables.improve import improved
from aboveboard_referee.tournament.tables.past import Past, look_back
from aboveboard_referee.tournament.tables.seats import seated
from aboveboard_referee.tournament.tables.sizes import shape_of

LEAST_SEATS = 3


class Tables:
    """A Swiss for tables of three to seven seats. ``measures`` says what it aims at.

    With at most ``SMALL`` entrants besides those at tables by hand, a round is the best that
    there is, measure by measure. In a larger field that is certain of every measure up to
    the spread, and the rest is what ``improve`` finds. Tables by hand stay as they are, seats
    included. A round for whom no table is large enough is one of byes.
    """

    name = "swiss-tables"
    version = 1
    traits = Traits(frozenset({"bye"}), is_open=True, goes_on=True, avoids_rematches=True)

    def wrong(self, plan: Plan) -> str | None:
        """What in this plan the system cannot follow, in a few words; or ``None``."""
        if not LEAST_SEATS <= plan.seats <= MOST_SEATS:
            return f"tables of {plan.seats} seats, where {LEAST_SEATS} to {MOST_SEATS} are possible"
        if any(low >= high for low, high in pairwise(plan.sizes)):
            return "sizes of tables that do not ascend"
        if plan.seats not in plan.sizes or not 2 <= plan.sizes[0] <= plan.sizes[-1] <= MOST_SEATS:
            return f"tables of {plan.seats} seats, where {list(plan.sizes)} are the legal ones"
        if plan.rounds < 1:
            return "no number of rounds"
        if plan.point < 1 or plan.point % TABLE_POINT:
            return f"a point of {plan.point} units, where it takes a multiple of {TABLE_POINT}"
        if not 0 <= plan.bye <= plan.point:
            return f"a bye of {plan.bye} units, where a point has {plan.point}"
        return _other_form(plan)

    def rounds(self, plan: Plan, entrants: int) -> int:
        """As many as planned, however many play."""
        return plan.rounds

    def draw(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        """The round that ``ask`` is for, or ``None`` after the last one or for fewer than two.

        Raises ValueError for a history that ``check_asked`` refuses, and for an ``ask`` that
        names somebody twice or by hand a stranger.
        """
        check_asked(history)
        free = _free(plan, history, ask)
        if ask.number > plan.rounds or len(ask.present) < 2:
            return None
        past = look_back(history)
        shape = shape_of(len(free), plan.seats, plan.sizes)
        if len(free) <= SMALL:
            made = best_tables(free, shape, past, ask.seed)
        else:
            made = improved(blocks(free, shape, past, ask.seed), past, ask.seed)
        tables = [seated(table, past.seats, ask.seed) for table in made if len(table) > 1]
        tables += ask.by_hand
        place = {entrant: i for i, entrant in enumerate(history.order)}
        tables.sort(key=lambda table: _standing(table, past, place))
        byes = sorted(table[0] for table in made if len(table) == 1)
        return Drawn(tuple(tables), tuple(Bye(end, PAIRING_BYE, plan.bye) for end in byes))

    def levels(self, plan: Plan, history: History) -> tuple[int, ...] | None:
        """Points alone rank."""
        return None


def _other_form(plan: Plan) -> str | None:
    """What belongs to other systems."""
    if plan.accelerated:
        return "accelerated rounds at tables of more than two"
    if plan.legs != 1 or plan.divisions:
        return "legs or divisions in a Swiss"
    return None


def _free(plan: Plan, history: History, ask: Ask) -> list[Entrant]:
    """Whom the system is to seat."""
    present = set(ask.present)
    if len(present) != len(ask.present) or not present <= set(history.order):
        raise ValueError(f"round {ask.number}: somebody is present twice or no entrant")
    fixed = [entrant for table in ask.by_hand for entrant in table]
    taken = set(fixed)
    if len(taken) != len(fixed):
        raise ValueError(f"round {ask.number}: somebody is at two tables by hand")
    if not taken <= present:
        raise ValueError(f"round {ask.number}: somebody at a table by hand is not present")
    if any(len(table) not in plan.sizes for table in ask.by_hand):
        raise ValueError(f"round {ask.number}: a table by hand is of no legal size")
    return [entrant for entrant in ask.present if entrant not in taken]


def _standing(
    table: Sequence[Entrant], past: Past, place: dict[Entrant, int]
) -> tuple[list[int], list[int]]:
    """What tables are ordered by: the scores at them from the highest, then initial ranks."""
    scores = sorted(-past.scores[entrant] for entrant in table)
    return scores, sorted(place[entrant] for entrant in table)
