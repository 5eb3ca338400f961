"""The table of a tournament with a form (docs/standings.md), in fractions where they say means."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.oracle.form_tables import Table

PAIRING, REQUESTED, SEED = 1, 2, 3
"""Kinds of byes as the format numbers them; who is absent or not there yet asked for it."""

GIVEN, PLAYED, WON, LOST, ASKED = "given", "played", "forfeit win", "forfeit loss", "requested"
CHOSEN = (LOST, ASKED)


@dataclass(frozen=True)
class Round:
    """Tables, and by entrant the kind and units of a bye."""

    tables: tuple[Table, ...]
    byes: dict[int, tuple[int, int]]

    @property
    def nothing_decided(self) -> bool:
        """A bye is decided at once."""
        return not self.byes and all(table.units is None for table in self.tables)

    def table_of(self, entrant: int) -> Table | None:
        return next((table for table in self.tables if entrant in table.entrants), None)


@dataclass(frozen=True)
class History:
    """All that a table is made of."""

    entrants: int
    point: int
    rounds: tuple[Round, ...]
    predetermined: bool

    @property
    def counted(self) -> int:
        """The rounds of which something is decided."""
        return sum(not each.nothing_decided for each in self.rounds)

    def kind(self, entrant: int, each: Round) -> str | None:
        """What a round was for somebody; None while its table is not decided."""
        table = each.table_of(entrant)
        if table is not None:
            if table.units is None:
                return None
            if entrant in table.forfeits:
                return LOST
            return PLAYED if table.was_played else WON
        kind, units = each.byes.get(entrant, (REQUESTED, 0))
        return GIVEN if kind in (PAIRING, SEED) or units >= self.point else ASKED

    def gained(self, entrant: int, each: Round) -> int:
        table = each.table_of(entrant)
        if table is None:
            return each.byes.get(entrant, (REQUESTED, 0))[1]
        return 0 if table.units is None else table.units[table.entrants.index(entrant)]

    def score(self, entrant: int) -> int:
        return sum(self.gained(entrant, each) for each in self.rounds)

    def as_opponent(self, entrant: int) -> int:
        """What an entrant counts for those who met it."""
        total, only_chosen = 0, not self.predetermined
        for each in reversed(self.rounds):
            kind = self.kind(entrant, each)
            draws = only_chosen and kind == ASKED
            total += self.point // 2 if draws else self.gained(entrant, each)
            only_chosen &= kind in (*CHOSEN, None)
        return total


@dataclass(frozen=True)
class Part:
    """What one round adds to a Buchholz."""

    number: int
    opponent: Fraction
    gained: int
    chosen: bool  # a dummy of a round that the entrant chose not to play


def parts(history: History, entrant: int) -> list[Part]:
    found = []
    for number, each in enumerate(history.rounds, start=1):
        kind, table = history.kind(entrant, each), each.table_of(entrant)
        if kind is None:
            continue
        others = [] if table is None else [e for e in table.entrants if e != entrant]
        own = Fraction(history.score(entrant))
        if history.predetermined:
            if table is None:
                continue
            opponent = _mean([history.as_opponent(e) for e in others])
        elif kind == PLAYED:
            assert table is not None
            opponent = _mean([history.as_opponent(e) for e in others if e in table.came])
        elif kind in (WON, LOST):
            opponent = min(own, _mean([history.as_opponent(e) for e in others]))
        else:
            opponent = min(own, Fraction(history.point * history.counted, 2))
        chosen = kind in CHOSEN and not history.predetermined
        found.append(Part(number, opponent, history.gained(entrant, each), chosen))
    return found


def _mean(values: Sequence[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def _without_lowest(found: list[Part]) -> list[Part]:
    among = [part for part in found if part.chosen] or found
    if not among:
        return []
    lowest = min(among, key=lambda part: part.opponent)
    return [part for part in found if part is not lowest]


def _without_highest(found: list[Part]) -> list[Part]:
    if not found:
        return []
    highest = max(found, key=lambda part: part.opponent)
    return [part for part in found if part is not highest]


def _buchholz(found: list[Part]) -> int:
    total = 60 * sum((part.opponent for part in found), Fraction())
    assert total.denominator == 1
    return int(total)


def _sonneborn(found: list[Part]) -> int:
    total = 60 * sum((part.opponent * part.gained for part in found), Fraction())
    assert total.denominator == 1
    return int(total)


def _progress(history: History, entrant: int) -> list[int]:
    total, found = 0, []
    for each in history.rounds:
        total += history.gained(entrant, each)
        if history.kind(entrant, each) is not None:
            found.append(total)
    return found


def _wins(history: History, entrant: int) -> int:
    found = 0
    for each in history.rounds:
        table = each.table_of(entrant)
        if table is None or table.units is None:
            continue
        if table.was_played and entrant in table.came:
            found += table.wins[table.entrants.index(entrant)]
    return found


def _full(history: History, entrant: int) -> int:
    return sum(history.gained(entrant, each) >= history.point for each in history.rounds)


BY_ONE: dict[str, Callable[[History, int], int]] = {
    "buchholz": lambda h, e: _buchholz(parts(h, e)),
    "buchholz-cut1": lambda h, e: _buchholz(_without_lowest(parts(h, e))),
    "buchholz-cut2": lambda h, e: _buchholz(_without_lowest(_without_lowest(parts(h, e)))),
    "median-buchholz": lambda h, e: _buchholz(_without_highest(_without_lowest(parts(h, e)))),
    "sonneborn-berger": lambda h, e: _sonneborn(parts(h, e)),
    "progressive": lambda h, e: sum(_progress(h, e)),
    "progressive-cut1": lambda h, e: sum(_progress(h, e)[1:]),
    "wins": _wins,
    "full-points": _full,
}
"""Every tie-break but ``direct``, which hangs on who else is tied."""


# --- Direct encounter ---------------------------------------------------------------------------


def _encounters(history: History, a: int, b: int) -> list[Fraction]:
    """What ``a`` had of each encounter with ``b``, of one."""
    found = []
    for each in history.rounds:
        table = each.table_of(a)
        if table is None or b not in table.entrants or table.units is None:
            continue
        if {a, b} & table.forfeits and not history.predetermined:
            continue
        of_a, of_b = (table.units[table.entrants.index(e)] for e in (a, b))
        if len(table.entrants) == 2:
            found.append(Fraction(of_a, history.point))
        else:
            found.append(Fraction((of_a > of_b) + (of_a >= of_b), 2))
    return found


def direct(history: History, tied: Sequence[int]) -> dict[int, int]:
    """How many of those tied each is ahead of."""
    ahead = dict.fromkeys(tied, 0)
    groups = _placed(history, list(tied))
    for i, group in enumerate(groups):
        behind = sum(len(later) for later in groups[i + 1 :])
        ahead.update(dict.fromkeys(group, behind))
    return ahead


def _placed(history: History, tied: list[int]) -> list[list[int]]:
    """Groups of those who share a place, the first first."""
    if len(tied) < 2:
        return [tied]
    least, most, all_met = {}, {}, True
    for a in tied:
        met = [_encounters(history, a, b) for b in tied if b != a]
        least[a] = sum((sum(each) / len(each) for each in met if each), Fraction())
        missing = sum(not each for each in met)
        most[a] = least[a] + missing
        all_met &= missing == 0
    if all_met:
        values = sorted(set(least.values()), reverse=True)
        groups = [[e for e in tied if least[e] == value] for value in values]
        if len(groups) == 1:
            return groups
        return [part for group in groups for part in _placed(history, group)]
    rest, first = list(tied), []
    while len(rest) > 1:
        sure = [a for a in rest if all(least[a] > most[b] for b in rest if b != a)]
        if not sure:
            break
        first.append(sure)
        rest.remove(sure[0])
    if not first:
        return [tied]
    return [*first, *_placed(history, rest)]


# --- The table ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    entrant: int
    rank: int
    units: int
    tie_breaks: tuple[int, ...]


def table(
    history: History,
    order: Sequence[int],
    tie_breaks: Sequence[str],
    levels: Sequence[int],
    disqualified: frozenset[int],
) -> list[Row]:
    """Rows from the first place on."""
    values: dict[int, list[int]] = {e: [] for e in order}
    keys = {e: (e not in disqualified, levels[e], history.score(e)) for e in order}
    groups = _split(list(order), lambda e: keys[e])
    for name in tie_breaks:
        split = []
        for group in groups:
            if name == "direct":
                found = direct(history, group)
            else:
                found = {e: BY_ONE[name](history, e) for e in group}
            for entrant in group:
                values[entrant].append(found[entrant])
            split += _split(group, lambda e, found=found: found[e])
        groups = split
    rows, rank = [], 1
    for group in groups:
        rows += [Row(e, rank, history.score(e), tuple(values[e])) for e in group]
        rank += len(group)
    return rows


def _split(group: list[int], key: Callable[[int], object]) -> list[list[int]]:
    """By descending key, each part in its old order."""
    values = sorted({key(e) for e in group}, reverse=True)  # type: ignore[type-var]  # tuples
    return [[e for e in group if key(e) == value] for value in values]
