"""What one round of four-seat tables takes, once four rounds of the system were played."""

import time
from random import Random

from aboveboard_referee.tournament.history import (
    TABLE_POINT,
    Ask,
    Entrant,
    History,
    Round,
    Table,
    place_units,
)
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.tables.measures import Measures, measure
from aboveboard_referee.tournament.tables.past import look_back
from aboveboard_referee.tournament.tables.system import Tables

PLAN = Plan("swiss-tables", rounds=9, seats=4, sizes=(3, 4), point=TABLE_POINT, bye=TABLE_POINT)
ROUNDS_BEFORE = 4
RUNS = 3
MANY = 5_000  # entrants from which one run is enough


def seconds(entrants: int) -> tuple[float, Measures]:
    """The least time of drawing round 5 from its history, and the measures of that round."""
    chance = Random(entrants)
    history = History(entrants, TABLE_POINT, tuple(range(entrants)))
    for _ in range(ROUNDS_BEFORE):
        history = _one_more(chance, history)
    ask = _ask(chance, history)
    times = []
    for _ in range(1 if entrants >= MANY else RUNS):
        started = time.perf_counter()
        drawn = Tables().draw(PLAN, history, ask)
        times.append(time.perf_counter() - started)
    assert drawn is not None
    return min(times), measure(PLAN.seats, look_back(history), ask, drawn)


def _ask(chance: Random, history: History) -> Ask:
    return Ask(len(history.rounds) + 1, history.order, chance.randbytes(32))


def _one_more(chance: Random, history: History) -> History:
    """The history with one round more: a lower entrant is better, and chance as strong as that."""
    drawn = Tables().draw(PLAN, history, _ask(chance, history))
    assert drawn is not None
    number = len(history.rounds) + 1
    tables = tuple(
        _played(chance, f"r{number}.{i}", seated, history.entrants)
        for i, seated in enumerate(drawn.tables, start=1)
    )
    played = Round(number, tables, drawn.byes)
    return History(history.entrants, history.point, history.order, (*history.rounds, played))


def _played(chance: Random, name: str, seated: tuple[Entrant, ...], entrants: int) -> Table:
    luck = {entrant: entrant / entrants + chance.random() for entrant in seated}
    best = sorted(seated, key=luck.__getitem__)
    ranks = [1 + best.index(entrant) for entrant in seated]
    units = place_units(ranks, [(seat,) for seat in range(len(seated))])
    return Table(name, seated, units, seatings=(seated,))


if __name__ == "__main__":
    for field in (100, 1_000, 10_000):
        print(field, *seconds(field))
