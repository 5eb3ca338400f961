"""Tournaments of tables of mixed sizes by chance, and the best next round found by trying all."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from random import Random

from aboveboard_referee.fairplay.draw import tie_hash
from aboveboard_referee.tournament.history import (
    ABSENT_BYE,
    LATE_BYE,
    PAIRING_BYE,
    REQUESTED_BYE,
    SEED_BYE,
    TABLE_POINT,
    Ask,
    Bye,
    Drawn,
    Entrant,
    History,
    Round,
    Table,
    check_history,
    place_units,
)
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.tables.system import Tables

Seating = tuple[tuple[Entrant, ...], ...]
"""Everybody who is to be seated; who has no seat is a table of one."""

Numbers = tuple[int, int, int, int, int, int, int, int, int]
"""The nine measures, by the words of docs/tables.md."""


def plan_for(seats: int, sizes: Sequence[int], rounds: int = 99, matches: int = 1) -> Plan:
    point = TABLE_POINT * matches
    return Plan("swiss-tables", rounds, seats, tuple(sizes), point, bye=point)


def chance_history(
    chance: Random, entrants: int, rounds: int, sizes: Sequence[int], matches: int = 1
) -> History:
    """Rounds with tables of these sizes, all decided, and every kind of bye and absence."""
    order = list(range(entrants))
    chance.shuffle(order)
    late = {end for end in order if chance.random() < 0.05}
    gone: set[Entrant] = set()
    drawn = []
    for number in range(1, rounds + 1):
        gone |= {end for end in order if chance.random() < 0.03}
        waiting, byes = [], []
        for end in order:
            if end in gone:
                continue
            if end in late and number == 1:
                byes.append(Bye(end, LATE_BYE, chance.choice((0, TABLE_POINT // 2))))
            elif chance.random() < 0.1:
                kind = chance.choice((REQUESTED_BYE, ABSENT_BYE, SEED_BYE))
                byes.append(Bye(end, kind, TABLE_POINT * matches * chance.randrange(3) // 2))
            else:
                waiting.append(end)
        chance.shuffle(waiting)
        tables: list[Table] = []
        while legal := [size for size in sizes if size <= len(waiting)]:
            size = chance.choice(legal)
            name = f"r{number}.{len(tables) + 1}"
            tables.append(_played(chance, name, tuple(waiting[:size]), matches))
            waiting = waiting[size:]
        byes += [Bye(end, PAIRING_BYE, TABLE_POINT * matches) for end in waiting]
        drawn.append(Round(number, tuple(tables), tuple(byes)))
    history = History(entrants, TABLE_POINT * matches, tuple(order), tuple(drawn))
    check_history(history)
    return history


def play_round(chance: Random, plan: Plan, history: History, ask: Ask) -> History:
    """The history with one round more, as the system draws it, its places given by chance."""
    drawn = Tables().draw(plan, history, ask)
    assert drawn is not None
    tables = []
    for number, ends in enumerate(drawn.tables, start=1):
        ranks = chance.sample(range(1, len(ends) + 1), len(ends))
        units = place_units(ranks, [(seat,) for seat in range(len(ends))])
        tables.append(Table(f"r{ask.number}.{number}", ends, units, seatings=(ends,)))
    played = Round(ask.number, tuple(tables), drawn.byes)
    return History(history.entrants, history.point, history.order, (*history.rounds, played))


def _played(chance: Random, name: str, ends: tuple[Entrant, ...], matches: int) -> Table:
    """A table's result: places by chance, shared ones among them, who never came last."""
    lost = chance.random() < 0.1
    forfeits = frozenset(end for end in ends if lost and chance.random() < 0.5)
    gained = dict.fromkeys(ends, 0)
    seatings = []
    for match in range(matches):
        seating = ends[match % len(ends) :] + ends[: match % len(ends)]
        seatings.append(seating)
        place = {end: 9 if end in forfeits else chance.randint(1, 3) for end in ends}
        ranks = [1 + sum(other < place[end] for other in place.values()) for end in seating]
        units = place_units(ranks, [(seat,) for seat in range(len(ends))])
        for end, more in zip(seating, units, strict=True):
            gained[end] += 0 if end in forfeits else more
    won = tuple(gained[end] for end in ends)
    return Table(name, ends, won, forfeits=forfeits, seatings=tuple(seatings))


def chance_ask(chance: Random, history: History, present: int, sizes: Sequence[int]) -> Ask:
    """A round for so many of the entrants, now and then with a table made by hand."""
    here = set(chance.sample(history.order, present))
    order = [end for end in history.order if end in here]
    by_hand: tuple[tuple[Entrant, ...], ...] = ()
    if chance.random() < 0.15 and (legal := [size for size in sizes if size <= present]):
        by_hand = (tuple(chance.sample(order, chance.choice(legal))),)
    return Ask(len(history.rounds) + 1, tuple(order), chance.randbytes(32), by_hand)


class Judge:
    """The nine measures of any tables, from the history itself and by their definitions."""

    def __init__(self, plan: Plan, history: History, ask: Ask) -> None:
        self._plan, self._seed = plan, ask.seed
        fixed = {end for table in ask.by_hand for end in table}
        self.free = tuple(sorted(set(ask.present) - fixed))
        self.scores: Counter[Entrant] = Counter()
        self.met: Counter[frozenset[Entrant]] = Counter()
        self.seats: Counter[tuple[Entrant, int]] = Counter()
        self.byes: Counter[Entrant] = Counter()
        self.played: Counter[Entrant] = Counter()
        for drawn in history.rounds:
            for bye in drawn.byes:
                self.scores[bye.entrant] += bye.units
                given = bye.kind in (PAIRING_BYE, SEED_BYE) or bye.units == history.point
                self.byes[bye.entrant] += given
            for table in drawn.tables:
                came = set(table.entrants) - table.forfeits
                for end in table.entrants:
                    self.scores[end] += table.gained(end)
                if len(came) < 2:
                    self.byes.update(e for e in came if table.gained(e) == history.point)
                else:
                    self.met.update(frozenset(two) for two in combinations(came, 2))
                    self.played.update(came)
                    for seating in table.seatings:
                        self.seats.update((e, s) for s, e in enumerate(seating) if e in came)
        rounds = len(history.rounds)
        claim = {e: (self.byes[e], self.scores[e], rounds - self.played[e]) for e in self.free}
        ranking = sorted(set(claim.values()))
        self.claims = {end: ranking.index(claim[end]) for end in self.free}
        self._known: dict[tuple[Entrant, ...], tuple[int, int, int, int]] = {}

    def tie(self, a: int, b: int) -> int:
        return int.from_bytes(tie_hash(self._seed, a, b)[:8], "big")

    def parts(self, table: tuple[Entrant, ...]) -> tuple[int, int, int, int]:
        """Spread, repeats, best seats and tie of one table."""
        if table not in self._known:
            mean = Fraction(sum(self.scores[end] for end in table), len(table))
            spread = 420 * sum((self.scores[end] - mean) ** 2 for end in table)
            assert spread.denominator == 1
            self._known[table] = (
                spread.numerator,
                sum(self.met[frozenset(two)] ** 2 for two in combinations(table, 2)),
                min(map(self.seating_cost, permutations(table))),
                sum(self.tie(a, b) for a, b in combinations(table, 2)),
            )
        return self._known[table]

    def seating_cost(self, table: Sequence[Entrant]) -> int:
        return sum(self.seats[end, seat] for seat, end in enumerate(table))

    def measures(self, tables: Seating) -> Numbers:
        """All nine, if everybody then has the best seats."""
        alone = [table[0] for table in tables if len(table) == 1]
        real = [table for table in tables if len(table) > 1]
        off = [len(table) - self._plan.seats for table in real if len(table) != self._plan.seats]
        parts = [self.parts(tuple(sorted(table))) for table in real]
        return (
            len(alone),
            sum(self.claims[end] for end in alone),
            len(off),
            sum(seats**2 for seats in off),
            7 - min(map(len, real), default=7),
            sum(part[0] for part in parts),
            sum(part[1] for part in parts),
            sum(part[2] for part in parts),
            sum(part[3] for part in parts) + sum(self.tie(end, 2**32 - 1) for end in alone),
        )

    def best(self) -> tuple[Numbers, Seating]:
        """The least measures of all tables that there can be, and the tables that have them."""
        shape = self.best_sizes(len(self.free))
        found = ((self.measures(tables), tables) for tables in partitions(self.free, shape))
        return min(found)

    def best_sizes(self, entrants: int) -> tuple[int, ...]:
        """The sizes of the best tables, 1 for each bye.

        How many have no seat and which sizes the tables have does not depend on who sits
        where, and no two ways to divide a number are equally good.
        """
        shapes = sorted(_sums(entrants, (1, *self._plan.sizes)), key=self._shape)
        assert len(shapes) == 1 or self._shape(shapes[0]) < self._shape(shapes[1])
        return shapes[0]

    def _shape(self, sizes: tuple[int, ...]) -> tuple[int, int, int, int]:
        real = [size for size in sizes if size > 1]
        off = [size - self._plan.seats for size in real if size != self._plan.seats]
        bent = sum(seats**2 for seats in off)
        return len(sizes) - len(real), len(off), bent, -min(real, default=7)


def _sums(total: int, sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to make a number of these, ascending."""
    if total == 0:
        yield ()
    for at, size in enumerate(sizes):
        if size <= total:
            for rest in _sums(total - size, sizes[at:]):
                yield (size, *rest)


def partitions(ends: tuple[Entrant, ...], sizes: tuple[int, ...]) -> Iterator[Seating]:
    """Every way for these to sit at tables of these sizes, once."""
    if not ends:
        yield ()
        return
    first, *others = ends
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for company in combinations(others, size - 1):
            rest = tuple(end for end in others if end not in company)
            for tables in partitions(rest, tuple(left)):
                yield ((first, *company), *tables)


def made_by_system(drawn: Drawn, ask: Ask) -> Seating:
    """What a system made of those whom it could seat freely, in one order."""
    tables = [tuple(sorted(table)) for table in drawn.tables if table not in ask.by_hand]
    return tuple(sorted([*tables, *((bye.entrant,) for bye in drawn.byes)]))
