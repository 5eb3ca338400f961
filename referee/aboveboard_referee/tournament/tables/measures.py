"""What makes one drawing of a round better than another.

A drawing is judged by nine numbers, each to be as small as can be, an earlier one before
any later one. Tables made by hand are left out of all of them.

- ``byes``: how many have no seat.
- ``claims``: of those, the sum of the places of their claims. A claim is (byes had, score,
  unplayed rounds) as ``past`` counts them; the claims of everybody present that is at no
  table by hand are put in ascending order, equal ones once, and counted from 0.
- ``short_tables``: how many tables have another size than the plan wants.
- ``bent``: the sum over tables of (size - size wanted)².
- ``shortest``: seven less the size of the shortest table, 0 where there is no table.
- ``spread``: the sum over tables and those at them of (score - the table's mean score)²,
  times 420, which makes a whole number of it: for a table of k with the scores s,
  ``420·Σs² - 420/k·(Σs)²``.
- ``repeats``: the sum over all pairs at a table of (how often the two sat together before)².
- ``seats``: the sum over everybody seated of how often it has had that seat before.
- ``tie``: the sum over all pairs at a table of the 64 leading bits of ``tie_hash(seed, a, b)``,
  and over byes of those of ``tie_hash(seed, a, 2³² - 1)``.

``byes``, ``short_tables``, ``bent`` and ``shortest`` follow from numbers alone. ``tie`` depends
on the seed and leaves one set of tables standing; ``seats.seated`` says who has which seat there.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from aboveboard_referee.tournament.history import Ask, Drawn, Entrant
from aboveboard_referee.tournament.tables.past import Past
from aboveboard_referee.tournament.tables.seats import BYE, tie
from aboveboard_referee.tournament.tables.sizes import badness

SCALE = 420
"""The least number that 2, 3, … 7 divide."""


class Measures(NamedTuple):
    """A drawing's measures, the most important first; less is better."""

    byes: int
    claims: int
    short_tables: int
    bent: int
    shortest: int
    spread: int
    repeats: int
    seats: int
    tie: int


def measure(wanted: int, past: Past, ask: Ask, drawn: Drawn) -> Measures:
    """The measures of a drawing, whoever made it. ``wanted`` is the plan's size of tables."""
    by_hand = {entrant for table in ask.by_hand for entrant in table}
    tables = [table for table in drawn.tables if table[0] not in by_hand]
    places = claims(past, [entrant for entrant in ask.present if entrant not in by_hand])
    byes = [bye.entrant for bye in drawn.byes]
    short_tables, bent, shortest = badness([len(table) for table in tables], wanted)
    return Measures(
        len(byes),
        sum(places[entrant] for entrant in byes),
        short_tables,
        bent,
        shortest,
        sum(spread([past.scores[entrant] for entrant in table]) for table in tables),
        sum(repeats(past, table) for table in tables),
        sum(past.seats[entrant][seat] for table in tables for seat, entrant in enumerate(table)),
        sum(ties(ask.seed, table) for table in tables)
        + sum(tie(ask.seed, entrant, BYE) for entrant in byes),
    )


def claims(past: Past, entrants: Iterable[Entrant]) -> dict[Entrant, int]:
    """The place of each one's claim to a bye, 0 for the strongest."""
    claim = {
        entrant: (past.byes[entrant], past.scores[entrant], past.unplayed[entrant])
        for entrant in entrants
    }
    place = {value: i for i, value in enumerate(sorted(set(claim.values())))}
    return {entrant: place[value] for entrant, value in claim.items()}


def spread(scores: Sequence[int]) -> int:
    """What the scores at one table add to ``spread``."""
    total = sum(scores)
    return SCALE * sum(s * s for s in scores) - SCALE // len(scores) * total * total


def repeats(past: Past, table: Sequence[Entrant]) -> int:
    """What one table adds to ``repeats``."""
    return sum(past.repeats[a].get(b, 0) for a, b in combinations(table, 2))


def ties(seed: bytes, table: Sequence[Entrant]) -> int:
    """What one table adds to ``tie``."""
    return sum(tie(seed, a, b) for a, b in combinations(table, 2))
