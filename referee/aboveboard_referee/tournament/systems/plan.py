"""What an organiser chose of a tournament's form, as pairing systems read it."""

from dataclasses import dataclass

from aboveboard_referee.tournament.history import TABLE_POINT, Entrant


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament's form. Which of it a system follows, its ``wrong`` says.

    ``rounds`` is 0 where the system is to play as many as it needs; else it plays no more
    than these. ``sizes`` are the numbers of seats that every game of the tournament can be
    played with; ``seats`` is how many a table should have. ``point`` are the units of a
    point, ``bye`` those of a pairing bye. Everything else is what a system may need, its
    default where it does not.
    """

    system: str
    rounds: int = 0
    seats: int = 2
    sizes: tuple[int, ...] = (2,)
    point: int = 2
    bye: int = 2
    legs: int = 1  # how often everybody meets everybody: round-robin, gauntlet
    accelerated: int = 0  # first rounds with virtual points: swiss
    divisions: tuple[int, ...] = ()  # how many entrants each has, the top one first: league
    final_reset: bool = True  # double elimination: a second final if the first is lost by
    # whom nobody had beaten before
    field: tuple[Entrant, ...] = ()  # who takes part from the start, the first seed first;
    # without it all of History.order but those with a late bye in round 1
    assigned: tuple[tuple[Entrant, ...], ...] = ()  # league: who is in each division by the
    # season before, the top one first; without it ``field`` is cut by ``divisions``
    reach: int = 1  # ladder: how many rungs above its own an entrant can challenge


def table_point(matches: int) -> int:
    """The units of a point where a table of three seats or more is so many matches."""
    return TABLE_POINT * matches
