"""``python -m tests.bench.pairing_bench``: the seconds that one round's pairing takes.

Round 5 of tournaments whose first four rounds the system itself paired and chance won and
lost; from the history to the round drawn, everything included. Seconds are the process's own
on all cores, so that a busy machine makes no difference. gacrux, another Swiss program,
pairs the same histories in the same run (its time is without reading its file), so that the
ratios hold on any machine. Beside the times stand the measures of the rounds: faster must not
mean worse.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from aboveboard_referee.tournament.history import Ask, Bye, Drawn, History, Round, Table
from aboveboard_referee.tournament.swiss.field import field_of
from aboveboard_referee.tournament.swiss.measures import Measures, measures
from aboveboard_referee.tournament.swiss.solving import solve
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.swiss import SwissOfAnySize
from tests.bench import tables_bench
from tests.fakes.gacrux_files import GacruxRound
from tests.fakes.histories import seed_of

ROUND = 5
PLAN = Plan("swiss", rounds=ROUND)
SIZES = (100, 1_000, 10_000, 50_000)
QUICK_SIZES = (100, 1_000, 10_000)
GACRUX_SIZES = (100, 1_000)

FOUR_SEAT_SIZES = (1_000, 10_000)

FASTER_THAN_GACRUX = 60
"""The least that is to be reached at 1,000 entrants."""

GROWTH = {10_000: (1_000, 25), 50_000: (10_000, 8)}
"""How many times the seconds of the lesser size may be taken."""

SLOWER_THAN_TWO_SEATS = 10
"""How many times the seconds of two seats tables of four may take at 1,000 entrants."""


class Timed(NamedTuple):
    """One round: the least seconds of a few tries, and how good it is."""

    seconds: float
    measures: Measures
    proven: bool


def played(entrants: int, rounds: int) -> History:
    """A tournament after so many rounds; one match in ten is drawn, the stronger wins more."""
    chance = Random(entrants)
    strength = [chance.gauss(0, 1) for _ in range(entrants)]
    order = list(range(entrants))
    chance.shuffle(order)
    history = History(entrants, PLAN.point, tuple(order))
    for number in range(1, rounds + 1):
        drawn = SwissOfAnySize().draw(PLAN, history, ask_of(history))
        assert drawn is not None
        tables = []
        for i, ends in enumerate(drawn.tables, 1):
            ahead = strength[ends[0]] + chance.gauss(0, 1) > strength[ends[1]]
            units = (1, 1) if chance.random() < 0.1 else (2, 0) if ahead else (0, 2)
            tables.append(Table(f"r{number}.{i}", ends, units, seatings=(ends,)))
        played_round = Round(number, tuple(tables), drawn.byes)
        history = History(entrants, PLAN.point, tuple(order), (*history.rounds, played_round))
    return history


def ask_of(history: History) -> Ask:
    """Who plays the next round: everybody."""
    number = len(history.rounds) + 1
    return Ask(number, history.order, seed_of(number))


def least_seconds(work: Callable[[], object], tries: int) -> float:
    """The least of a few tries: what the machine does besides only adds to it."""
    taken = []
    for _ in range(tries):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def ours(history: History, tries: int) -> Timed:
    """One round of the product's."""
    ask = ask_of(history)
    seconds = least_seconds(lambda: SwissOfAnySize().draw(PLAN, history, ask), tries)
    drawn = SwissOfAnySize().draw(PLAN, history, ask)
    solution = solve(field_of(PLAN, history, ask))
    assert drawn is not None
    assert solution is not None
    return Timed(seconds, measures(PLAN, history, ask, drawn), solution.proven)


def gacruxs(history: History, tries: int) -> Timed | None:
    """The same round by gacrux."""
    ask = ask_of(history)
    work = GacruxRound(history, ask)
    seconds = least_seconds(work.pair, tries)
    found = work.pair()
    if found is None:
        return None
    pairs, bye = found
    byes = () if bye is None else (Bye(bye, "pairing", PLAN.bye),)
    return Timed(seconds, measures(PLAN, history, ask, Drawn(tuple(pairs), byes)), proven=False)


def line(who: str, size: int, timed: Timed) -> str:
    values = " ".join(f"{name} {value}" for name, value in timed.measures._asdict().items())
    proof = ", proven best" if timed.proven else ""
    return f"{who:>10} {size:>7,} {timed.seconds:9.3f} s   {values}{proof}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="without 50,000 entrants")
    quick = parser.parse_args(arguments).quick
    print(f"one round at round {ROUND}, two seats")
    seconds = {}
    for size in QUICK_SIZES if quick else SIZES:
        history = played(size, ROUND - 1)
        timed = ours(history, tries=5 if size <= 1_000 else 2)
        seconds[size] = timed.seconds
        print(line("aboveboard", size, timed), flush=True)
        if size in GACRUX_SIZES:
            theirs = gacruxs(history, tries=1 if quick else 2)
            if theirs is not None:
                print(line("gacrux", size, theirs), flush=True)
                ratio = theirs.seconds / timed.seconds
                goal = f", to be {FASTER_THAN_GACRUX} at least" if size == 1_000 else ""
                print(f"{'':>10} {ratio:.0f} times as fast as gacrux{goal}")
        if size in GROWTH:
            before, most = GROWTH[size]
            ratio = timed.seconds / seconds[before]
            print(f"{'':>10} {ratio:.1f} times the seconds of {before:,}, to be {most} at most")
    print(f"one round at round {ROUND}, tables of four seats (by the clock)")
    for size in FOUR_SEAT_SIZES:
        taken, values = tables_bench.seconds(size)
        told = " ".join(f"{name} {value}" for name, value in values._asdict().items())
        print(f"{'tables':>10} {size:>7,} {taken:9.3f} s   {told}", flush=True)
        if size == 1_000:
            ratio = taken / seconds[size]
            goal = f"to be {SLOWER_THAN_TWO_SEATS} at most"
            print(f"{'':>10} {ratio:.1f} times the seconds of two seats, {goal}")


if __name__ == "__main__":
    main()
