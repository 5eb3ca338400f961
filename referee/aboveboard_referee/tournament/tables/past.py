"""What the earlier rounds say to the drawing of the next one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.history import (
    MOST_SEATS,
    PAIRING_BYE,
    SEED_BYE,
    Entrant,
    History,
    Round,
    Table,
    scores,
)


@dataclass(frozen=True, slots=True)
class Past:
    """All by entrant.

    ``repeats[a]`` are those whom ``a`` has sat with where both appeared, and the square of how
    often. ``seats[a]`` is how often ``a`` has had each seat, the first to the seventh, in the
    matches of tables where it and another appeared. ``unplayed`` are the rounds in which it
    sat at none. ``byes`` are those of them that gave it a pairing bye or a seed's bye, or
    as much as the first place gives.
    """

    scores: tuple[int, ...]
    repeats: tuple[dict[Entrant, int], ...]
    seats: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]
    unplayed: tuple[int, ...]


def look_back(history: History) -> Past:
    """What was, of all rounds that were drawn."""
    met: list[dict[Entrant, int]] = [{} for _ in range(history.entrants)]
    seats = [[0] * MOST_SEATS for _ in range(history.entrants)]
    byes = [0] * history.entrants
    unplayed = [len(history.rounds)] * history.entrants
    for drawn in history.rounds:
        for table in drawn.tables:
            if table.played:
                came = [entrant for entrant in table.entrants if entrant not in table.forfeits]
                _meet(came, met)
                _sit(table, seats)
                for entrant in came:
                    unplayed[entrant] -= 1
        for entrant in _had_byes(drawn, history.point):
            byes[entrant] += 1
    return Past(
        tuple(scores(history)),
        tuple({other: times * times for other, times in row.items()} for row in met),
        tuple(map(tuple, seats)),
        tuple(byes),
        tuple(unplayed),
    )


def _meet(came: Sequence[Entrant], met: list[dict[Entrant, int]]) -> None:
    for a in came:
        row = met[a]
        for b in came:
            if a != b:
                row[b] = row.get(b, 0) + 1


def _sit(table: Table, seats: list[list[int]]) -> None:
    for seating in table.seatings or (table.entrants,):
        for seat, entrant in enumerate(seating):
            if entrant not in table.forfeits:
                seats[entrant][seat] += 1


def _had_byes(drawn: Round, point: int) -> Iterator[Entrant]:
    """Whom a round gave, without a contest, what a bye or the first place gives."""
    for bye in drawn.byes:
        if bye.kind in (PAIRING_BYE, SEED_BYE) or bye.units == point:
            yield bye.entrant
    for table in drawn.tables:
        for entrant in table.entrants:
            alone = entrant in table.forfeits or not table.played
            if alone and table.decided and table.gained(entrant) == point:
                yield entrant
