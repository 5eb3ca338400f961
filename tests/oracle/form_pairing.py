"""What all pairing systems share: who met whom, seats, ties (docs/pairing.md, the beginning)."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracle.draw import tie_hash
from tests.oracle.form_standings import PAIRING, SEED, History

NOBODY = 2**32 - 1
"""The number of the bye."""


@dataclass(frozen=True)
class Ask:
    """What a round is drawn for. ``present`` and ``left`` are by initial order."""

    number: int
    order: tuple[int, ...]
    present: tuple[int, ...]
    left: frozenset[int]  # who has withdrawn by this round
    seed: bytes
    by_hand: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Plan:
    """What systems read of a manifest; ``bye`` in units."""

    rounds: int
    bye: int
    legs: int
    reach: int
    accelerated: int
    divisions: tuple[int, ...]  # by entrant, from 1


@dataclass(frozen=True)
class Drawn:
    """Tables by board, by seat, and byes: kind and units by entrant."""

    tables: list[tuple[int, ...]]
    byes: dict[int, tuple[int, int]]


def tie_number(seed: bytes, a: int, b: int) -> int:
    """The first 64 bits. A round uses less of them only where fields are larger than here."""
    return int.from_bytes(tie_hash(seed, a, b)[:8], "big")


def lower_is_first(seed: bytes, a: int, b: int) -> bool:
    return tie_hash(seed, a, b)[31] & 1 == 0


def times_met(history: History, a: int, b: int) -> int:
    """At tables to which both came."""
    return sum(
        a in table.came and b in table.came for each in history.rounds for table in each.tables
    )


def _first_seats(history: History, entrant: int, number: int, *, of_all: bool) -> int:
    """Matches in the first seat less matches in the second, in one round."""
    total = 0
    for table in history.rounds[number].tables:
        if table.was_played or of_all:
            for match in table.matches[: table.done]:
                total += match.entrants[0] == entrant
                total -= match.entrants[1] == entrant
    return total


def balance(history: History, entrant: int, *, of_all: bool = False) -> int:
    """At tables that were played, or at all of them."""
    rounds = range(len(history.rounds))
    return sum(_first_seats(history, entrant, i, of_all=of_all) for i in rounds)


def simple_seats(history: History, seed: bytes, a: int, b: int) -> tuple[int, int]:
    """First is who has been it less often, net of the second seat, else by lot."""
    mine, other = (balance(history, e, of_all=True) for e in (a, b))
    return _seats(seed, a, b, mine, other)


def _seats(seed: bytes, a: int, b: int, mine: int, other: int) -> tuple[int, int]:
    if mine != other:
        return (a, b) if mine < other else (b, a)
    low, high = sorted((a, b))
    return (low, high) if lower_is_first(seed, a, b) else (high, low)


def swiss_seats(history: History, seed: bytes, a: int, b: int) -> tuple[int, int]:
    """The same, but that the seats of earlier rounds come before the lot."""
    mine, other = balance(history, a), balance(history, b)
    if mine == other:
        for number in reversed(range(len(history.rounds))):
            more_a = _first_seats(history, a, number, of_all=False) > 0
            more_b = _first_seats(history, b, number, of_all=False) > 0
            if more_a != more_b:
                return (b, a) if more_a else (a, b)
    return _seats(seed, a, b, mine, other)


def by_board(
    tables: Sequence[tuple[int, ...]], scores: Sequence[int], order: Sequence[int]
) -> list[tuple[int, ...]]:
    """The higher score first, then the lower, then the better rank."""

    def board(ends: tuple[int, ...]) -> tuple[int, int, int]:
        found = [scores[e] for e in ends]
        return -max(found), -min(found), min(order.index(e) for e in ends)

    return sorted(tables, key=board)


def byes_so_far(history: History, entrant: int) -> int:
    """Rounds without a game that gave a pairing bye, a seed's, or as much as a point."""
    found = 0
    for each in history.rounds:
        table = each.table_of(entrant)
        if table is None:
            kind, units = each.byes.get(entrant, (0, 0))
            found += kind in (PAIRING, SEED) or units >= history.point
        elif not (table.was_played and entrant in table.came):
            found += history.gained(entrant, each) >= history.point
    return found


def unplayed(history: History, entrant: int) -> int:
    found = 0
    for each in history.rounds:
        table = each.table_of(entrant)
        found += table is None or not table.was_played or entrant not in table.came
    return found
