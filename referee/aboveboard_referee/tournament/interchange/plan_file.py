"""The organiser's plan of a tournament, as every format has it: named values, and entrants.

A file need not have one. Without it, a plan is made of what the rounds look like; with it
the next round and the table are those that the tournament itself would have.
"""

from collections.abc import Mapping
from itertools import pairwise

from aboveboard_referee.tournament.history import MOST_SEATS, Entrant, check_places
from aboveboard_referee.tournament.systems.plan import Plan

MOST_DIVISIONS = 1_000
MOST_TIMES = 1_000
"""The greatest number of legs, accelerated rounds and rungs; systems have limits of their own."""

NUMBERS = ("seats", "bye", "legs", "accelerated", "reach")
VALUES = (*NUMBERS, "sizes", "final_reset")
"""What a plan has besides divisions and who takes part from the start.

``sizes`` is a list of numbers and ``final_reset`` a truth value.
"""


def values_of(plan: Plan) -> dict[str, object]:
    """The values of a plan by their names, in the order of ``VALUES``."""
    numbers = {name: getattr(plan, name) for name in NUMBERS}
    return {**numbers, "sizes": list(plan.sizes), "final_reset": plan.final_reset}


def plan_with(
    system: str,
    rounds: int,
    point: int,
    numbers: Mapping[str, int],
    sizes: tuple[int, ...],
    final_reset: bool,
    divisions: tuple[int, ...],
    field: tuple[Entrant, ...],
    assigned: tuple[tuple[Entrant, ...], ...],
) -> Plan:
    """A plan as it was read. ``numbers`` has each of ``NUMBERS``."""
    return Plan(
        system=system,
        rounds=rounds,
        seats=numbers["seats"],
        sizes=sizes,
        point=point,
        bye=numbers["bye"],
        legs=numbers["legs"],
        accelerated=numbers["accelerated"],
        divisions=divisions,
        final_reset=final_reset,
        field=field,
        # Where nobody is named, the order fills divisions.
        assigned=assigned if any(assigned) else (),
        reach=numbers["reach"],
    )


def check_plan(plan: Plan, entrants: int) -> None:
    """Refuse what no file may hold. Raises ValueError saying what, in one line."""
    sizes = plan.sizes
    if not sizes or not all(2 <= size <= MOST_SEATS for size in sizes):
        raise ValueError(f"tables have 2 to {MOST_SEATS} seats, not {_all(sizes)}")
    if any(low >= high for low, high in pairwise(sizes)):
        raise ValueError(f"possible numbers of seats ascend, and {_all(sizes)} do not")
    if not 2 <= plan.seats <= MOST_SEATS:
        raise ValueError(f"tables have 2 to {MOST_SEATS} seats, not {plan.seats}")
    if not 0 <= plan.bye <= plan.point:
        raise ValueError(f"a pairing bye of {plan.bye} units, where a point has {plan.point}")
    for name, number in (("legs", plan.legs), ("reach", plan.reach)):
        if not 1 <= number <= MOST_TIMES:
            raise ValueError(f"{name} is {number}, which is not from 1 to {MOST_TIMES}")
    if not 0 <= plan.accelerated <= MOST_TIMES:
        raise ValueError(f"{plan.accelerated} accelerated rounds; {MOST_TIMES} at most")
    if len(plan.divisions) > MOST_DIVISIONS:
        raise ValueError(f"{len(plan.divisions)} divisions; {MOST_DIVISIONS} at most")
    if 0 in plan.divisions:
        raise ValueError(f"division {plan.divisions.index(0) + 1} is for no entrant at all")
    assert len(plan.assigned) in (0, len(plan.divisions)), "each division has its members"
    check_places("the field from the start", plan.field, entrants)
    check_places("divisions", [one for division in plan.assigned for one in division], entrants)


def _all(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers[:20])) or "none"
