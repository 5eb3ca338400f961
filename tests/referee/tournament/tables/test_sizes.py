"""So many entrants fall into tables as the measures of sizes want it."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest

from aboveboard_referee.tournament.tables.sizes import Shape, badness, shape_of


def every_sum(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to make a number of these, ascending."""
    if total == 0:
        yield ()
    for at, size in enumerate(sizes):
        if size <= total:
            yield from ((size, *rest) for rest in every_sum(total - size, sizes[at:]))


def legal_sets(most: int) -> list[tuple[int, ...]]:
    """Every set of so many legal sizes at most."""
    return [legal for count in range(1, most + 1) for legal in combinations(range(2, 8), count)]


def check_against_all(legal: tuple[int, ...], most: int) -> None:
    for entrants in range(most + 1):
        byes = next(b for b in range(entrants + 1) if [*every_sum(entrants - b, legal)])
        ways = list(every_sum(entrants - byes, legal))
        for wanted in legal:
            best = min(badness(sizes, wanted) for sizes in ways)
            fitting = [sizes for sizes in ways if badness(sizes, wanted) == best]
            assert [Shape(sizes, byes) for sizes in fitting] == [shape_of(entrants, wanted, legal)]


def test_the_shape_is_the_only_best_one_of_all_there_are() -> None:
    for legal in legal_sets(most=3):
        check_against_all(legal, most=16)


@pytest.mark.slow
def test_the_shape_is_the_only_best_one_for_every_set_of_sizes() -> None:
    for legal in legal_sets(most=6):
        check_against_all(legal, most=26)


@pytest.mark.parametrize(
    ("entrants", "wanted", "legal", "sizes", "byes"),
    [
        (12, 4, (3, 4), (4, 4, 4), 0),
        (13, 4, (3, 4), (3, 3, 3, 4), 0),
        (13, 4, (3, 4, 5), (4, 4, 5), 0),
        (13, 4, (2, 3, 4), (2, 3, 4, 4), 0),
        (10, 4, (2, 3, 4, 5, 6), (4, 6), 0),  # as short as 2, but no table of 2
        (5, 3, (3, 4), (4,), 1),
        (5, 4, (3, 4), (4,), 1),
        (7, 4, (4,), (4,), 3),
        (2, 3, (3, 4), (), 2),
        (1, 3, (2, 3), (), 1),
        (0, 3, (3,), (), 0),
        (50_001, 7, (2, 3, 4, 5, 6, 7), (7,) * 7143, 0),
    ],
)
def test_examples_of_shapes(
    entrants: int, wanted: int, legal: tuple[int, ...], sizes: tuple[int, ...], byes: int
) -> None:
    assert shape_of(entrants, wanted, legal) == Shape(sizes, byes)
