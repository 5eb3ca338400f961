"""Direct encounter: those who are tied, ranked by what they did against each other (C.07, 6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.standings.parts import Kind
from aboveboard_referee.tournament.standings.past import Past

Group = list[Entrant]
"""Entrants who are tied."""


@dataclass(frozen=True, slots=True)
class Encounters:
    """One entrant against the others of a group, in units.

    ``least`` is what it has; ``most`` what it would have if it won against everybody it has
    not met.
    """

    least: Fraction
    most: Fraction
    met: int


def encounters(group: Sequence[Entrant], past: Past) -> dict[Entrant, Encounters]:
    """The separate standings of a group. Two who met often count their mean (6.1.2)."""
    members = frozenset(group)
    found = {}
    for entrant in group:
        against: dict[Entrant, list[int]] = {}
        for part in past.parts[entrant]:
            # Forfeits are no encounters (6.1.1), nor is what is not decided.
            if part.kind is Kind.PLAYED:
                for other, score in zip(part.others, part.scores, strict=True):
                    if other in members:
                        against.setdefault(other, []).append(score)
        least = sum((Fraction(sum(own), len(own)) for own in against.values()), Fraction())
        missing = len(members) - 1 - len(against)
        found[entrant] = Encounters(least, least + missing * past.point, len(against))
    return found


def split(group: Group, past: Past) -> list[Group]:
    """The group in parts, the best first, each kept in its order.

    If everybody met everybody, the separate standings rank them, and equal ones are split
    again among themselves (6.2). If not, only who is ahead whatever the missing encounters
    would have brought is placed, then the next, and the rest is split again (6.3).
    """
    done: list[Group] = []
    rest = group
    while len(rest) > 1:
        found = encounters(rest, past)
        if all(own.met == len(rest) - 1 for own in found.values()):
            levels = sorted({own.least for own in found.values()}, reverse=True)
            if len(levels) == 1:
                break
            for level in levels:
                done += split([one for one in rest if found[one].least == level], past)
            return done
        ahead = _ahead(rest, found)
        if not ahead:
            break
        done += [[one] for one in ahead]
        placed = set(ahead)
        rest = [one for one in rest if one not in placed]
    return [*done, rest] if rest else done


def _ahead(group: Group, found: dict[Entrant, Encounters]) -> list[Entrant]:
    """Those who are first for certain, then second for certain, and so on."""
    by_least = sorted(group, key=lambda one: found[one].least, reverse=True)
    # The best that anybody from there on can still come to.
    best = list(accumulate((found[one].most for one in reversed(by_least)), max))[::-1]
    ahead = []
    for place, one in enumerate(by_least):
        if place + 1 < len(by_least) and found[one].least <= best[place + 1]:
            break
        ahead.append(one)
    return ahead
