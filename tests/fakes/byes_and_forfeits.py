"""Histories of chance that hold every kind of bye and forfeit."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from aboveboard_referee.tournament.history import (
    ABSENT_BYE,
    LATE_BYE,
    PAIRING_BYE,
    REQUESTED_BYE,
    TABLE_POINT,
    Bye,
    Entrant,
    History,
    Round,
    Table,
    place_units,
)


def history_of_chance(
    chance: Random, entrants: int, rounds: int, matches: int = 1, trouble: float = 0.15
) -> History:
    """Two seats, paired by chance, so that some meet again.

    ``trouble`` is how likely it is for an entrant to sit a round out, and for a pairing to be
    forfeited. Some come late, and some leave for good, so that later rounds do not name them.
    """
    come = [chance.choice((2, 3)) if chance.random() < trouble / 2 else 1 for _ in range(entrants)]
    gone = [
        chance.randint(2, rounds) if chance.random() < trouble else rounds + 1
        for _ in range(entrants)
    ]
    order = list(range(entrants))
    chance.shuffle(order)
    return History(
        entrants=entrants,
        point=2 * matches,
        order=tuple(order),
        rounds=tuple(
            _round(chance, number, come, gone, matches, trouble) for number in range(1, rounds + 1)
        ),
    )


def _round(
    chance: Random,
    number: int,
    come: Sequence[int],
    gone: Sequence[int],
    matches: int,
    trouble: float,
) -> Round:
    point = 2 * matches
    byes = []
    present = []
    for entrant in range(len(come)):
        if number >= gone[entrant]:
            continue
        if number < come[entrant]:
            byes.append(Bye(entrant, LATE_BYE, chance.choice((0, point // 2))))
        elif chance.random() < trouble:
            byes.append(
                chance.choice(
                    (
                        Bye(entrant, REQUESTED_BYE, 0),
                        Bye(entrant, REQUESTED_BYE, point // 2),
                        Bye(entrant, REQUESTED_BYE, point),
                        Bye(entrant, ABSENT_BYE, 0),
                    )
                )
            )
        else:
            present.append(entrant)
    chance.shuffle(present)
    if len(present) % 2:
        byes.append(Bye(present.pop(), PAIRING_BYE, point))
    pairs = zip(present[::2], present[1::2], strict=True)
    tables = tuple(
        _pairing(chance, f"r{number}-t{i}", ends, matches, trouble) for i, ends in enumerate(pairs)
    )
    return Round(number, tables, tuple(byes))


def _pairing(
    chance: Random, name: str, ends: tuple[Entrant, Entrant], matches: int, trouble: float
) -> Table:
    seatings = tuple(ends[::-1] if i % 2 else ends for i in range(matches))
    if chance.random() < trouble:
        missing = chance.choice((ends[:1], ends[1:], ends))
        units = tuple(0 if one in missing else 2 * matches for one in ends)
        wins = tuple(0 if one in missing else matches for one in ends)
        if len(missing) == 2:
            units, wins = (0, 0), (0, 0)
        return Table(name, ends, units, wins, frozenset(missing), seatings)
    results = [chance.choice(((2, 0), (0, 2), (1, 1))) for _ in range(matches)]
    units = (sum(a for a, _ in results), sum(b for _, b in results))
    wins = (results.count((2, 0)), results.count((0, 2)))
    return Table(name, ends, units, wins, frozenset(), seatings)


def tables_of_chance(chance: Random, entrants: int, rounds: int, seats: int) -> History:
    """Tables of up to so many seats, at some of which somebody does not appear."""
    drawn = []
    for number in range(1, rounds + 1):
        left = list(range(entrants))
        chance.shuffle(left)
        tables = []
        while len(left) >= 2:
            size = min(seats, len(left)) if len(left) != seats + 1 else max(2, seats - 1)
            ends, left = tuple(left[:size]), left[size:]
            ranks = [chance.randint(1, size) for _ in ends]
            units = place_units(ranks, [(i,) for i in range(size)])
            wins = tuple(int(rank == min(ranks)) for rank in ranks)
            missing = frozenset(one for one in ends if chance.random() < 0.05)
            if missing:
                units = tuple(
                    0 if one in missing else own for one, own in zip(ends, units, strict=True)
                )
            tables.append(Table(f"r{number}-t{len(tables)}", ends, units, wins, missing, (ends,)))
        byes = tuple(Bye(one, REQUESTED_BYE, TABLE_POINT // 2) for one in left)
        drawn.append(Round(number, tuple(tables), byes))
    return History(entrants, TABLE_POINT, tuple(range(entrants)), tuple(drawn))


def relabelled(history: History, label: Sequence[Entrant]) -> History:
    """The same history where entrant ``i`` is called ``label[i]``."""
    return replace(
        history,
        order=tuple(label[one] for one in history.order),
        rounds=tuple(
            replace(
                drawn,
                tables=tuple(
                    replace(
                        table,
                        entrants=tuple(label[one] for one in table.entrants),
                        forfeits=frozenset(label[one] for one in table.forfeits),
                        seatings=tuple(
                            tuple(label[one] for one in seating) for seating in table.seatings
                        ),
                    )
                    for table in drawn.tables
                ),
                byes=tuple(replace(bye, entrant=label[bye.entrant]) for bye in drawn.byes),
            )
            for drawn in history.rounds
        ),
    )
