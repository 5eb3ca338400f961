"""The contract of a pairing system."""

from typing import Protocol

from aboveboard_referee.tournament.history import Ask, Drawn, History
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.traits import Traits


class System(Protocol):
    """Pure functions of what is published. The same arguments give the same round, always.

    ``version`` is raised whenever any history and seed would be paired differently; the
    code of an older version is then kept under its version.
    """

    name: str
    version: int
    traits: Traits

    def wrong(self, plan: Plan) -> str | None:
        """What in this plan the system cannot follow, in a few words; or ``None``."""
        ...

    def rounds(self, plan: Plan, entrants: int) -> int:
        """How many rounds so many entrants play, if nobody leaves."""
        ...

    def draw(self, plan: Plan, history: History, ask: Ask) -> Drawn | None:
        """The round that ``ask`` is for, or ``None`` if the tournament is over.

        A field that has shrunk to one or to nobody ends a tournament; it is never an error.
        Raises ValueError for a history that cannot be or is not decided (``check_asked``).
        """
        ...

    def levels(self, plan: Plan, history: History) -> tuple[int, ...] | None:
        """What ranks entrants before their points do, by entrant, more being better.

        ``None`` where points alone do. History may be that of a round under way.
        """
        ...
