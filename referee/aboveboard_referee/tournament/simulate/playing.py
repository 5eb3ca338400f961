"""One tournament of made-up entrants, from the first draw to the table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.history import (
    TABLE_POINT,
    Ask,
    Entrant,
    History,
    Round,
    Table,
)
from aboveboard_referee.tournament.simulate.stream import Stream
from aboveboard_referee.tournament.simulate.strengths import Model, pair_units, table_units
from aboveboard_referee.tournament.standings.table import table
from aboveboard_referee.tournament.standings.tie_breaks import DEFAULT_TIE_BREAKS, TABLE_DEFAULT
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.system import System

MOST_ROUNDS = 10_000
"""Where a system that would go on for ever is stopped."""

RANDOM, BY_STRENGTH = "random", "strength"
SEEDINGS = (RANDOM, BY_STRENGTH)
"""By lot, or the strongest first, as if all were known beforehand."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A form of tournament to be tried: a system, its plan, and matches a table.

    ``plan.point`` is what they are worth together: two units each, or 120 at larger tables.
    With ``deciders`` a pairing goes to whoever has more half points, for two units, and a tie
    is followed by as many more matches, one by one, until there is none.
    """

    system: System
    plan: Plan
    matches: int = 1
    deciders: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """A tournament that is over. ``ranks`` are by entrant, from 1, equal for who share one."""

    history: History
    ranks: tuple[int, ...]

    @property
    def matches(self) -> int:
        """How many matches were played in all."""
        return sum(len(each.seatings) for drawn in self.history.rounds for each in drawn.tables)


def play(
    setting: Setting,
    ratings: Sequence[int],
    model: Model,
    seeding: str,
    seed: bytes,
    number: int,
) -> Played:
    """The ``number``-th tournament of a seed; the same arguments give the same, always.

    The initial order depends on seed, number and seeding alone, so that every form of
    tournament has the same fields to deal with.
    """
    lot = Stream(seed, f"order {number}")
    order = list(range(len(ratings)))
    lot.shuffle(order)
    if seeding == BY_STRENGTH:
        order.sort(key=lambda entrant: -ratings[entrant])
    system, plan = setting.system, setting.plan
    stream = Stream(seed, f"{system.name} {plan.rounds} {plan.seats} {setting.matches} {number}")
    history = History(len(ratings), plan.point, tuple(order))
    while len(history.rounds) < MOST_ROUNDS:
        ask = Ask(len(history.rounds) + 1, history.order, stream.take(32))
        drawn = system.draw(plan, history, ask)
        if drawn is None:
            break
        tables = tuple(
            _played(setting, f"b{board}", entrants, ratings, model, stream)
            for board, entrants in enumerate(drawn.tables, 1)
        )
        rounds = (*history.rounds, Round(ask.number, tables, drawn.byes))
        history = History(history.entrants, history.point, history.order, rounds)
    tie_breaks = DEFAULT_TIE_BREAKS if plan.seats == 2 else TABLE_DEFAULT
    ranks = [0] * len(ratings)
    for row in table(history, tie_breaks, system.levels(plan, history)):
        ranks[row.entrant] = row.rank
    return Played(history, tuple(ranks))


def _played(
    setting: Setting,
    name: str,
    entrants: tuple[Entrant, ...],
    ratings: Sequence[int],
    model: Model,
    stream: Stream,
) -> Table:
    """A table with its matches, of which each begins one seat on from the one before."""
    units = dict.fromkeys(entrants, 0)
    wins = dict.fromkeys(entrants, 0)
    seatings: list[tuple[Entrant, ...]] = []

    def play_one() -> None:
        turn = len(seatings) % len(entrants)
        seats = entrants[turn:] + entrants[:turn]
        gained, most = _one(setting, [ratings[entrant] for entrant in seats], model, stream)
        for entrant, own in zip(seats, gained, strict=True):
            units[entrant] += own
            wins[entrant] += own == most
        seatings.append(seats)

    for _ in range(setting.matches):
        play_one()
    if setting.deciders and len(entrants) == 2:
        while len(seatings) < setting.matches + setting.deciders and _level(units):
            play_one()
        best = max(units.values())
        level = _level(units)
        for entrant, own in units.items():
            units[entrant] = 1 if level else 2 if own == best else 0
    return Table(
        name,
        entrants,
        tuple(units[entrant] for entrant in entrants),
        tuple(wins[entrant] for entrant in entrants),
        seatings=tuple(seatings),
    )


def _one(
    setting: Setting, strengths: Sequence[int], model: Model, stream: Stream
) -> tuple[tuple[int, ...], int]:
    """What one match gives, by seat, and what a win of it does."""
    if len(strengths) > 2:
        return table_units(stream, strengths), TABLE_POINT
    half_points = pair_units(stream, model, strengths)
    if setting.plan.seats == 2:
        return half_points, 2
    # A pairing that larger tables have left over counts in their units.
    return tuple(half * TABLE_POINT // 2 for half in half_points), TABLE_POINT


def _level(units: Mapping[Entrant, int]) -> bool:
    return len(set(units.values())) == 1
