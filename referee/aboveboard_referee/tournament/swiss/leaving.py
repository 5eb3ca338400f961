"""Who leaves its score group, by the bye or for the one pair that two groups share.

Without rematches the best that a part can come to follows from who leaves, because what stays
of a group is even in number and

- the sum of the differences of balances is greatest where every pair has one entrant of the
  half with the lower balances and one of the other (of equal ones at the middle it makes no
  difference which): it is the sum of the upper half less the sum of the lower one;
- with t of the group's top half and b of its bottom half left, at least |t - b|/2 pairs are
  within a half, and that many is possible together with the first; see ``frame``.

So it is enough to try all kinds of leavers, a kind being all that makes a difference.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import NamedTuple

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.swiss.costs import Cost
from aboveboard_referee.tournament.swiss.field import BYE, Field, Pair
from aboveboard_referee.tournament.swiss.past import DOWN, UP
from aboveboard_referee.tournament.swiss.structure import Part

TRIED = 16
"""How many leavers of the same kinds are compared by their ties: the first ones by lot."""


class Kind(NamedTuple):
    """What it depends on which entrant leaves."""

    repeats: int  # in how many of the last two rounds it floated in this direction
    balance: int  # of first seats
    upper: bool  # of the top half of its group


@dataclass(frozen=True, slots=True)
class Role:
    """A way to leave a group, and who can, by kind and then by lot."""

    group: int
    bye: bool
    kinds: Mapping[Kind, Sequence[Entrant]]


@dataclass(frozen=True, slots=True)
class Leaving:
    """The pairs of those who leave their groups, and the least sums of the whole part."""

    pairs: tuple[Pair, ...]
    bound: Cost


def balance_of(field: Field, entrant: Entrant) -> int:
    """The balance of first seats as far as it matters to the round."""
    return field.past.balance[entrant] if field.seats_move else 0


def choose_leaving(
    field: Field, part: Part, lots: Mapping[Entrant, int], forbidden: frozenset[Pair]
) -> Leaving | None:
    """The best leavers by the bound, and then by ties; None if nobody can leave as it needs.

    ``lots`` are everybody's tie with BYE.
    """
    roles = _roles(field, part, lots)
    rests = [_Rest(field, group) for group in part.groups]
    best: tuple[int, ...] | None = None
    choices: list[tuple[Kind, ...]] = []
    for kinds in product(*(role.kinds for role in roles)):
        floats = sum(kind.repeats for kind in kinds)
        if best is not None and floats > best[0]:
            continue
        if next(_leavings(field, roles, kinds, forbidden), None) is None:
            continue
        value = (floats, *_value(roles, kinds, rests))
        if best is None or value < best:
            best, choices = value, []
        if value == best:
            choices.append(kinds)
    if best is None:
        return None
    pairs = min(
        (
            pairs
            for kinds in choices
            for pairs in islice(_leavings(field, roles, kinds, forbidden), TRIED)
        ),
        key=lambda pairs: (sum(field.tie(*pair) for pair in pairs), pairs),
    )
    floats, seats, halves = best
    seats += len(part.vertices) // 2 * field.widest
    return Leaving(
        pairs, Cost(0, 0, 0, len(part.groups) - 1, part.gap(field), floats, seats, halves)
    )


def _roles(field: Field, part: Part, lots: Mapping[Entrant, int]) -> list[Role]:
    roles = []
    if len(part.groups) == 2:
        for i, (group, direction) in enumerate(zip(part.groups, (DOWN, UP), strict=True)):
            roles.append(Role(i, False, _kinds(field, group, direction, lots)))
    if part.bye:
        first = [entrant for entrant in part.bye if field.claim[entrant] == 0]
        roles.append(Role(part.groups.index(part.bye), True, _kinds(field, first, DOWN, lots)))
    return roles


def _kinds(
    field: Field, group: Sequence[Entrant], direction: int, lots: Mapping[Entrant, int]
) -> Mapping[Kind, Sequence[Entrant]]:
    kinds: dict[Kind, list[Entrant]] = {}
    for entrant in sorted(group, key=lambda entrant: (lots[entrant], entrant)):
        kind = Kind(
            field.repeats(entrant, direction),
            balance_of(field, entrant),
            entrant in field.upper,
        )
        kinds.setdefault(kind, []).append(entrant)
    return kinds


def _leavings(
    field: Field, roles: Sequence[Role], kinds: Sequence[Kind], forbidden: frozenset[Pair]
) -> Iterator[tuple[Pair, ...]]:
    """The pairs of leavers of these kinds: everybody in one, nobody met, none forbidden.

    No leavers where nobody has to leave.
    """
    for leavers in product(*(role.kinds[kind] for role, kind in zip(roles, kinds, strict=True))):
        joint = [entrant for role, entrant in zip(roles, leavers, strict=True) if not role.bye]
        pairs = [(entrant, BYE) for role, entrant in zip(roles, leavers, strict=True) if role.bye]
        if joint:
            pairs.append((min(joint), max(joint)))
            if field.met(*joint):
                continue
        if len(set(leavers)) == len(leavers) and not forbidden.intersection(pairs):
            yield tuple(pairs)


class _Rest:
    """What stays of a group without some leavers."""

    def __init__(self, field: Field, group: Sequence[Entrant]) -> None:
        self._balances = sorted(balance_of(field, entrant) for entrant in group)
        self._surplus = 2 * sum(entrant in field.upper for entrant in group) - len(group)
        self._distances: dict[tuple[int, ...], int] = {}

    def distance(self, gone: Sequence[int]) -> int:
        """The greatest sum of differences of the balances left."""
        key = tuple(sorted(gone))
        if key not in self._distances:
            left = list(self._balances)
            for balance in key:
                left.remove(balance)
            half = len(left) // 2
            self._distances[key] = sum(left[half:]) - sum(left[:half])
        return self._distances[key]

    def within(self, gone: Sequence[bool]) -> int:
        """The fewest pairs within a half."""
        return abs(self._surplus - sum(1 if upper else -1 for upper in gone)) // 2


def _value(roles: Sequence[Role], kinds: Sequence[Kind], rests: Sequence[_Rest]) -> tuple[int, int]:
    """The negative sum of all differences of balances, and the pairs within a half."""
    joint = [kind.balance for role, kind in zip(roles, kinds, strict=True) if not role.bye]
    difference = abs(joint[0] - joint[1]) if joint else 0
    within = sum(kind.upper for role, kind in zip(roles, kinds, strict=True) if role.bye)
    for i, rest in enumerate(rests):
        gone = [kind for role, kind in zip(roles, kinds, strict=True) if role.group == i]
        difference += rest.distance([kind.balance for kind in gone])
        within += rest.within([kind.upper for kind in gone])
    return -difference, within
