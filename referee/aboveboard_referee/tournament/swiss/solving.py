"""The best round of a field, as pairs, and how it is known to be the best.

A small field is solved as one whole graph. A larger one falls apart (``structure``), and each
part is solved by itself: a small one as a whole graph again, a large one in a frame of few
pairs that reaches a bound no pairing falls below (``frame``), or as a whole graph where the
frame does not reach it. If every part has a pairing of the form that parts have, the round
is the best of all, by the proofs told there. If one has not, because those in it have met,
the field is solved as a whole graph up to ``WHOLE_MOST`` entrants. Beyond, what cannot be
paired as a part is repaired (``repair``); such a round alone is not proven to be the best.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.swiss.field import BYE, Field, Pair
from aboveboard_referee.tournament.swiss.frame import frame
from aboveboard_referee.tournament.swiss.repair import repair
from aboveboard_referee.tournament.swiss.structure import Part, parts_of, sums_of
from aboveboard_referee.tournament.swiss.whole import best_of

WHOLE_LEAST = 64
"""A field or part of no more entrants is always solved as a whole graph."""

WHOLE_MOST = 600
"""One of more never is: that takes minutes."""

CHUNK = 64
"""How many neighbours by score are paired among themselves where all else fails."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A round's pairs, a bye being one with BYE, and whether they are proven to be the best."""

    pairs: frozenset[Pair]
    proven: bool


def solve(field: Field, forbidden: frozenset[Pair] = frozenset()) -> Solution | None:
    """The best round without the forbidden pairs, or None if none is found without them."""
    if len(field.free) > WHOLE_LEAST:
        parts = {part: _solve_part(field, part, forbidden) for part in parts_of(field)}
        found = [pairs for pairs in parts.values() if pairs is not None]
        if len(found) == len(parts):
            return Solution(frozenset().union(*found), proven=True)
        if len(field.free) > WHOLE_MOST:
            failed = [part for part, pairs in parts.items() if pairs is None]
            return _beyond(field, frozenset().union(*found), failed, forbidden)
    pairs = best_of(field, field.vertices, forbidden)
    return None if pairs is None else Solution(pairs, proven=True)


def _solve_part(field: Field, part: Part, forbidden: frozenset[Pair]) -> frozenset[Pair] | None:
    """The best pairing of a part of the form that parts have, or None if it has none."""
    size = len(part.vertices)
    pairs = frame(field, part, forbidden) if size > WHOLE_LEAST else None
    if pairs is None and size <= WHOLE_MOST:
        pairs = best_of(field, part.vertices, forbidden)
    return pairs if pairs is not None and part.is_sound(sums_of(field, pairs), field) else None


def _beyond(
    field: Field, pairs: frozenset[Pair], failed: Sequence[Part], forbidden: frozenset[Pair]
) -> Solution | None:
    """A good round for a large field of which some parts cannot be paired as parts are.

    Those are paired first with rematches and forbidden pairs, and then repaired.
    """
    for part in failed:
        left = [entrant for group in part.groups for entrant in group]
        if part.bye:
            first = [entrant for entrant in part.bye if field.claim[entrant] == 0]
            lucky = min(first, key=lambda entrant: (field.tie(entrant, BYE), entrant))
            left.remove(lucky)
            pairs |= {(lucky, BYE)}
        for start in range(0, len(left), CHUNK):
            chunk = best_of(field, left[start : start + CHUNK])
            assert chunk is not None  # nothing is forbidden in it
            pairs |= chunk
    pairs = repair(field, pairs, forbidden)
    return None if pairs & forbidden else Solution(pairs, proven=False)
