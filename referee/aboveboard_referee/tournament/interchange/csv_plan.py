"""Reading the rows of the CSV that are about the organiser's plan."""

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.interchange.csv_row import Row
from aboveboard_referee.tournament.interchange.csv_write import NO, YES
from aboveboard_referee.tournament.interchange.plan_file import (
    MOST_DIVISIONS,
    NUMBERS,
    VALUES,
    plan_with,
)
from aboveboard_referee.tournament.interchange.sheet import Unreadable
from aboveboard_referee.tournament.systems.plan import Plan


class FoundPlan:
    """What the rows so far have said of a plan."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._sizes: tuple[int, ...] = ()
        self._final_reset: bool | None = None
        self._seen: set[str] = set()
        self._divisions: list[int] = []
        self._field: list[Entrant] = []
        self._members: list[list[Entrant]] = []

    def value(self, row: Row) -> None:
        """One of the plan's values."""
        name = row.word("kind", *VALUES)
        if name in self._seen:
            raise Unreadable(row.where, f"{name} a second time")
        self._seen.add(name)
        if name in NUMBERS:
            self._numbers[name] = row.number("text")
        elif name == "sizes":
            self._sizes = row.numbers("text", "whole numbers")
        else:
            self._final_reset = row.word("text", YES, NO) == YES

    def division(self, row: Row) -> None:
        """A division."""
        if row.number("number") != len(self._divisions) + 1:
            raise row.wrong("number", f"{len(self._divisions) + 1}, the next one,")
        if len(self._divisions) == MOST_DIVISIONS:
            raise Unreadable(row.where, f"more than {MOST_DIVISIONS} divisions")
        self.names.append(row.text("name"))
        self._divisions.append(row.number("units"))
        self._members.append([])

    def start(self, row: Row, entrant: Entrant) -> None:
        """Somebody who takes part from the start."""
        if row.number("number") != len(self._field) + 1:
            raise row.wrong("number", f"{len(self._field) + 1}, the next one,")
        self._field.append(entrant)

    def member(self, row: Row, entrant: Entrant) -> None:
        """Somebody in the division whose row stands above."""
        if not self._members or row.number("number") != len(self._members):
            raise row.wrong("number", "that of the division row above")
        self._members[-1].append(entrant)

    def plan(self, system: str, rounds: int, point: int) -> Plan | None:
        """The plan, once all rows were read; None if none was about one."""
        if not self._seen and not self._divisions and not self._field:
            return None
        for name in VALUES:
            if name not in self._seen:
                raise Unreadable("", f"there is no row 'plan' with {name}")
        return plan_with(
            system,
            rounds,
            point,
            self._numbers,
            self._sizes,
            self._final_reset is True,
            tuple(self._divisions),
            tuple(self._field),
            tuple(map(tuple, self._members)),
        )
