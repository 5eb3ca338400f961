"""Berger tables: who meets whom, and from which seat, in each round of a round robin.

The tables of the FIDE Handbook (C.05, Annex 1), by rule instead of by list. With an even number
of *slots*, the last of which stays where it is and the others of which are numbers from 0 to
``slots - 2``, two of those others meet in the *turn* that is their sum modulo
``slots - 1``; a number meets the last slot in the turn that is twice its own.
"""


def turns(slots: int) -> int:
    """How many turns it takes that everybody has met everybody."""
    return slots - 1


def pairs_of(slots: int, turn: int) -> list[tuple[int, int]]:
    """The pairs of a turn (from 0) as slots by seat, the last slot's pair first.

    ``slots`` is even and at least 2. Over all turns everybody has the first seat as often
    as the second, give or take one.
    """
    others = slots - 1
    pairs: list[tuple[int, int]] = []
    for i in range(others):
        j = (turn - i) % others
        if i == j:
            pairs.insert(0, (i, others) if 2 * i < others else (others, i))
        elif i < j:
            # Numbers from 0: an even sum of these is an even sum of those from 1.
            pairs.append((j, i) if (i + j) % 2 == 0 else (i, j))
    return pairs


def turn_of(slots: int, a: int, b: int) -> int:
    """The turn in which two slots meet."""
    others = slots - 1
    low, high = min(a, b), max(a, b)
    return 2 * low % others if high == others else (low + high) % others
