"""How good a drawn round is, by each measure of the system; ``pairing`` defines them."""

from typing import NamedTuple

from aboveboard_referee.tournament.history import Ask, Drawn, Entrant, History
from aboveboard_referee.tournament.swiss.field import claim_of, field_of, matches_of
from aboveboard_referee.tournament.swiss.past import DOWN, UP
from aboveboard_referee.tournament.systems.plan import Plan


class Measures(NamedTuple):
    """The values of a round in order of importance: of two rounds the lesser one is better.

    Tables made by hand are in none of them. ``bye_*`` are 0 where there is no bye. ``gap``
    is in squared units.
    """

    rematches: int
    meetings: int
    bye_byes: int
    bye_score: int
    bye_unplayed: int
    downfloats: int
    gap: int
    floats: int
    seats: int
    halves: int


def measures(plan: Plan, history: History, ask: Ask, drawn: Drawn) -> Measures:
    """The measures of any round that could have been drawn for ``ask``.

    Raises ValueError if it does not pair everybody who was to be paired exactly once, but
    for one bye if they are odd in number.
    """
    field = field_of(plan, history, ask)
    past = field.past
    by_hand = {frozenset(table) for table in ask.by_hand}
    pairs = [table for table in drawn.tables if frozenset(table) not in by_hand]
    byes = [bye.entrant for bye in drawn.byes]
    if sorted([*(entrant for table in pairs for entrant in table), *byes]) != sorted(field.free):
        raise ValueError("the round does not pair everybody once")
    if len(byes) != len(field.free) % 2 or any(len(table) != 2 for table in pairs):
        raise ValueError("the round has another bye than it needs, or a table of other than two")

    def score(entrant: Entrant) -> int:
        return past.score[entrant]

    met = [field.met(*pair) for pair in pairs]
    uneven = [sorted(pair, key=score) for pair in pairs if score(pair[0]) != score(pair[1])]
    balance = {entrant: past.balance[entrant] for entrant in field.free}
    if matches_of(plan) % 2:
        for first, second in pairs:
            balance[first] += 1
            balance[second] -= 1
    within = sum(
        score(a) == score(b) and (a in field.upper) == (b in field.upper) for a, b in pairs
    )
    return Measures(
        sum(times > 0 for times in met),
        sum(met),
        *(claim_of(past, byes[0]) if byes else (0, 0, 0)),
        len(uneven),
        sum((score(low) - score(high)) ** 2 for low, high in uneven),
        sum(field.repeats(low, UP) + field.repeats(high, DOWN) for low, high in uneven)
        + sum(field.repeats(entrant, DOWN) for entrant in byes),
        sum(value * value for value in balance.values()),
        within + sum(entrant in field.upper for entrant in byes),
    )
