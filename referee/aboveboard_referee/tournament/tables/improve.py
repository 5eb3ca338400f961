"""A search for fewer repeats and better seats, in a fixed number of steps.

It starts from tables of the least spread and exchanges two of equal scores at different
tables, so that the spread stays what it is. A step draws one table that is not as good as
can be, one who sits there and one of the same score, and keeps the exchange if (repeats,
seats) of the two tables get less or stay the same.
"""

from collections.abc import Iterator, Sequence

from aboveboard_referee.fairplay.bytes import label, sha256
from aboveboard_referee.fairplay.deck import draw_words
from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.tables.past import Past
from aboveboard_referee.tournament.tables.seats import least

STEPS = 10
"""So many steps for each entrant, if nothing is perfect before."""

LEAST_STEPS = 4_000
"""So many in a small field. Half of them have brought nearly all that any number would."""

_SEARCH = label("tablesearch")


def improved(
    tables: Sequence[Sequence[Entrant]], past: Past, seed: bytes
) -> list[tuple[Entrant, ...]]:
    """Tables of the same sizes and scores; their (repeats, seats) are never more.

    Byes, which are tables of one, stay as they are and come last. The words that choose are::

        SHAKE-256( T(draw) ‖ SHA-256( T(tablesearch) ‖ seed[32] ) )
    """
    byes = [tuple(table) for table in tables if len(table) == 1]
    search = _Search([table for table in tables if len(table) > 1], past)
    words = draw_words(sha256(_SEARCH, seed))
    left = max(LEAST_STEPS, STEPS * len(search.at))
    while left and search.faulty:
        for table in sorted(search.faulty):
            if left and table in search.faulty:
                left -= 1
                search.step(table, words)
    return [*map(tuple, search.tables), *byes]


class _Search:
    """Tables on the way, with what each of them costs."""

    def __init__(self, tables: Sequence[Sequence[Entrant]], past: Past) -> None:
        self.tables = [list(table) for table in tables]
        self._past = past
        self.at = {end: i for i, table in enumerate(self.tables) for end in table}
        self._equals: dict[int, list[Entrant]] = {}
        for table in self.tables:
            for end in table:
                self._equals.setdefault(past.scores[end], []).append(end)
        self._seats = [self._seat_cost(table) for table in self.tables]
        self._repeats = [
            sum(self._repeats_of(end, table) for end in table) // 2 for table in self.tables
        ]
        # A table without a repeat, where all have a seat that they had least, needs no step.
        self.faulty = {i for i in range(len(self.tables)) if self._is_faulty(i)}

    def step(self, table: int, words: Iterator[int]) -> None:
        """Try one exchange for somebody at this table."""
        a = self._troubled(table, next(words))
        equals = self._equals[self._past.scores[a]]
        b = equals[next(words) % len(equals)]
        other = self.at[b]
        if other == table:
            return
        mine, theirs = self.tables[table], self.tables[other]
        left_here = self._repeats_of(a, mine)
        left_there = self._repeats_of(b, theirs)
        known = self._past.repeats[a].get(b, 0)  # they change places and do not meet
        more_here = self._repeats_of(b, mine) - known - left_here
        more_there = self._repeats_of(a, theirs) - known - left_there
        if more_here + more_there > 0:
            return
        new_mine = [b if end == a else end for end in mine]
        new_theirs = [a if end == b else end for end in theirs]
        seats_here, seats_there = self._seat_cost(new_mine), self._seat_cost(new_theirs)
        worse = seats_here + seats_there - self._seats[table] - self._seats[other]
        if (more_here + more_there, worse) > (0, 0):
            return
        self.at[a], self.at[b] = other, table
        self.tables[table], self.tables[other] = new_mine, new_theirs
        self._repeats[table] += more_here
        self._repeats[other] += more_there
        self._seats[table], self._seats[other] = seats_here, seats_there
        for changed in (table, other):
            if self._is_faulty(changed):
                self.faulty.add(changed)
            else:
                self.faulty.discard(changed)

    def _troubled(self, table: int, word: int) -> Entrant:
        """Somebody with a repeat if there is one, else anybody at the table."""
        ends = self.tables[table]
        if self._repeats[table]:
            ends = [end for end in ends if self._repeats_of(end, ends)]
        return ends[word % len(ends)]

    def _repeats_of(self, end: Entrant, table: Sequence[Entrant]) -> int:
        known = self._past.repeats[end]
        return sum([known[other] for other in table if other in known])

    def _seat_cost(self, table: Sequence[Entrant]) -> int:
        seats = self._past.seats
        return least([seats[end] for end in table])

    def _is_faulty(self, table: int) -> bool:
        ends = self.tables[table]
        seats = self._past.seats
        return self._repeats[table] > 0 or self._seats[table] > sum(
            [min(seats[end][: len(ends)]) for end in ends]
        )
