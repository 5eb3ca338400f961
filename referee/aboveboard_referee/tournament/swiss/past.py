"""What each entrant brings along from earlier rounds of two-seat pairings."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from aboveboard_referee.tournament.history import (
    PAIRING_BYE,
    SEED_BYE,
    Entrant,
    History,
    Round,
)
from aboveboard_referee.tournament.swiss.acceleration import Acceleration

DOWN = 1
UP = -1
LEVEL = 0


@dataclass(frozen=True, slots=True)
class Past:
    """Every tuple is by entrant; ``rounds`` is how many there have been.

    A table counts as played by who appeared at it, if somebody else did too. ``floats`` are
    the directions of the last two rounds, the last one first; see ``_float``.
    """

    rounds: int
    score: tuple[int, ...]  # units, virtual ones of the round to be drawn included
    byes: tuple[int, ...]  # rounds that gave without a game what a win gives
    unplayed: tuple[int, ...]  # rounds without a game, for whatever reason
    floats: tuple[tuple[int, int], ...]
    balance: tuple[int, ...]  # played matches in the first seat less those in another
    first_seats: tuple[tuple[int, ...], ...]  # rounds with more of the first, latest first
    met: Mapping[tuple[Entrant, Entrant], int]  # tables played with each other; (lower, higher)


def look_back(history: History, acceleration: Acceleration) -> Past:
    """Count over rounds that ``check_history`` has passed."""
    everybody = range(history.entrants)
    score = [0] * history.entrants
    byes, unplayed, balance = ([0] * history.entrants for _ in range(3))
    floats = [(LEVEL, LEVEL)] * history.entrants
    first_seats: list[tuple[int, ...]] = [()] * history.entrants
    met: Counter[tuple[Entrant, Entrant]] = Counter()
    for drawn in history.rounds:
        virtual = acceleration.virtual(drawn.number)
        before = [score[e] + virtual[e] for e in everybody]
        gained, rivals, leads = _results(drawn, met)
        full = {bye.entrant for bye in drawn.byes if bye.kind in (PAIRING_BYE, SEED_BYE)}
        for entrant in everybody:
            units = gained.get(entrant, 0)
            rival = rivals.get(entrant)
            score[entrant] += units
            if rival is None:
                unplayed[entrant] += 1
                byes[entrant] += entrant in full or units == history.point
            # A round without a game that gave something counts as one against somebody lower.
            floats[entrant] = (
                _float(before[entrant], before[rival])
                if rival is not None
                else (DOWN if units else LEVEL),
                floats[entrant][0],
            )
            lead = leads.get(entrant, 0)
            balance[entrant] += lead
            if lead > 0:
                first_seats[entrant] = (drawn.number, *first_seats[entrant])
    virtual = acceleration.virtual(len(history.rounds) + 1)
    return Past(
        rounds=len(history.rounds),
        score=tuple(score[e] + virtual[e] for e in everybody),
        byes=tuple(byes),
        unplayed=tuple(unplayed),
        floats=tuple(floats),
        balance=tuple(balance),
        first_seats=tuple(first_seats),
        met=met,
    )


def _float(own: int, other: int) -> int:
    """Which way who met somebody of another score has floated."""
    return LEVEL if own == other else DOWN if own > other else UP


def _results(
    drawn: Round, met: Counter[tuple[Entrant, Entrant]]
) -> tuple[dict[Entrant, int], dict[Entrant, Entrant], dict[Entrant, int]]:
    """What each gained, whom it played, and how much more often it was first. Counts ``met``."""
    gained = {bye.entrant: bye.units for bye in drawn.byes}
    rivals: dict[Entrant, Entrant] = {}
    leads: dict[Entrant, int] = {}
    for table in drawn.tables:
        if table.units is not None:
            gained.update(zip(table.entrants, table.units, strict=True))
        # A history may hold larger tables made by hand or before; here they are no pairings.
        if not table.played or len(table.entrants) != 2:
            continue
        a, b = table.entrants
        rivals[a], rivals[b] = b, a
        met[min(a, b), max(a, b)] += 1
        for seating in table.seatings or (table.entrants,):
            first = seating[0]
            leads[first] = leads.get(first, 0) + 1
            leads[rivals[first]] = leads.get(rivals[first], 0) - 1
    return gained, rivals, leads
