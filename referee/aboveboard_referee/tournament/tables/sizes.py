"""How so many entrants fall into tables of legal sizes."""

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from aboveboard_referee.tournament.history import MOST_SEATS


class Shape(NamedTuple):
    """The sizes of a round's tables, ascending, and how many entrants have no seat."""

    sizes: tuple[int, ...]
    byes: int


def shape_of(entrants: int, wanted: int, legal: Sequence[int]) -> Shape:
    """The best way to seat so many. ``wanted`` is one of the ``legal`` sizes.

    It has, in this order: the fewest byes; the fewest tables of another size than is
    wanted; of those that remain, the least sum of (size - wanted)²; and the largest
    shortest table. That leaves one for every set of legal sizes from 2 to 7.
    """
    byes = 0
    while not (shapes := list(_shapes(entrants - byes, wanted, legal))):
        byes += 1
    return Shape(min(shapes, key=lambda sizes: badness(sizes, wanted)), byes)


def badness(sizes: Sequence[int], wanted: int) -> tuple[int, int, int]:
    """What makes one shape worse than another that has as many byes.

    The number of tables of another size than is wanted, the sum of (size - wanted)², and
    how many seats the shortest table has less than seven.
    """
    off = [size - wanted for size in sizes if size != wanted]
    shortest = min(sizes, default=MOST_SEATS)
    return len(off), sum(seats * seats for seats in off), MOST_SEATS - shortest


def _shapes(seated: int, wanted: int, legal: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All that can have the fewest tables of another size.

    Those are fewer than ``wanted``: of so many numbers some add up to a multiple of it (two
    of the partial sums leave the same remainder), and tables of the size wanted could
    take the place of those.
    """
    others = sorted(set(legal) - {wanted})
    for count in range(wanted):
        for off in combinations_with_replacement(others, count):
            rest = seated - sum(off)
            if rest >= 0 and rest % wanted == 0:
                yield tuple(sorted([*off, *[wanted] * (rest // wanted)]))
