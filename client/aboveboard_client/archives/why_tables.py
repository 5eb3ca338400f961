"""Why a round of tables of three seats and more is as it is."""

from aboveboard_client.archives.why_values import Because, Question
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.tables.explain import (
    Alternative,
    cost_line,
    lines,
    measures_of,
    next_best,
)
from aboveboard_referee.tournament.tables.measures import Measures

MOST_TOLD = 64
"""Of a field of no more than these the next best choice of every table is looked for."""


def why_tables(asked: Question, entrant: Entrant | None) -> Because:
    """A round's measures, and the least costly exchange of every table or of an entrant."""
    plan, history, ask, drawn = asked.plan, asked.history, asked.ask, asked.drawn
    value = measures_of(plan, history, ask, drawn)
    because = Because("measures", asked.by_hand_lines(), None, value._asdict())
    if entrant is not None:
        because.lines.append(asked.place_line(entrant))
        if not asked.is_by_hand(entrant):
            found = next_best(plan, history, ask, drawn, entrant)
            because.lines.append(_line(asked, value, found))
            _note(asked, because, value, found)
        return because
    because.lines += lines(value, plan.point)
    if len(ask.present) > MOST_TOLD:
        because.lines.append("what another seat would have cost is told of each player")
        return because
    for group in (*drawn.tables, *((bye.entrant,) for bye in drawn.byes)):
        if asked.is_by_hand(group[0]):
            continue
        every = [next_best(plan, history, ask, drawn, end) for end in group]
        cheapest = min((one for one in every if one), key=lambda one: one.measures, default=None)
        who = ", ".join(asked.names[end] for end in group)
        because.lines.append(f"{who}: {_line(asked, value, cheapest)}")
        _note(asked, because, value, cheapest)
    return because


def _line(asked: Question, value: Measures, found: Alternative | None) -> str:
    if found is None:
        return "there is nobody to change places with"
    return f"next best: {cost_line(value, found, asked.names.__getitem__, asked.plan.point)}"


def _note(asked: Question, because: Because, value: Measures, found: Alternative | None) -> None:
    if found is not None:
        both = zip(value._fields, value, found.measures, strict=True)
        because.next_best.append(
            {
                "player": asked.names[found.entrant],
                "other": asked.names[found.other],
                "changes": {
                    n: after - now for n, now, after in both if after != now and n != "tie"
                },
            }
        )
