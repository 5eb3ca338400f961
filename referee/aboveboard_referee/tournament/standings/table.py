"""The table: level, then points, then the tournament's tie-breaks, then a shared rank."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.history import Entrant, History
from aboveboard_referee.tournament.standings.direct import Group, split
from aboveboard_referee.tournament.standings.past import Past, look_back
from aboveboard_referee.tournament.standings.tie_breaks import DIRECT, VALUES, check_tie_breaks


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant's line of the table.

    ``units`` are of ``History.point`` to a point, byes included. ``wins``, ``matches`` and
    ``tables`` count what was played, without byes and forfeits; ``byes`` those that were
    given, of whatever kind and value. ``tie_breaks`` are as the tournament names them, each
    in its scale, more being better.
    """

    entrant: Entrant
    rank: int  # from 1; entrants that nothing separates share it, and the next is skipped
    units: int
    wins: int
    matches: int
    tables: int
    byes: int
    tie_breaks: tuple[int, ...]
    out: bool = False  # disqualified


def table(
    history: History,
    tie_breaks: Sequence[str],
    levels: Sequence[int] | None = None,
    out: frozenset[Entrant] = frozenset(),
    predetermined: bool = False,
) -> tuple[Row, ...]:
    """The standings of a history, sorted by rank and then by initial rank.

    Who is disqualified, named in ``out``, comes last. Then ``levels`` rank, by entrant, more
    being better; then units; then each tie-break in turn those whom all before it left
    together. ``predetermined`` says that pairings were fixed before anything was played, as in
    a round-robin: forfeits then count as played. What is not decided counts for nothing yet.

    Raises ValueError on an unknown tie-break, on one named twice, on levels that are not one
    for each entrant, on strangers in ``out``, on a point that cannot be halved, and on a
    history that ``check_history`` refuses.
    """
    check_tie_breaks(tie_breaks)
    past = look_back(history, predetermined)
    groups = ranked(past, levels, out)
    values: list[list[int]] = [[] for _ in range(history.entrants)]
    for name in tie_breaks:
        groups = refine(past, groups, name, values)

    rows: list[Row] = []
    for group in groups:
        rank = len(rows) + 1
        rows += [_row(past, one, rank, tuple(values[one]), one in out) for one in group]
    return tuple(rows)


def ranked(past: Past, levels: Sequence[int] | None, out: frozenset[Entrant]) -> list[Group]:
    """All entrants before any tie-break, the best first, those tied by initial rank."""
    if levels is not None and len(levels) != len(past.units):
        raise ValueError(f"{len(levels)} levels for {len(past.units)} entrants")
    strangers = sorted(out - set(past.order))
    if strangers:
        raise ValueError(f"there is no entrant {strangers[0]} to be disqualified")
    level = levels if levels is not None else [0] * len(past.units)
    return _parts(list(past.order), lambda one: (one not in out, level[one], past.units[one]))


def refine(past: Past, groups: list[Group], name: str, values: Sequence[list[int]]) -> list[Group]:
    """The groups as this tie-break splits them; everybody's value is added to ``values``.

    That of direct encounter is how many of those tied with an entrant it puts behind it.
    """
    refined: list[Group] = []
    if name == DIRECT:
        for group in groups:
            behind = len(group)
            for part in split(group, past):
                behind -= len(part)
                for one in part:
                    values[one].append(behind)
                refined.append(part)
        return refined
    for one, own in enumerate(values):
        own.append(VALUES[name](past, one))
    for group in groups:
        refined += _parts(group, lambda one: values[one][-1])
    return refined


def _parts(group: Group, key: Callable[[Entrant], int | tuple[int, ...]]) -> list[Group]:
    """The group in parts of equal key, the greatest first, each kept in its order."""
    parts: dict[int | tuple[int, ...], Group] = {}
    for one in group:
        parts.setdefault(key(one), []).append(one)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _row(past: Past, entrant: Entrant, rank: int, values: tuple[int, ...], out: bool) -> Row:
    parts = past.parts[entrant]
    return Row(
        entrant=entrant,
        rank=rank,
        units=past.units[entrant],
        wins=sum(part.wins for part in parts),
        matches=sum(part.matches for part in parts),
        tables=sum(part.matches > 0 for part in parts),
        byes=sum(bool(part.bye) for part in parts),
        tie_breaks=values,
        out=out,
    )
