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
        row: list[int | None] = []
        for ends in self.pairs():
            winner: int | None = None
            both = [e for e in ends if e is not None]
            table = next((t for t in each.tables if {*t.entrants} == {*both}), None)
            if table is not None:
                units = dict(zip(table.entrants, table.units or (0, 0), strict=True))
                if table.units is not None and table.came:
                    winner = min(both, key=lambda e: (-units[e], self.rank[e]))
            elif given := [e for e in both if e in each.byes and each.byes[e][0] == SEED]:
                winner = min(given, key=lambda e: self.rank[e])
            elif there := [e for e in both if _is_in(each, e)]:
                winner = min(there, key=lambda e: self.rank[e])
            if winner is not None:
                self.through[winner] += 1
            row.append(winner)
        self.row = row


def _is_in(each: Round, entrant: int) -> bool:
    """At a table, with a bye, or absent. A ruling can make others meet than who did."""
    return each.table_of(entrant) is not None or entrant in each.byes
