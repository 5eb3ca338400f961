"""Knock-out: who loses is out, and the last one has won.

Seeds are given by initial order, and slots that a field leaves over are its first seeds' to
walk through. What happens besides, each told where it is done in ``bracket``:

* A tie, where nothing has decided it before, is the higher seed's.
* Who has no opponent, or one who is not there or has left, goes on with a bye of kind
  "seed", worth a point.
* If neither of a pair appears at its table, both are out, and the next round's opponent
  goes on without a game. If neither is there when a round is drawn, the higher seed of
  those who have not left goes on.
* Two who are still in can be paired by hand: they exchange opponents with the others. A
  table by hand with anybody else is no game of the bracket.
* Who comes late has no slot and is not paired.
* There is no match for the third place. Who went out in the same round is ranked by points.
"""

from aboveboard_referee.tournament.history import Ask, Drawn, History
from aboveboard_referee.tournament.systems.bracket import (
    Results,
    Row,
    exchanged,
    first_row,
    pairs_in,
    row_length,
    seats,
    with_others,
)
from aboveboard_referee.tournament.systems.past import capped, check_asked, field_of, wrong_pairs
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.traits import Traits


class Knockout:
    """The system of that name."""

    name = "knockout"
    version = 1
    traits = Traits(is_bracket=True)

    def wrong(self, plan: Plan) -> str | None:
        """What in this plan the system cannot follow, in a few words; or ``None``."""
        return wrong_pairs(plan)

    def rounds(self, plan: Plan, entrants: int) -> int:
        """As many as leave one of them, or the plan's if fewer."""
        return capped(plan, row_length(entrants))

    def draw(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        """The bracket's next round, in its order; ``None`` once no more than one is in."""
        check_asked(history)
        row, _ = _fold(plan, history)
        still_in = sum(slot is not None for slot in row)
        if still_in < 2 or ask.number > self.rounds(plan, len(field_of(plan, history))):
            return None
        tables, byes = seats(exchanged(row, ask.by_hand), history, ask)
        return Drawn(with_others(tables, ask), tuple(byes))

    def levels(self, plan: Plan, history: History) -> tuple[int, ...]:
        """How many rounds each has come through."""
        return tuple(_fold(plan, history)[1])


def _fold(plan: Plan, history: History) -> tuple[Row, list[int]]:
    """The slots after a history, and by entrant how many rounds it has come through."""
    field = field_of(plan, history)
    rank = {entrant: i for i, entrant in enumerate(field)}
    row = first_row(field)
    through = [0] * history.entrants
    for drawn in history.rounds:
        by_hand = [table.entrants for table in drawn.tables if table.by_hand]
        ends = pairs_in(exchanged(row, by_hand)) if len(row) > 1 else []
        results = Results(drawn, rank)
        row = tuple(results.of(pair).on for pair in ends) or row
        for slot in row if ends else ():
            if slot is not None:
                through[slot] += 1
    return row, through
