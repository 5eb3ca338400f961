"""Who has which seat of a table, so that everybody has had each seat equally often.

What a seat costs its entrant is how often it has had that seat. The square of a count c
becomes (c + 1)² = c² + 2c + 1, so the least sum of costs is also the least sum of the squares
of all counts after the round.
"""

from collections.abc import Sequence

from aboveboard_referee.fairplay.draw import tie_hash
from aboveboard_referee.tournament.history import MOST_SEATS, Entrant

BYE = 2**32 - 1
"""Whom somebody with a bye meets, in a tie hash. No entrant has this number."""

TIE_BITS = 64
_SUM_BITS = TIE_BITS + MOST_SEATS.bit_length()


def tie(seed: bytes, a: int, b: int) -> int:
    """The 64 leading bits of the tie hash of two, big-endian."""
    return int.from_bytes(tie_hash(seed, a, b)[: TIE_BITS // 8], "big")


def _steps(places: int) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """For each set of seats, as bits: who takes one of it last, after whom in which seat."""
    return tuple(
        (
            taken.bit_count() - 1,
            tuple((taken ^ 1 << seat, seat) for seat in range(places) if taken >> seat & 1),
        )
        for taken in range(1, 1 << places)
    )


_STEPS = tuple(_steps(places) for places in range(MOST_SEATS + 1))


def least(costs: Sequence[Sequence[int]]) -> int:
    """The least sum of costs with everybody on a seat of its own. ``costs`` are by entrant."""
    return _sums(costs)[-1]


def _sums(costs: Sequence[Sequence[int]]) -> list[int]:
    """For each set of seats, the least sum at which the first entrants take just those."""
    sums = [0]
    for row, options in _STEPS[len(costs)]:
        cost = costs[row]
        sums.append(min([sums[before] + cost[seat] for before, seat in options]))
    return sums


def seated(
    entrants: Sequence[Entrant], seats: Sequence[Sequence[int]], seed: bytes
) -> tuple[Entrant, ...]:
    """The entrants of a table by seat; ``seats[a]`` is how often ``a`` has had each seat.

    Of the arrangements of the least sum of costs it is the one with the least sum of
    ``tie(seed, entrant, 2³² - 2 - seat)``: in that hash a seat is an opponent that no
    entrant is.
    """
    ends = sorted(entrants)
    costs = [
        [
            (seats[entrant][seat] << _SUM_BITS) + tie(seed, entrant, BYE - 1 - seat)
            for seat in range(len(ends))
        ]
        for entrant in ends
    ]
    sums = _sums(costs)
    by_seat: list[Entrant] = [BYE] * len(ends)
    taken = len(sums) - 1
    while taken:
        row, options = _STEPS[len(ends)][taken - 1]
        taken, seat = min(options, key=lambda option: sums[option[0]] + costs[row][option[1]])
        by_seat[seat] = ends[row]
    return tuple(by_seat)
