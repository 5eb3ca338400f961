"""Tournaments that happened by chance, with everything that can happen to an entrant."""

from random import Random

from aboveboard_referee.tournament.history import (
    ABSENT_BYE,
    LATE_BYE,
    PAIRING_BYE,
    REQUESTED_BYE,
    Bye,
    Entrant,
    History,
    Round,
    Table,
    check_history,
    place_units,
    scores,
)


def seed_of(number: int) -> bytes:
    """32 bytes that differ from those of every other number."""
    return number.to_bytes(32, "big")


def random_history(
    chance: Random,
    entrants: int,
    rounds: int,
    *,
    seats: int = 2,
    point: int | None = None,
    byes: float = 0.1,
    forfeits: float = 0.1,
    withdrawals: float = 0.03,
    late: float = 0.0,
    draws: float = 0.2,
    by_score: bool = False,
) -> tuple[History, tuple[Entrant, ...]]:
    """Rounds that are all decided, and who could play the next one, by initial rank.

    ``byes`` is how likely an entrant is to sit a round out, by its wish or absence,
    ``forfeits`` how likely a table has no-shows, ``withdrawals`` how likely an entrant leaves
    before a round for good, ``late`` how likely it comes only after round 1, and ``draws`` how
    likely a table's points are shared. ``point`` is 2 for two seats and 120 for more unless
    told. ``by_score`` pairs neighbours in the standings who have not met, as far as that is
    easy; otherwise chance alone pairs. Two entrants at least stay, if there are so many.
    """
    point = (2 if seats == 2 else 120) if point is None else point
    order = list(range(entrants))
    chance.shuffle(order)
    comes = {e: chance.randint(2, max(rounds, 2)) if chance.random() < late else 1 for e in order}
    gone: set[Entrant] = set()
    history = History(entrants, point, tuple(order))
    for number in range(1, rounds + 1):
        _leave(chance, order, gone, withdrawals)
        present: list[Entrant] = []
        out: list[Bye] = []
        for entrant in order:
            if entrant in gone:
                continue
            if comes[entrant] > number:
                out.append(Bye(entrant, LATE_BYE, chance.choice((0, point // 2))))
            elif chance.random() < byes:
                kind = chance.choice((REQUESTED_BYE, REQUESTED_BYE, ABSENT_BYE))
                units = 0 if kind == ABSENT_BYE else chance.choice((0, point // 2, point))
                out.append(Bye(entrant, kind, units))
            else:
                present.append(entrant)
        tables, left = _tables(chance, history, present, seats, by_score)
        out += [Bye(entrant, PAIRING_BYE, point) for entrant in left]
        decided = tuple(
            _decided(chance, f"r{number}.{i}", ends, point, forfeits, draws)
            for i, ends in enumerate(tables, 1)
        )
        drawn = Round(number, decided, tuple(out))
        history = History(entrants, point, tuple(order), (*history.rounds, drawn))
    _leave(chance, order, gone, withdrawals)
    check_history(history)
    return history, tuple(e for e in order if e not in gone and comes[e] <= rounds + 1)


def _leave(chance: Random, order: list[Entrant], gone: set[Entrant], withdrawals: float) -> None:
    for entrant in order:
        if chance.random() < withdrawals and len(order) - len(gone) > 2:
            gone.add(entrant)


def _tables(
    chance: Random, history: History, present: list[Entrant], seats: int, by_score: bool
) -> tuple[list[tuple[Entrant, ...]], list[Entrant]]:
    """Who sits with whom, and who is left over."""
    waiting = list(present)
    chance.shuffle(waiting)
    if by_score:
        total = scores(history)
        waiting.sort(key=lambda entrant: -total[entrant])
    met = {
        frozenset((a, b))
        for drawn in history.rounds
        for table in drawn.tables
        for a in table.entrants
        for b in table.entrants
        if a != b
    }
    tables: list[tuple[Entrant, ...]] = []
    while len(waiting) >= 2:
        if seats > 2 and len(waiting) < seats:
            tables.append(tuple(waiting))
            return tables, []
        ends = [waiting.pop(0)]
        while len(ends) < seats:
            near = range(min(len(waiting), 12 if by_score else 1))
            fresh = (
                i for i in near if all(frozenset((waiting[i], end)) not in met for end in ends)
            )
            ends.append(waiting.pop(next(fresh, 0)))
        chance.shuffle(ends)
        tables.append(tuple(ends))
    return tables, waiting


def _decided(
    chance: Random,
    name: str,
    ends: tuple[Entrant, ...],
    point: int,
    forfeits: float,
    draws: float,
) -> Table:
    """A table with its result. Who forfeits has nothing; whoever else came has the best place."""
    absent: frozenset[Entrant] = frozenset()
    if chance.random() < forfeits:
        absent = frozenset(e for e in ends if chance.random() < 0.4) or frozenset(ends[:1])
    if len(ends) == 2:
        units = _two(chance, ends, point, absent, draws)
    else:
        ranks = [chance.randint(1, len(ends)) for _ in ends]
        ranks = [len(ends) + 1 if e in absent else r for e, r in zip(ends, ranks, strict=True)]
        ranks = [1 + sum(other < rank for other in ranks) for rank in ranks]
        gained = place_units(ranks, [(seat,) for seat in range(len(ends))])
        units = tuple(
            0 if e in absent else u * point // 120 for e, u in zip(ends, gained, strict=True)
        )
    wins = tuple(int(u == max(units) and u > 0 and units.count(u) == 1) for u in units)
    return Table(name, ends, units, wins, absent, (ends,))


def _two(
    chance: Random,
    ends: tuple[Entrant, ...],
    point: int,
    absent: frozenset[Entrant],
    draws: float,
) -> tuple[int, ...]:
    if absent:
        return tuple(0 if e in absent else point for e in ends)
    if chance.random() < draws:
        return (point // 2, point - point // 2)
    if point > 2:  # a pairing of several matches gives anything
        first = chance.randint(0, point)
        return (first, point - first)
    return chance.choice(((point, 0), (0, point)))
