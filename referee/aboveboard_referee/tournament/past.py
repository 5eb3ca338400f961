"""What each entrant brings along from earlier rounds, counted once for all who need it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.record import WIN, Entrant, Round


@dataclass(frozen=True, slots=True)
class Past:
    """Every tuple is by entrant."""

    half_points: tuple[int, ...]  # a bye counts as a match won
    wins: tuple[int, ...]  # finished matches won; a bye is no match
    matches: tuple[int, ...]  # finished matches
    byes: tuple[int, ...]
    opponents: tuple[tuple[Entrant, ...], ...]  # of finished matches, in order, each time anew
    seat_balance: tuple[int, ...]  # times in the first seat minus times in the second
    first_seats: tuple[tuple[int, ...], ...]  # numbers of the rounds in the first, latest first
    meetings: Mapping[tuple[Entrant, Entrant], int]  # how often paired; key (lower, higher)


def look_back(entrants: int, rounds: Sequence[Round]) -> Past:
    """Count over rounds that ``check_rounds`` has passed.

    A match that is not finished counts for seats and meetings, and for nothing else.
    """
    half_points, wins, matches, byes, seat_balance = ([0] * entrants for _ in range(5))
    opponents: list[list[Entrant]] = [[] for _ in range(entrants)]
    first_seats: list[list[int]] = [[] for _ in range(entrants)]
    meetings: Counter[tuple[Entrant, Entrant]] = Counter()
    for played in rounds:
        for entrant in played.byes:
            byes[entrant] += 1
            half_points[entrant] += WIN
        for match in played.matches:
            first, second = match.entrants
            meetings[min(first, second), max(first, second)] += 1
            seat_balance[first] += 1
            seat_balance[second] -= 1
            first_seats[first].insert(0, played.number)
            if match.half_points is None:
                continue
            for entrant, other, gained in zip(
                (first, second), (second, first), match.half_points, strict=True
            ):
                half_points[entrant] += gained
                wins[entrant] += gained == WIN
                matches[entrant] += 1
                opponents[entrant].append(other)
    return Past(
        half_points=tuple(half_points),
        wins=tuple(wins),
        matches=tuple(matches),
        byes=tuple(byes),
        opponents=tuple(map(tuple, opponents)),
        seat_balance=tuple(seat_balance),
        first_seats=tuple(map(tuple, first_seats)),
        meetings=meetings,
    )
