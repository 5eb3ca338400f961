"""What each entrant brings along from earlier rounds, counted once for all who need it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.swiss_1.record import WIN, Entrant, Round


@dataclass(frozen=True, slots=True)
class Past:
    """Every tuple is by entrant."""

    half_points: tuple[int, ...]  # of matches; a bye counts as a pairing whose matches were won
    wins: tuple[int, ...]  # finished matches won; a bye is no match
    matches: tuple[int, ...]  # finished matches
    byes: tuple[int, ...]
    opponents: tuple[tuple[Entrant, ...], ...]  # of finished pairings, in order, each time anew
    gained: Mapping[tuple[Entrant, Entrant], int]  # half points by one from another in all those
    seat_balance: tuple[int, ...]  # times in the first seat minus times in the second
    first_seats: tuple[tuple[int, ...], ...]  # rounds with more of the first, latest first
    meetings: Mapping[tuple[Entrant, Entrant], int]  # how often paired; key (lower, higher)


def look_back(entrants: int, rounds: Sequence[Round], per_pairing: int = 1) -> Past:
    """Count over rounds that ``check_rounds`` has passed.

    A match that is not finished counts for seats and meetings, and for nothing else. A
    pairing is finished when all its matches are.
    """
    half_points, wins, matches, byes, seat_balance = ([0] * entrants for _ in range(5))
    opponents: list[list[Entrant]] = [[] for _ in range(entrants)]
    gained: Counter[tuple[Entrant, Entrant]] = Counter()
    first_seats: list[list[int]] = [[] for _ in range(entrants)]
    meetings: Counter[tuple[Entrant, Entrant]] = Counter()
    for played in rounds:
        for entrant in played.byes:
            byes[entrant] += 1
            half_points[entrant] += WIN * per_pairing
        for (low, high), both in played.pairings.items():
            meetings[low, high] += 1
            # How much more often the lower had the first seat: of one match ±1, and 0
            # where each game is played from either seat.
            lead = sum(1 if match.entrants[0] == low else -1 for match in both)
            seat_balance[low] += lead
            seat_balance[high] -= lead
            if lead:
                first_seats[low if lead > 0 else high].insert(0, played.number)
            finished = all(match.half_points is not None for match in both)
            if finished:
                opponents[low].append(high)
                opponents[high].append(low)
            for match in both:
                if match.half_points is None:
                    continue
                for entrant, points in zip(match.entrants, match.half_points, strict=True):
                    half_points[entrant] += points
                    wins[entrant] += points == WIN
                    matches[entrant] += 1
                    if finished:
                        gained[entrant, high if entrant == low else low] += points
    return Past(
        half_points=tuple(half_points),
        wins=tuple(wins),
        matches=tuple(matches),
        byes=tuple(byes),
        opponents=tuple(map(tuple, opponents)),
        gained=gained,
        seat_balance=tuple(seat_balance),
        first_seats=tuple(map(tuple, first_seats)),
        meetings=meetings,
    )
