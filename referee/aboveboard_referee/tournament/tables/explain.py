"""Why a round is as it is: its measures, and what another seat for somebody would have cost."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from aboveboard_referee.tournament.history import Ask, Drawn, Entrant, History
from aboveboard_referee.tournament.standings.tie_breaks import shown
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.tables.measures import (
    SCALE,
    Measures,
    claims,
    measure,
    repeats,
    spread,
    ties,
)
from aboveboard_referee.tournament.tables.past import Past, look_back
from aboveboard_referee.tournament.tables.seats import BYE, least, tie

_WORDS = {
    "byes": "entrants without a seat",
    "claims": "places of theirs in the order of who should have a bye, added up",
    "short_tables": "tables of another size than wanted",
    "bent": "squared differences of tables from the size wanted",
    "shortest": "seats that the shortest table has less than seven",
    "spread": "squared differences in points from the mean score of the table",
    "repeats": "squared numbers of earlier meetings",
    "seats": "times that somebody has had its seat before",
}
"""What each measure counts, for who reads it; the lot says nothing to anybody."""


class Alternative(NamedTuple):
    """Two who could have changed places, and the measures of the round if they had."""

    entrant: Entrant
    other: Entrant
    measures: Measures


def measures_of(plan: Plan, history: History, ask: Ask, drawn: Drawn) -> Measures:
    """The measures of a round that was drawn from this history."""
    return measure(plan.seats, look_back(history), ask, drawn)


def next_best(
    plan: Plan, history: History, ask: Ask, drawn: Drawn, entrant: Entrant
) -> Alternative | None:
    """The least costly exchange of this entrant with somebody who is not at its table.

    Somebody with a bye can be the other, and an entrant with a bye has everybody to change
    places with. The seats of both tables are then the best ones. ``None`` where the entrant
    is at a table by hand or not in the round, or where there is nobody else.
    """
    past = look_back(history)
    by_hand = {end for table in ask.by_hand for end in table}
    groups: list[tuple[Entrant, ...]] = [
        table for table in drawn.tables if by_hand.isdisjoint(table)
    ]
    groups += [(bye.entrant,) for bye in drawn.byes]
    own = next((group for group in groups if entrant in group), None)
    if own is None:
        return None
    before = measure(plan.seats, past, ask, drawn)
    places = claims(past, [end for group in groups for end in group])
    found: list[tuple[Measures, Entrant]] = []
    here = _costs(own, past, places, ask.seed)
    for group in groups:
        if group is own or len(group) == len(own) == 1:
            continue
        there = _costs(group, past, places, ask.seed)
        for other in group:
            new = [
                _costs(_with(own, entrant, other), past, places, ask.seed),
                _costs(_with(group, other, entrant), past, places, ask.seed),
            ]
            found.append((_changed(before, [here, there], new), other))
    if not found:
        return None
    measures, other = min(found)
    return Alternative(entrant, other, measures)


def lines(measures: Measures, point: int) -> list[str]:
    """The measures in words, the most important first; ``point`` are the units of a point."""
    values = measures._asdict()
    return [f"{name} {_shown(name, values[name], point)}: {_WORDS[name]}" for name in _WORDS]


def cost_line(
    before: Measures, found: Alternative, name: Callable[[Entrant], str], point: int
) -> str:
    """What an exchange would have cost, in one line: every measure that it changes."""
    changes = [
        f"{field} {'+' if after > now else '-'}{_shown(field, abs(after - now), point)}"
        for field, now, after in zip(Measures._fields, before, found.measures, strict=True)
        if after != now and field in _WORDS
    ]
    cost = ", ".join(changes) or "nothing but the lot"
    return f"{name(found.entrant)} in the place of {name(found.other)}: {cost}"


def _shown(name: str, value: int, point: int) -> str:
    """A measure for people: scores in points, and not in what makes whole numbers of them."""
    if name != "spread":
        return str(value)
    text = shown(value, SCALE * point * point)
    return "0.001 at most" if value and text == "0" else text


def _with(table: Sequence[Entrant], old: Entrant, new: Entrant) -> tuple[Entrant, ...]:
    return tuple(new if end == old else end for end in table)


def _costs(
    table: Sequence[Entrant], past: Past, places: dict[Entrant, int], seed: bytes
) -> tuple[int, int, int, int, int]:
    """What one table adds to claims, spread, repeats, seats and tie; one alone has a bye."""
    if len(table) == 1:
        return places[table[0]], 0, 0, 0, tie(seed, table[0], BYE)
    return (
        0,
        spread([past.scores[end] for end in table]),
        repeats(past, table),
        least([past.seats[end] for end in table]),
        ties(seed, table),
    )


def _changed(
    before: Measures, old: Sequence[tuple[int, ...]], new: Sequence[tuple[int, ...]]
) -> Measures:
    """The measures with two tables in the place of two others of the same sizes."""
    gone = [sum(column) for column in zip(*old, strict=True)]
    come = [sum(column) for column in zip(*new, strict=True)]
    claim, space, again, seat, lot = (after - now for now, after in zip(gone, come, strict=True))
    return before._replace(
        claims=before.claims + claim,
        spread=before.spread + space,
        repeats=before.repeats + again,
        seats=before.seats + seat,
        tie=before.tie + lot,
    )
