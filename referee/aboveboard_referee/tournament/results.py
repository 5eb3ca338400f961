"""What matches and tables have come to: from closes and rulings to units."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.tournament.history import Entrant, place_units
from aboveboard_referee.tournament.matches import PlannedMatch

WIN = 2
"""Half points of a match won."""

Sides = Callable[[str, int], Sequence[Sequence[int]]]
"""The sides of a game with so many seats, by the game's name."""


class Result(NamedTuple):
    """One match's outcome, by seat. ``forfeits`` are seats that never appeared."""

    half_points: tuple[int, ...]
    ranks: tuple[int, ...]
    forfeits: frozenset[int]


_NOBODY: frozenset[Entrant] = frozenset()
"""One object, since a long tournament keeps every table."""

ResultOf = Callable[[str], Result | None]
"""A match's result by its name; ``None`` while there is none."""


def result_of(close: pb.MatchClose) -> Result:
    """As the match's close states it."""
    return _shared(
        tuple(seat.half_points for seat in close.seats),
        tuple(seat.rank for seat in close.seats),
        frozenset(
            seat for seat, row in enumerate(close.seats) if row.reason == pb.END_REASON_NO_SHOW
        ),
    )


@lru_cache(maxsize=1024)
def _shared(
    half_points: tuple[int, ...], ranks: tuple[int, ...], forfeits: frozenset[int]
) -> Result:
    """One object for all matches that ended alike: a long tournament keeps each match's result."""
    return Result(half_points, ranks, forfeits)


def tally(planned: Sequence[PlannedMatch], result: ResultOf) -> Counter[Entrant]:
    """Half points of those of a pairing's matches that have a result."""
    total = Counter(dict.fromkeys(planned[0].entrants, 0))
    for match in planned:
        if (ended := result(match.match)) is not None:
            total.update(dict(zip(match.entrants, ended.half_points, strict=True)))
    return total


def due(
    planned: Sequence[PlannedMatch], result: ResultOf, early_stop: bool
) -> tuple[PlannedMatch, ...]:
    """The matches of a pairing that are to be played now; none once it is decided.

    Matches are independent of each other, but for two kinds that come one after the
    other: all matches where the pairing stops early, which is once one side can no longer be
    caught, and deciders, which are for a pairing that all before leave tied.
    """
    regular = [match for match in planned if not match.decider]
    open_now = [match for match in regular if result(match.match) is None]
    if open_now and not early_stop:
        return tuple(open_now)
    for index, match in enumerate(regular):
        if result(match.match) is None:
            return () if _lead(planned, result) > WIN * (len(regular) - index) else (match,)
    for match in planned[len(regular) :]:
        if _lead(planned, result):
            return ()
        if result(match.match) is None:
            return (match,)
    return ()


def _lead(planned: Sequence[PlannedMatch], result: ResultOf) -> int:
    points = tally(planned, result).values()
    return max(points) - min(points)


def units_of(
    planned: Sequence[PlannedMatch], result: ResultOf, majority: bool, sides: Sides
) -> tuple[int, ...]:
    """What each entrant of a table gains, by its first seating, of the results there are.

    With a majority that is 2 for whoever has more half points, 1 each where they have
    equally many, and nothing for who has none at all. Else it is the sum over matches: of
    half points where ``sides`` tells none, else of ``place_units``.
    """
    entrants = planned[0].entrants
    if majority:
        points = tally(planned, result)
        most = max(points.values())
        level = len(set(points.values())) == 1
        return tuple(0 if points[e] < most or not most else 1 if level else WIN for e in entrants)
    total = Counter(dict.fromkeys(entrants, 0))
    for match in planned:
        if (ended := result(match.match)) is None:
            continue
        gained = ended.half_points
        if shared := sides(match.game, len(entrants)):
            places = place_units(ended.ranks, shared)
            gained = tuple(
                0 if seat in ended.forfeits else units for seat, units in enumerate(places)
            )
        total.update(dict(zip(match.entrants, gained, strict=True)))
    return tuple(total[entrant] for entrant in entrants)


def wins_of(planned: Sequence[PlannedMatch], result: ResultOf) -> tuple[int, ...]:
    """Matches that each entrant of a table won, by its first seating."""
    won: Counter[Entrant] = Counter()
    pair = len(planned[0].entrants) == 2  # nobody wins against who never appeared
    for match in planned:
        if (ended := result(match.match)) is not None:
            won.update(
                entrant
                for seat, entrant in enumerate(match.entrants)
                if ended.half_points[seat] == WIN and not (pair and ended.forfeits)
            )
    return tuple(won[entrant] for entrant in planned[0].entrants)


def forfeits_of(planned: Sequence[PlannedMatch], result: ResultOf) -> frozenset[Entrant]:
    """Who never appeared in any of a table's matches that have a result."""
    ended = [(match, found) for match in planned if (found := result(match.match)) is not None]
    never = frozenset(
        entrant
        for entrant in planned[0].entrants
        if ended and all(match.entrants.index(entrant) in found.forfeits for match, found in ended)
    )
    return never or _NOBODY
