"""From one season of a league to the next: promotion, relegation, who leaves and who comes.

Entrants have other indices in every tournament, so that here they go by a key that stays
theirs: an entry key or a name.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.history import ABSENT_BYE, Entrant, History
from aboveboard_referee.tournament.systems.league import divisions_of
from aboveboard_referee.tournament.systems.past import named
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.schedule import length

Key = str


@dataclass(frozen=True, slots=True)
class Season:
    """A season's divisions, the top one first, and who found no place in them."""

    divisions: tuple[tuple[Key, ...], ...]
    waiting: tuple[Key, ...]


def next_season(
    table: Sequence[Sequence[Key]],
    sizes: Sequence[int],
    exchanged: int,
    *,
    newcomers: Collection[Key] = (),
    ratings: Mapping[Key, int] | None = None,
    left: Collection[Key] = (),
    inactive: Collection[Key] = (),
) -> Season:
    """Who is in which division of the season after the one that ``table`` is the end of.

    ``table`` are the divisions, the top one first, each by rank; ``sizes`` are the next
    season's. Between two divisions the first ``exchanged`` of the lower change with the last
    of the upper.

    * ``left`` do not come back. A place that one of them leaves counts as one of those that
      are relegated from, so that others are spared for it.
    * ``inactive`` are last in their division, whatever their rank: they go down, and from
      the last division out, to where newcomers wait.
    * Every division but the last is full as long as there is anybody below it: places still
      vacant go to the best of the next division who are not promoted anyway, those who would
      be relegated to it before all others. Where a division has too many (its size shrank),
      the last of its list are the first of the next one's.
    * ``newcomers`` and whoever was put out are behind everybody else, by descending rating
      (0 where there is none), then by key. Who is beyond the last place is ``waiting``.

    A division's list is its seeding: who came down, who stayed, who came up, who came down
    for inactivity. Raises ValueError where a key is named twice, where a division cannot
    spare so many, or where there are more divisions than sizes.
    """
    keys = [key for division in table for key in division] + list(newcomers)
    if len(set(keys)) != len(keys):
        raise ValueError(f"{next(k for k in keys if keys.count(k) > 1)} has two places")
    if not sizes or len(table) > len(sizes) or min(sizes) < 1 or exchanged < 0:
        raise ValueError(f"{len(table)} divisions cannot exchange {exchanged} in {list(sizes)}")
    for number, division in enumerate(table, start=1):
        borders = (number > 1) + (number < len(table))
        if borders * exchanged > len(division):
            raise ValueError(f"division {number} of {len(division)} cannot exchange {exchanged}")

    moves = [
        _Moves.of(division, exchanged, number, len(table), set(left), set(inactive))
        for number, division in enumerate(table)
    ]
    line: list[Key] = []
    for number, own in enumerate(moves):
        above = moves[number - 1] if number else _Moves()
        below = moves[number + 1] if number + 1 < len(moves) else _Moves()
        line += [*above.down, *own.stay, *below.up, *above.out]
    known = ratings or {}
    last = moves[-1].out if moves else ()
    line += sorted({*newcomers, *last}, key=lambda key: (-known.get(key, 0), key))
    divisions, start = [], 0
    for size in sizes:
        divisions.append(tuple(line[start : start + size]))
        start += size
    return Season(tuple(divisions), tuple(line[start:]))


@dataclass(frozen=True, slots=True)
class _Moves:
    """Where the entrants of one division go, each by rank."""

    up: tuple[Key, ...] = ()
    stay: tuple[Key, ...] = ()
    down: tuple[Key, ...] = ()
    out: tuple[Key, ...] = ()  # down for inactivity

    @classmethod
    def of(
        cls,
        division: Sequence[Key],
        exchanged: int,
        number: int,
        divisions: int,
        left: Collection[Key],
        inactive: Collection[Key],
    ) -> "_Moves":
        active = [key for key in division if key not in left and key not in inactive]
        out = tuple(key for key in division if key in inactive and key not in left)
        ups = exchanged if number else 0
        downs = exchanged - (len(division) - len(active)) if number + 1 < divisions else 0
        end = max(len(active) - max(0, downs), min(ups, len(active)))
        return cls(tuple(active[:ups]), tuple(active[ups:end]), tuple(active[end:]), out)


def missed(plan: Plan, history: History) -> tuple[int, ...]:
    """By entrant: the rounds of its division in which it did not play and had not asked to.

    That is a round it was absent from, did not appear in, or had left by; not one that it
    asked to sit out, that it had no opponent in, or that was before it came.
    """
    count = [0] * history.entrants
    divisions = divisions_of(plan, history)
    for drawn in history.rounds:
        there = named(drawn)
        absent = {bye.entrant for bye in drawn.byes if bye.kind == ABSENT_BYE}
        forfeits: set[Entrant] = {e for table in drawn.tables for e in table.forfeits}
        late = {bye.entrant for bye in drawn.byes} - there
        for division in divisions:
            if drawn.number <= length(len(division), plan.legs):
                for entrant in division:
                    here = entrant in there and entrant not in absent | forfeits
                    count[entrant] += not here and entrant not in late
    return tuple(count)


def inactive(plan: Plan, history: History, most: int) -> tuple[Entrant, ...]:
    """Who missed more than ``most`` rounds of a season, by index."""
    return tuple(e for e, times in enumerate(missed(plan, history)) if times > most)
