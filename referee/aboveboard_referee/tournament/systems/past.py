"""What pairing systems ask of a history: who is in it from when, who is left, who sat where."""

from collections.abc import Collection, Sequence

from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.draw import tie_hash
from aboveboard_referee.tournament.history import (
    LATE_BYE,
    Ask,
    Entrant,
    History,
    Round,
    check_history,
    scores,
)
from aboveboard_referee.tournament.systems.plan import Plan

Pair = tuple[Entrant, Entrant]


def check_asked(history: History) -> None:
    """Refuse a history that no round can be drawn after. Raises ValueError naming the round."""
    check_history(history)
    for drawn in history.rounds:
        for table in drawn.tables:
            if not table.decided:
                raise ValueError(f"round {drawn.number}: {table.name} is not decided")


def wrong_pairs(plan: Plan) -> str | None:
    """What in a plan no system of two-seat tables can follow, in a few words; or ``None``."""
    if plan.seats != 2 or 2 not in plan.sizes:
        return f"tables of {plan.seats}"
    if plan.rounds < 0:
        return f"{counted(plan.rounds, 'round')}"
    if not 0 <= plan.bye <= plan.point:
        return f"a bye of {plan.bye} units where a point has {plan.point}"
    return None


def capped(plan: Plan, rounds: int) -> int:
    """So many rounds, or the plan's where it allows no more than fewer."""
    return min(plan.rounds, rounds) if plan.rounds else rounds


def field_of(plan: Plan, history: History) -> tuple[Entrant, ...]:
    """Who takes part from the start, the first seed first. It never changes later."""
    if plan.field:
        return plan.field
    late = set(latecomers(history))
    return tuple(entrant for entrant in history.order if entrant not in late)


def latecomers(history: History) -> tuple[Entrant, ...]:
    """Who came after the first round, in the order in which they came."""
    first = history.rounds[0].byes if history.rounds else ()
    return tuple(sorted(bye.entrant for bye in first if bye.kind == LATE_BYE))


def named(drawn: Round) -> set[Entrant]:
    """Who had a place or a bye in a round. Everybody else had left, or was not needed."""
    places = {entrant for table in drawn.tables for entrant in table.entrants}
    return places | {bye.entrant for bye in drawn.byes if bye.kind != LATE_BYE}


def remaining(plan: Plan, history: History, ask: Ask) -> set[Entrant]:
    """Who is there, or was in the round before and may be away for a round only.

    Where these are one or none, a field has shrunk to nothing. Who is away for good is
    named nowhere in the next round, and so is not among them a round later.
    """
    before = named(history.rounds[-1]) if history.rounds else set(field_of(plan, history))
    return before | set(ask.present)


def first_seats(history: History) -> list[int]:
    """By entrant: matches in the first seat of a pairing minus matches in the second."""
    balance = [0] * history.entrants
    for drawn in history.rounds:
        for table in drawn.tables:
            for seating in table.seatings or (table.entrants,):
                balance[seating[0]] += 1
                balance[seating[1]] -= 1
    return balance


def by_seat(a: Entrant, b: Entrant, balance: Sequence[int], seed: bytes) -> Pair:
    """The two by seat: first is who has had the first seat less often, net of the second.

    If that is equal, it is the lower index where the last bit of the pair's tie hash is 0,
    else the higher.
    """
    if balance[a] != balance[b]:
        return (a, b) if balance[a] < balance[b] else (b, a)
    lower, higher = min(a, b), max(a, b)
    return (higher, lower) if tie_hash(seed, a, b)[-1] & 1 else (lower, higher)


def leaders_first(
    tables: Collection[tuple[Entrant, ...]], history: History
) -> tuple[tuple[Entrant, ...], ...]:
    """Tables in the order of their numbers: higher scores first, then the initial order."""
    units = scores(history)
    place = {entrant: i for i, entrant in enumerate(history.order)}

    def standing(ends: tuple[Entrant, ...]) -> tuple[list[int], int]:
        return sorted(-units[entrant] for entrant in ends), min(place[entrant] for entrant in ends)

    return tuple(sorted(tables, key=standing))
