"""A fixed schedule in which everybody meets everybody, as far as those present can keep it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.history import (
    PAIRING_BYE,
    Ask,
    Bye,
    Entrant,
    History,
)
from aboveboard_referee.tournament.systems.berger import pairs_of, turn_of, turns
from aboveboard_referee.tournament.systems.past import Pair, field_of, latecomers
from aboveboard_referee.tournament.systems.plan import Plan

Slots = tuple[Entrant | None, ...]
"""Who has which number of a Berger table; an even number of them, None where nobody has it."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a schedule's round: its pairs by seat, and whom it leaves without."""

    pairs: tuple[Pair, ...]
    idle: tuple[Entrant, ...]


def slots_of(field: Sequence[Entrant], late: Sequence[Entrant] = ()) -> Slots:
    """The field by number. If it is odd, the first of ``late`` has the number left over."""
    if len(field) % 2 == 0:
        return tuple(field)
    return (*field, late[0] if late else None)


def all_slots(plan: Plan, history: History) -> Slots:
    """The numbers of everybody whom one schedule for the whole tournament can hold."""
    return slots_of(field_of(plan, history), latecomers(history))


def length(entrants: int, legs: int = 1) -> int:
    """How many rounds so many entrants need to meet each other so often."""
    return 0 if entrants < 2 else legs * turns(entrants + entrants % 2)


def pairs_in(slots: Slots, number: int) -> list[Pair]:
    """The schedule's pairs of a round (from 1) by seat; in each second leg seats exchange."""
    leg, turn = divmod(number - 1, turns(len(slots)))
    pairs = []
    for i, j in pairs_of(len(slots), turn):
        first, second = slots[i], slots[j]
        if first is not None and second is not None:
            pairs.append((second, first) if leg % 2 else (first, second))
    return pairs


def free_in(ask: Ask) -> frozenset[Entrant]:
    """Who is there and at no table made by hand."""
    return frozenset(ask.present).difference(*ask.by_hand)


def keep(slots: Slots, number: int, met: Counter[Pair], free: frozenset[Entrant]) -> Kept:
    """The round's pairs whose ends are both free, and who of ``slots`` is left over.

    A pair that has met as often already as the schedule wants by this round, by hand then,
    does not meet again.
    """
    pairs = tuple(
        (a, b)
        for a, b in pairs_in(slots, number)
        if a in free and b in free and _is_due(slots, met, a, b, number)
    )
    paired = {entrant for ends in pairs for entrant in ends}
    idle = (e for e in slots if e is not None and e in free and e not in paired)
    return Kept(pairs, tuple(idle))


def _is_due(slots: Slots, met: Counter[Pair], a: Entrant, b: Entrant, number: int) -> bool:
    leg, turn = divmod(number - 1, turns(len(slots)))
    due = leg + (turn_of(len(slots), slots.index(a), slots.index(b)) <= turn)
    return met[min(a, b), max(a, b)] < due


def idle_byes(plan: Plan, kept: Kept) -> tuple[Bye, ...]:
    """A pairing bye for everybody whom the schedule's round leaves without an opponent."""
    return tuple(Bye(entrant, PAIRING_BYE, plan.bye) for entrant in kept.idle)
