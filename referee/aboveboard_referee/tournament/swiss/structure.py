"""How a field falls apart into parts that can be paired by themselves.

Leave rematches aside for a moment and take a bye that goes to a first claim. Then

- a score group with an odd number of entrants left sends somebody to another group, so that
  there are at least half as many downfloats as odd groups. With no more than that, each odd
  group has exactly one pair with another group and every even group has none;
- of all ways to join the odd groups in twos, joining neighbours (first and second, third and
  fourth, …) has the least sum of squared differences, and no other way has it: for scores
  a > b > c > d, both (a-c)² + (b-d)² and (a-d)² + (b-c)² exceed (a-b)² + (c-d)² by a multiple
  of (a-d)(b-c) or (a-c)(b-d), and every other way of joining has two joints that can be
  changed so;
- equal claims have equal scores, so it makes no difference to that which of them gets the bye.

So wherever a round exists without a rematch, with the bye at a first claim and those pairs
between groups, all rounds that are best by the measures up to the gap are made so, and the
best one is made of the best ones of *parts*: two joined odd groups, or one even group; one
part has the bye.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.swiss.costs import Cost, cost_of
from aboveboard_referee.tournament.swiss.field import BYE, Field, Pair


@dataclass(frozen=True, slots=True)
class Part:
    """One or two score groups that are paired among themselves; two have one pair in common.

    ``bye`` is the group that somebody with the first claim gets the bye from, if it is one
    of these; it counts in the numbers being even.
    """

    groups: tuple[tuple[Entrant, ...], ...]
    bye: tuple[Entrant, ...] | None = None

    @property
    def vertices(self) -> tuple[Entrant, ...]:
        """Everybody in it, in ascending order, and BYE if it has one."""
        entrants = sorted(entrant for group in self.groups for entrant in group)
        return (*entrants, BYE) if self.bye else tuple(entrants)

    def is_sound(self, sums: Cost, field: Field) -> bool:
        """Whether a pairing of the part with these sums has the form that parts have."""
        return sums[:5] == (0, 0, 0, len(self.groups) - 1, self.gap(field))

    def gap(self, field: Field) -> int:
        """The squared difference of the two groups' scores, 0 for one group."""
        ends = [field.past.score[group[0]] for group in self.groups]
        return (ends[0] - ends[-1]) ** 2


def parts_of(field: Field) -> tuple[Part, ...]:
    """All parts, from the highest scores down."""
    giver: tuple[Entrant, ...] | None = None
    if len(field.free) % 2:
        giver = next(group for group in field.groups if any(field.claim[e] == 0 for e in group))
    parts: list[tuple[tuple[Entrant, ...], ...]] = []
    waiting: tuple[Entrant, ...] | None = None
    for group in field.groups:
        if (len(group) - (group is giver)) % 2 == 0:
            parts.append((group,))
        elif waiting is None:
            waiting = group
        else:
            parts.append((waiting, group))
            waiting = None
    assert waiting is None
    return tuple(Part(groups, giver if giver in groups else None) for groups in parts)


def sums_of(field: Field, pairs: Iterable[Pair]) -> Cost:
    """What pairs cost together."""
    costs = [cost_of(field, *pair) for pair in pairs]
    return Cost(*map(sum, zip(*costs, strict=True))) if costs else Cost(*[0] * len(Cost._fields))
