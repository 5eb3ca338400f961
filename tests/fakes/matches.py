"""One whole match of every registered rule set and number of seats, played at random."""

from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Decide, Foul, Over
from tests.fakes.table import OMNISCIENT, SPECTATOR, Dealer, Holder, Table

NAMES = registry.names()
TABLES = [(name, seats) for name in NAMES for seats in registry.game(name).seats]
MOST_EVENTS = 50_000


@dataclass
class Match:
    """A match played to its end, and what its holders saw at each decision."""

    table: Table
    end: Any = None
    decisions: list[dict[Holder, Decide[Any]]] = field(default_factory=list)
    states: list[tuple[Any, int, Any]] = field(default_factory=list)  # state, its hash, need


@cache
def played(name: str, seats: int) -> Match:
    """One random honest match; every need was seen to be equal for all holders."""
    random = Random(f"{name} {seats}")
    table = Table(registry.game(name), seats, Dealer(seed=seats))
    match = Match(table)
    while not isinstance(need := table.need(), Over | Foul):
        assert len(table.happened[SPECTATOR]) < MOST_EVENTS, "the match does not end"
        state = table.states[OMNISCIENT]
        match.states.append((state, hash(state), need))
        if isinstance(need, Decide):
            match.decisions.append(table.needs())
            table.move(*((seat, random.choice(moves)) for seat, moves in need.legal))
        else:
            table.bring_about(need)
    match.end = need
    return match


def some(items: list[Any], number: int) -> list[Any]:
    """Up to ``number`` of the items, spread evenly."""
    return items[:: max(1, len(items) // number)]
