"""Brackets: who meets whom in a knock-out round, and who goes on from it.

A bracket is a row of *slots*, the first and second of which meet, the third and fourth, and so
on; who goes on from a pair is in the next row. A slot that is None has nobody. Rows are
never stored: they are folded from a tournament's history.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.history import SEED_BYE, Ask, Bye, Entrant, History, Round, Table
from aboveboard_referee.tournament.systems.past import by_seat, first_seats, named

Slot = Entrant | None
Row = tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a pair. Both are None where nobody went on, or it is not decided."""

    on: Slot
    out: Slot


def first_row(field: Sequence[Entrant]) -> Row:
    """The first round's slots, the least power of two that holds the field.

    Seed 1 is the first of ``field``. In every pair the numbers of the seeds make the same
    sum, so that the first seeds meet nobody where slots are left over, and that the first
    two meet in the last round if both get there, the first four in the last two, and so on.
    """
    seeds = [1]
    while len(seeds) < len(field):
        both = 2 * len(seeds) + 1
        seeds = [seed for upper in seeds for seed in (upper, both - upper)]
    return tuple(field[seed - 1] if seed <= len(field) else None for seed in seeds)


def row_length(entrants: int) -> int:
    """How many rounds a knock-out of so many takes."""
    return max(0, entrants - 1).bit_length()


def exchanged(row: Row, by_hand: Collection[tuple[Entrant, ...]]) -> Row:
    """The row once tables made by hand have their way.

    Where both of a table's entrants are in the row, the one with the higher index is put
    beside the other, and who was there has its slot. Any other table is none of the
    bracket's: whoever of the row sits at it is not there for its own opponent.
    """
    slots = list(row)
    for a, b in sorted(sorted(table) for table in by_hand if len(table) == 2):
        if a in slots and b in slots:
            beside, of_b = slots.index(a) ^ 1, slots.index(b)
            slots[beside], slots[of_b] = b, slots[beside]
    return tuple(slots)


def pairs_in(row: Row) -> list[tuple[Slot, Slot]]:
    """Who meets whom."""
    return list(zip(row[::2], row[1::2], strict=True))


class Results:
    """What a round made of the pairs of its row; ``rank`` has the favourite's least."""

    def __init__(self, drawn: Round, rank: Mapping[Entrant, int]) -> None:
        self._rank = rank
        self._tables = {frozenset(table.entrants): table for table in drawn.tables}
        self._byes = {bye.entrant for bye in drawn.byes if bye.kind == SEED_BYE}
        self._there = named(drawn)

    def of(self, ends: tuple[Slot, Slot]) -> Outcome:
        """Who went on and who did not.

        At a table more units win, and a tie is the favourite's. If neither appeared at it,
        nobody goes on. Without a table the one who was there goes on, by its seed bye; if
        neither was, for whatever reason, the favourite of those who have not left.
        """
        here = [end for end in ends if end is not None]
        here.sort(key=self._rank.__getitem__)
        table = self._tables.get(frozenset(here))
        if table is not None:
            return _played(table, here)
        claims = [end for end in here if end in self._byes]
        claims += [end for end in here if end in self._there]
        if not claims:
            return Outcome(None, None)
        losers = [end for end in here if end in self._there and end != claims[0]]
        return Outcome(claims[0], losers[0] if losers else None)


def _played(table: Table, here: list[Entrant]) -> Outcome:
    """``here`` are both ends, the favourite first."""
    if not table.decided or table.forfeits >= set(here):
        return Outcome(None, None)
    favourite, other = here
    if table.gained(other) > table.gained(favourite):
        return Outcome(other, favourite)
    return Outcome(favourite, other)


def seats(row: Row, history: History, ask: Ask) -> tuple[list[tuple[Entrant, ...]], list[Bye]]:
    """The tables and seed byes of a row that ``ask.by_hand`` has been exchanged in.

    A seed bye is worth a point: it is what the table would have been worth to who goes on.
    """
    balance = first_seats(history)
    by_hand = {entrant: table for table in ask.by_hand for entrant in table}
    there = set(ask.present)
    tables: list[tuple[Entrant, ...]] = []
    byes: list[Bye] = []
    for ends in pairs_in(row):
        here = [end for end in ends if end is not None and end in there]
        fixed = [by_hand[end] for end in here if end in by_hand]
        free = [end for end in here if end not in by_hand]
        if len(fixed) == 2 and fixed[0] == fixed[1]:
            tables.append(fixed[0])
        elif len(free) == 2:
            tables.append(by_seat(free[0], free[1], balance, ask.seed))
        elif free:
            byes.append(Bye(free[0], SEED_BYE, history.point))
    return tables, byes


def with_others(tables: Sequence[tuple[Entrant, ...]], ask: Ask) -> tuple[tuple[Entrant, ...], ...]:
    """A bracket's tables, then those made by hand that are none of its pairs."""
    return (*tables, *(table for table in ask.by_hand if table not in tables))
