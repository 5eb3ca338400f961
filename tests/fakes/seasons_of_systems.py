"""Whole tournaments of any pairing system: chance results, entrants who leave and come."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from aboveboard_referee.tournament.history import (
    ABSENT_BYE,
    LATE_BYE,
    REQUESTED_BYE,
    Ask,
    Bye,
    Drawn,
    Entrant,
    History,
    Round,
    Table,
    check_history,
)
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.system import System


@dataclass(frozen=True)
class Life:
    """How likely each of these is, a round and entrant, or a round and table."""

    leaves: float = 0.0
    returns: float = 0.0
    away: float = 0.0  # for one round, with a bye
    comes: float = 0.0  # a new entrant, a round
    no_show: float = 0.0  # an entrant of a table never appears
    tie: float = 0.2
    certain: bool = False  # the lower index wins instead of being the likelier winner
    by_hand: float = 0.0  # two who are present are paired by hand, a round


CALM = Life()
WILD = Life(leaves=0.08, returns=0.2, away=0.1, comes=0.3, no_show=0.08, by_hand=0.2)


@dataclass
class Played:
    """A tournament as it went: what each round was drawn from, and how."""

    plan: Plan
    history: History
    asked: list[tuple[History, Ask, Drawn | None]] = field(default_factory=list)
    left: set[Entrant] = field(default_factory=set)


def play(
    system: System,
    plan: Plan,
    entrants: int,
    chance: Random,
    life: Life = CALM,
    most_rounds: int = 300,
) -> Played:
    """Play until the system says that it is over, or for ``most_rounds``."""
    order = list(range(entrants))
    chance.shuffle(order)
    going = Played(plan, History(entrants, plan.point, tuple(order)))
    while len(going.history.rounds) < most_rounds:
        asked = _next_ask(going, chance, life)
        drawn = system.draw(plan, going.history, asked)
        going.asked.append((going.history, asked, drawn))
        if drawn is None:
            return going
        rounds = (*going.history.rounds, _result(going, asked, drawn, chance, life))
        going.history = replace(going.history, rounds=rounds)
        check_history(going.history)
    return going


def _next_ask(going: Played, chance: Random, life: Life) -> Ask:
    number = len(going.history.rounds) + 1
    for entrant in range(going.history.entrants):
        if entrant in going.left:
            if chance.random() < life.returns:
                going.left.discard(entrant)
        elif chance.random() < life.leaves:
            going.left.add(entrant)
    if number > 1 and chance.random() < life.comes:
        going.history = _with_latecomer(going.history, chance)
    present = tuple(
        entrant
        for entrant in going.history.order
        if entrant not in going.left and chance.random() >= life.away
    )
    by_hand: tuple[tuple[Entrant, ...], ...] = ()
    if len(present) >= 2 and chance.random() < life.by_hand:
        by_hand = (tuple(chance.sample(present, 2)),)
    return Ask(number, present, chance.randbytes(32), by_hand)


def _with_latecomer(history: History, chance: Random) -> History:
    """One entrant more, anywhere in the initial order, with a late bye in each round so far."""
    order = list(history.order)
    order.insert(chance.randrange(len(order) + 1), history.entrants)
    late = Bye(history.entrants, LATE_BYE, 0)
    rounds = tuple(replace(drawn, byes=(*drawn.byes, late)) for drawn in history.rounds)
    return History(history.entrants + 1, history.point, tuple(order), rounds)


def _result(going: Played, asked: Ask, drawn: Drawn, chance: Random, life: Life) -> Round:
    tables = tuple(
        _decided(f"r{asked.number}-b{i}", ends, ends in asked.by_hand, going, chance, life)
        for i, ends in enumerate(drawn.tables, start=1)
    )
    away = tuple(
        Bye(entrant, chance.choice((ABSENT_BYE, REQUESTED_BYE)), 0)
        for entrant in going.history.order
        if entrant not in asked.present and entrant not in going.left
    )
    return Round(asked.number, tables, drawn.byes + away)


def _decided(
    name: str,
    ends: tuple[Entrant, ...],
    by_hand: bool,
    going: Played,
    chance: Random,
    life: Life,
) -> Table:
    point = going.plan.point
    missing = frozenset(entrant for entrant in ends if chance.random() < life.no_show)
    if missing:
        units = tuple(0 if entrant in missing else point for entrant in ends)
    elif chance.random() < life.tie:
        units = tuple(point // 2 for _ in ends)
    else:
        # The lower the index, the stronger: the odds are those of 2 to 1 and more.
        strength = [1 / (1 + entrant) for entrant in ends]
        best = chance.choices(range(len(ends)), strength)[0]
        best = ends.index(min(ends)) if life.certain else best
        units = tuple(point if i == best else 0 for i in range(len(ends)))
    return Table(
        name,
        ends,
        units,
        wins=tuple(int(won == point) for won in units),
        forfeits=missing,
        seatings=(ends,),
        by_hand=by_hand,
    )


def tables_of(history: History) -> Iterator[tuple[int, Table]]:
    """Every table with the number of its round."""
    for drawn in history.rounds:
        for table in drawn.tables:
            yield drawn.number, table
