"""Knock-out (docs/pairing.md): who is at which place of the bracket, and who goes on."""

from collections.abc import Sequence

from tests.oracle.form_pairing import Ask, Drawn, simple_seats
from tests.oracle.form_standings import SEED, History, Round


def places(field: Sequence[int]) -> list[int | None]:
    """The first row: entrants by place, None where there is nobody."""
    order = [1]
    while len(order) < len(field):
        m = len(order)
        order = [seed for s in order for seed in (s, 2 * m + 1 - s)]
    return [field[seed - 1] if seed <= len(field) else None for seed in order]


class Knockout:
    """The bracket of a field, round by round."""

    def __init__(self, field: Sequence[int]) -> None:
        self.rank = {entrant: rank for rank, entrant in enumerate(field)}
        self.row = places(field)
        self.through = dict.fromkeys(field, 0)

    @property
    def over(self) -> bool:
        return len(self.row) < 2

    def pairs(self) -> list[tuple[int | None, int | None]]:
        return list(zip(self.row[::2], self.row[1::2], strict=True))

    def draw(self, history: History, ask: Ask) -> Drawn | None:
        if self.over:
            return None
        tables: list[tuple[int, ...]] = []
        byes = {}
        for ends in self.pairs():
            here = [e for e in ends if e is not None and e in ask.present]
            if len(here) == 2:
                tables.append(simple_seats(history, ask.seed, *here))
            elif here:
                byes[here[0]] = (SEED, history.point)
        return Drawn(tables, byes)

    def play(self, history: History, number: int) -> None:
        """On to the next row, by the results of a round."""
        each = history.rounds[number]
        self.row = [outcome(each, self.rank, ends)[0] for ends in self.pairs()]
        for winner in self.row:
            if winner is not None:
                self.through[winner] += 1


Slot = int | None


def outcome(each: Round, rank: dict[int, int], ends: tuple[Slot, Slot]) -> tuple[Slot, Slot]:
    """Who goes on from a pair, and who has lost."""
    both = sorted((e for e in ends if e is not None), key=rank.__getitem__)
    table = next((t for t in each.tables if {*t.entrants} == {*both}), None)
    if table is not None:
        if table.units is None or not table.came:
            return None, None
        units = dict(zip(table.entrants, table.units, strict=True))
        best = min(both, key=lambda e: (-units[e], rank[e]))
        return best, both[1 - both.index(best)]
    there = [e for e in both if _is_in(each, e)]
    there.sort(key=lambda e: each.byes.get(e, (0, 0))[0] != SEED)
    return (*there, None, None)[0], (*there, None, None)[1]


def _is_in(each: Round, entrant: int) -> bool:
    """At a table, with a bye, or absent. A ruling can make others meet than who did."""
    return each.table_of(entrant) is not None or entrant in each.byes


class Double:
    """Both brackets of a double elimination."""

    def __init__(self, field: Sequence[int], *, final_again: bool) -> None:
        self.rank = {entrant: rank for rank, entrant in enumerate(field)}
        self.upper, self.final_again = places(field), final_again
        self.lower: list[Slot] = []
        self.fallen: list[Slot] = []
        self.k, self.round, self.falls = len(self.upper).bit_length() - 1, 1, 0
        self.over = len(field) < 2
        self.through = dict.fromkeys(field, 0)

    def pairs(self) -> tuple[list[tuple[Slot, Slot]], list[tuple[Slot, Slot]]]:
        """Of the upper bracket, a final included, and of the lower one."""
        if self.round == 1:
            return _neighbours(self.upper), []
        if self.round >= 2 * self.k:
            return [(self.upper[0], self.lower[0])], []
        if self.round % 2:
            return [], list(zip(self.lower, self.fallen, strict=True))
        return _neighbours(self.upper), _neighbours(self.lower)

    def draw(self, history: History, ask: Ask) -> Drawn | None:
        still_in = [e for e in (*self.upper, *self.lower, *self.fallen) if e is not None]
        if self.over or len(still_in) < 2:
            return None
        tables: list[tuple[int, ...]] = []
        byes = {e: (SEED, 0) for e in still_in if e in ask.present}
        upper, lower = self.pairs()
        for ends in (*upper, *lower):
            here = [e for e in ends if e is not None and e in ask.present]
            if len(here) == 2:
                tables.append(simple_seats(history, ask.seed, *here))
                del byes[here[0]], byes[here[1]]
            elif here:
                byes[here[0]] = (SEED, history.point)
        return Drawn(tables, byes)

    def play(self, history: History, number: int) -> None:
        if self.over:
            return
        each, (upper, lower) = history.rounds[number], self.pairs()
        final = self.round >= 2 * self.k
        first = {e: -1 for e in self.upper if final and e is not None}  # a tie is the upper's
        above = [outcome(each, self.rank | first, ends) for ends in upper]
        below = [outcome(each, self.rank, ends) for ends in lower]
        if final:
            self._final(*above[0])
        elif self.round == 1:
            self.upper, self.lower = [w for w, _ in above], [loser for _, loser in above]
        elif self.round % 2:
            self.lower, self.fallen = [w for w, _ in below], []
        else:
            self.upper, self.lower = [w for w, _ in above], [w for w, _ in below]
            self.fallen = self._crossed([loser for _, loser in above])
        # Who has left while it waited was named nowhere in the round.
        for row in (self.upper, self.lower, self.fallen):
            row[:] = [e if e is not None and _is_in(each, e) else None for e in row]
        for entrant in (*self.upper, *self.lower, *self.fallen):
            if entrant is not None:
                self.through[entrant] += 1
        self.round += 1

    def _crossed(self, fallen: list[Slot]) -> list[Slot]:
        self.falls += 1
        half = len(fallen) // 2
        first, second = fallen[:half], fallen[half:]
        turns = (second + first, fallen[::-1], first[::-1] + second[::-1])
        return turns[self.falls % 3]

    def _final(self, winner: Slot, loser: Slot) -> None:
        lost_first = winner is not None and winner == self.lower[0] and loser is not None
        if self.round == 2 * self.k and lost_first and self.final_again:
            return
        self.upper, self.lower, self.over = [winner], [None], True


def _neighbours(row: list[Slot]) -> list[tuple[Slot, Slot]]:
    return list(zip(row[::2], row[1::2], strict=True))
