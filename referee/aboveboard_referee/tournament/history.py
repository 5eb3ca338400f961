"""What a tournament has come to so far: what every pairing system, table and rating reads.

Scores are whole numbers of a tournament's *units*, ``History.point`` of which make one point,
so that sums and comparisons are exact. A *match* is one game from open to close. A *table* is
what a round makes of two entrants or more: a pairing where there are two, and all its matches.
At most one point is to be gained at a table, and who sits a round out gains what the kind of
its bye is worth.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from aboveboard_referee.counted import counted

Entrant = int
"""An entrant's index in Entry order, from 0."""

MOST_SEATS = 7

TABLE_POINT = 120
"""Units of a point at tables of three seats and more.

A place is worth ``(sides - rank) / (sides - 1)``, and who share places share their mean: 120
is the least number that is divided by 2·1, 2·2, … 2·6.
"""

PAIRING_BYE = "pairing"  # left over by the pairing
REQUESTED_BYE = "requested"  # asked for in time
LATE_BYE = "late"  # a round before the entrant came
SEED_BYE = "seed"  # a place in a bracket that no opponent was left for
ABSENT_BYE = "absent"  # not there when the round was drawn
BYE_KINDS = (PAIRING_BYE, REQUESTED_BYE, LATE_BYE, SEED_BYE, ABSENT_BYE)
"""Why somebody sat a round out. What that is worth is a number of its own."""


@dataclass(frozen=True, slots=True)
class Bye:
    """An entrant sits a round out, and has so many units of it."""

    entrant: Entrant
    kind: str
    units: int


@dataclass(frozen=True, slots=True)
class Table:
    """Entrants who were paired with each other in a round.

    ``seatings`` are the matches that they were given, each the entrants by seat; ``entrants``
    are those of the first. ``units`` are what each of ``entrants`` gained; None while it is
    not decided. ``wins`` are matches won, by the same order. Who is in ``forfeits`` never
    appeared: nobody has played against it.
    """

    name: str
    entrants: tuple[Entrant, ...]
    units: tuple[int, ...] | None
    wins: tuple[int, ...] = ()
    forfeits: frozenset[Entrant] = frozenset()
    seatings: tuple[tuple[Entrant, ...], ...] = ()
    by_hand: bool = False

    @property
    def decided(self) -> bool:
        """Whether its result stands."""
        return self.units is not None

    @property
    def played(self) -> bool:
        """Whether at least two of its entrants appeared, so that there was a contest."""
        return len(self.entrants) - len(self.forfeits) >= 2

    def gained(self, entrant: Entrant) -> int:
        """The units of one of its entrants. Only once it is decided."""
        assert self.units is not None
        return self.units[self.entrants.index(entrant)]


@dataclass(frozen=True, slots=True)
class Round:
    """One round. An entrant named nowhere in it had left, or had not come yet.

    A round can be under way: then some of its tables are not decided.
    """

    number: int
    tables: tuple[Table, ...]
    byes: tuple[Bye, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """All rounds that were drawn, in order; none of them is left out.

    ``order`` are all entrants by initial rank, the first before the others.
    """

    entrants: int
    point: int
    order: tuple[Entrant, ...]
    rounds: tuple[Round, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether every table that was drawn is decided."""
        return all(table.decided for drawn in self.rounds for table in drawn.tables)


@dataclass(frozen=True, slots=True)
class Ask:
    """What a round is drawn for and from.

    ``present`` are those who can play, by initial rank. ``by_hand`` are tables that the
    organiser fixed: their entrants are among ``present``, and no other table has them. Who
    sits the round out by its own wish or absence is not ``present``, and its bye is not the
    system's to give. ``seed`` is the round's 32 bytes.
    """

    number: int
    present: tuple[Entrant, ...]
    seed: bytes
    by_hand: tuple[tuple[Entrant, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A round as a system draws it.

    ``tables`` have their entrants by seat, the leaders' table first; tables made by hand
    are among them. ``byes`` are those that the system itself gives.
    """

    tables: tuple[tuple[Entrant, ...], ...]
    byes: tuple[Bye, ...] = ()


def scores(history: History) -> list[int]:
    """Everybody's units so far, byes included. What is not decided gives none yet."""
    total = [0] * history.entrants
    for drawn in history.rounds:
        for table in drawn.tables:
            if table.units is not None:
                for entrant, units in zip(table.entrants, table.units, strict=True):
                    total[entrant] += units
        for bye in drawn.byes:
            total[bye.entrant] += bye.units
    return total


def meetings(history: History) -> Counter[tuple[Entrant, Entrant]]:
    """How often two were paired, the lower first, whether or not both then appeared."""
    met: Counter[tuple[Entrant, Entrant]] = Counter()
    for drawn in history.rounds:
        for table in drawn.tables:
            met.update(combinations(sorted(table.entrants), 2))
    return met


def encounters(history: History) -> set[tuple[Entrant, Entrant]]:
    """Who has played against whom, the lower first: both appeared at one table."""
    met: set[tuple[Entrant, Entrant]] = set()
    for drawn in history.rounds:
        for table in drawn.tables:
            appeared = [one for one in table.entrants if one not in table.forfeits]
            met.update(combinations(sorted(appeared), 2))
    return met


def place_units(ranks: Sequence[int], sides: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """What each seat of a match of three sides or more gains, in ``TABLE_POINT`` units.

    ``ranks`` are by seat, from 1, equal for those who share a place and for the seats of a
    side; the sum over sides is always half of their number, whatever the table's size.
    """
    by_side = [ranks[side[0]] for side in sides]
    most = len(by_side) - 1
    units = [0] * len(ranks)
    for side, rank in zip(sides, by_side, strict=True):
        below = sum(other > rank for other in by_side)
        level = sum(other == rank for other in by_side) - 1
        for seat in side:
            units[seat] = TABLE_POINT * (2 * below + level) // (2 * most)
    return tuple(units)


def check_history(history: History) -> None:
    """Refuse what cannot be a tournament's history. Raises ValueError naming the round.

    Rounds ascend without a gap, nobody has two places in one round, a table has two to
    seven entrants, and its units are numbers from nothing to ``point``.
    """
    if sorted(history.order) != list(range(history.entrants)):
        raise ValueError("the initial order does not name every entrant once")
    if history.rounds and history.rounds[0].number != 1:
        raise ValueError(f"the first round is round {history.rounds[0].number}")
    for earlier, later in pairwise(history.rounds):
        if later.number != earlier.number + 1:
            raise ValueError(f"round {later.number} follows round {earlier.number}")
    for drawn in history.rounds:
        where = f"round {drawn.number}"
        places = [entrant for table in drawn.tables for entrant in table.entrants]
        places += [bye.entrant for bye in drawn.byes]
        check_places(where, places, history.entrants)
        for bye in drawn.byes:
            if bye.kind not in BYE_KINDS or not 0 <= bye.units <= history.point:
                raise ValueError(f"{where}: a bye of kind {bye.kind} worth {bye.units}")
        for table in drawn.tables:
            if not 2 <= len(table.entrants) <= MOST_SEATS:
                entrants = counted(len(table.entrants), "entrant")
                raise ValueError(f"{where}: {table.name} has {entrants}")
            if table.units is not None and (
                len(table.units) != len(table.entrants)
                or min(table.units) < 0
                or max(table.units) > history.point
            ):
                raise ValueError(f"{where}: {table.name} cannot have given {table.units}")


def check_places(where: str, places: Iterable[Entrant], entrants: int) -> None:
    """Refuse a place of nobody's and a second one of anybody. Raises ValueError for the first."""
    placed: set[Entrant] = set()
    for entrant in places:
        if not 0 <= entrant < entrants:
            raise ValueError(f"{where}: there is no entrant {entrant}")
        if entrant in placed:
            raise ValueError(f"{where}: entrant {entrant} has two places")
        placed.add(entrant)
