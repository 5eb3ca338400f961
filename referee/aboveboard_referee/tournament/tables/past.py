"""What the earlier rounds say to the drawing of the next one."""

from dataclasses import dataclass

from aboveboard_referee.tournament.history import (
    MOST_SEATS,
    PAIRING_BYE,
    Entrant,
    History,
    Table,
    scores,
)


@dataclass(frozen=True, slots=True)
class Past:
    """All by entrant.

    ``repeats[a]`` are those whom ``a`` has sat with, and the square of how often; a seat that
    its bot never came to counts as well. ``seats[a]`` is how often ``a`` has had each seat,
    the first to the seventh, in matches that it came to. ``byes`` are the rounds that gave
    it points for nothing: a pairing bye, or a table where nobody else appeared.
    ``unplayed`` are the rounds in which it sat at no table where it and another appeared.
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
        for bye in drawn.byes:
            byes[bye.entrant] += bye.kind == PAIRING_BYE
        for table in drawn.tables:
            _meet(table, met)
            came = [entrant for entrant in table.entrants if entrant not in table.forfeits]
            if not table.played:
                for entrant in came:
                    byes[entrant] += 1
                continue
            for entrant in came:
                unplayed[entrant] -= 1
            _sit(table, seats)
    return Past(
        tuple(scores(history)),
        tuple({other: times * times for other, times in row.items()} for row in met),
        tuple(map(tuple, seats)),
        tuple(byes),
        tuple(unplayed),
    )


def _meet(table: Table, met: list[dict[Entrant, int]]) -> None:
    for a in table.entrants:
        row = met[a]
        for b in table.entrants:
            if a != b:
                row[b] = row.get(b, 0) + 1


def _sit(table: Table, seats: list[list[int]]) -> None:
    for seating in table.seatings or (table.entrants,):
        for seat, entrant in enumerate(seating):
            if entrant not in table.forfeits:
                seats[entrant][seat] += 1
