"""Tables in the order of scores: the least spread that there is, in a field of any size.

Take two tables of a drawing and somebody at each, x at the one with the lesser mean and y at
the other, x having the higher score, and let them change places. The squared deviations from
the two old means become less by 2·(x - y)·(difference of the means), or stay as they were if
the means were equal, and deviations from the new means are less again. So a drawing of the
least spread has tables that do not overlap: in the order of scores they are blocks of
neighbours, and all that is left to find is in which order the sizes follow each other.
Everything else with that order and that spread comes of exchanging equal scores.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, product

from aboveboard_referee.fairplay.bytes import label, sha256
from aboveboard_referee.fairplay.deck import draw_order, draw_words
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.tables.measures import SCALE, claims
from aboveboard_referee.tournament.tables.past import Past
from aboveboard_referee.tournament.tables.seats import BYE, tie
from aboveboard_referee.tournament.tables.sizes import Shape

_BLOCKS = label("tables")


def blocks(
    entrants: Sequence[Entrant], shape: Shape, past: Past, seed: bytes
) -> list[tuple[Entrant, ...]]:
    """Tables of this shape with the least spread, the highest scores first; byes at the end.

    A bye is a table of one. Byes are those of the strongest claims, and of equal ones those
    of the least ``tie``. Equal scores are in an order that is drawn by ::

        SHAKE-256( T(draw) ‖ SHA-256( T(tables) ‖ seed[32] ) )
    """
    drawn = draw_order(draw_words(sha256(_BLOCKS, seed)), sorted(entrants))
    byes = _byes(drawn, shape.byes, past, seed)
    order = [end for end in drawn if end not in byes]
    order.sort(key=lambda end: -past.scores[end])
    tables, at = [], 0
    for size in _sizes_in_order([past.scores[end] for end in order], shape):
        tables.append(tuple(order[at : at + size]))
        at += size
    return tables + [(end,) for end in byes]


def _byes(entrants: Sequence[Entrant], count: int, past: Past, seed: bytes) -> list[Entrant]:
    if not count:
        return []
    places = claims(past, entrants)
    return sorted(entrants, key=lambda end: (places[end], tie(seed, end, BYE)))[:count]


def _sizes_in_order(scores: Sequence[int], shape: Shape) -> list[int]:
    """The order of sizes of the least spread; of equal ones, unusual sizes rather late.

    The sum of all squared scores is the same for every order, so the best has the greatest
    sum of (total score of a table)² / its size. The best order of some of the tables is the
    best of all but its last one, and then that one.
    """
    number = Counter(shape.sizes)
    # Few tables have another size than most, so there are few sets of tables per length.
    sizes = sorted(number, key=lambda size: (-number[size], size))
    total = [0, *accumulate(scores)]
    best: dict[tuple[int, ...], tuple[int, int]] = {}
    for used in product(*(range(number[size] + 1) for size in sizes)):
        end = sum(count * size for count, size in zip(used, sizes, strict=True))
        found = (0, 0) if not end else (-1, 0)
        for i in range(len(sizes) - 1, -1, -1):
            if used[i]:
                size = sizes[i]
                points = total[end] - total[end - size]
                before = (*used[:i], used[i] - 1, *used[i + 1 :])
                value = best[before][0] + SCALE // size * points * points
                if value > found[0]:
                    found = value, i
        best[used] = found
    order: list[int] = []
    used = tuple(number[size] for size in sizes)
    while any(used):
        i = best[used][1]
        order.append(sizes[i])
        used = (*used[:i], used[i] - 1, *used[i + 1 :])
    return order[::-1]
