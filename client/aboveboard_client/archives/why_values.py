"""What is asked about a round's pairings, and what an answer consists of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aboveboard_referee.tournament.history import Ask, Drawn, Entrant, History
from aboveboard_referee.tournament.systems.plan import Plan


@dataclass(frozen=True)
class Question:
    """What a round was drawn for and from, and the round. ``names`` are by entrant."""

    plan: Plan
    history: History
    ask: Ask
    drawn: Drawn
    names: Sequence[str]

    def is_by_hand(self, entrant: Entrant) -> bool:
        """Whether a ruling put it where it is."""
        return any(entrant in table for table in self.ask.by_hand)

    def by_hand_lines(self) -> list[str]:
        """A line for each table that a ruling made."""
        return [
            f"{' - '.join(self.names[end] for end in table)}: by hand, as a ruling says"
            for table in self.ask.by_hand
        ]

    def place_line(self, entrant: Entrant) -> str:
        """Whom an entrant meets in the round, or that it meets nobody. Seats are from 0."""
        name = self.names[entrant]
        for table in self.drawn.tables:
            if entrant in table:
                others = ", ".join(self.names[end] for end in table if end != entrant)
                return f"{name} meets {others}, in seat {table.index(entrant)}"
        if any(bye.entrant == entrant for bye in self.drawn.byes):
            return f"{name} has a bye"
        return f"{name} is not needed in this round"


@dataclass
class Because:
    """Why something is as it is.

    ``follows`` is from what: "measures", "look-ahead", "schedule" or "absence". ``measures`` are
    the round's, by name; ``next_best`` what other choices would have cost.
    """

    follows: str
    lines: list[str] = field(default_factory=list)
    proven: bool | None = None
    measures: dict[str, int] = field(default_factory=dict)
    next_best: list[dict[str, Any]] = field(default_factory=list)
