"""The table: half points first, then the tournament's tie-breaks, then a shared rank."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from aboveboard_referee.tournament.swiss_1.past import Past, look_back
from aboveboard_referee.tournament.swiss_1.record import Entrant, Round, check_rounds

DEFAULT_TIE_BREAKS = ("buchholz", "direct", "wins")
"""Who met the stronger opponents, then who did better among the tied, then who won more.

The order that Swiss tournaments commonly have. Scores are equal at this point, so that
wins alone would only put a win and a loss above two draws.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant's line of the table.

    ``half_points`` count a bye in full, ``wins`` and ``matches`` do not count it.
    ``buchholz`` and ``direct`` are in half points as well; ``direct`` is None where it is
    no tie-break, or did not apply.
    """

    entrant: Entrant
    rank: int  # from 1; entrants that nothing separates share it, and the next is skipped
    half_points: int
    wins: int
    matches: int
    byes: int
    buchholz: int
    direct: int | None = None


def table(
    entrants: int, rounds: Sequence[Round], tie_breaks: Sequence[str], per_pairing: int = 1
) -> tuple[Row, ...]:
    """The standings after these rounds, sorted by rank and then by Entry order.

    ``per_pairing`` is how many matches a pairing is. Each tie-break is applied in turn to
    those whom all before it left together, more being better:

    - ``wins``: matches won; a bye is none.
    - ``buchholz``: the sum of the half points of the opponents in finished pairings, one
      met twice counted twice. A bye has no opponent and adds nothing.
    - ``direct``: half points from the pairings of those tied among each other, if every
      two of them have finished one; otherwise it separates nobody.

    Unfinished matches count for nothing yet. Raises ValueError on an unknown tie-break,
    on one named twice, and on rounds that ``check_rounds`` refuses.
    """
    unknown = [name for name in tie_breaks if name not in _TIE_BREAKS]
    if unknown:
        raise ValueError(f"unknown tie-break {unknown[0]}; known are {', '.join(_TIE_BREAKS)}")
    if len(set(tie_breaks)) != len(tie_breaks):
        raise ValueError("a tie-break is named twice")
    check_rounds(entrants, rounds, per_pairing)
    past = look_back(entrants, rounds, per_pairing)

    direct: dict[Entrant, int] = {}
    tied = _split(list(range(entrants)), dict(enumerate(past.half_points)))
    for name in tie_breaks:
        parts: list[Group] = []
        for group in tied:
            value = _TIE_BREAKS[name](group, past)
            if name == "direct":
                direct.update(value)
            parts += _split(group, value)
        tied = parts

    rows: list[Row] = []
    for group in tied:
        rank = len(rows) + 1
        rows += [_row(entrant, rank, past, direct.get(entrant)) for entrant in group]
    return tuple(rows)


Group = list[Entrant]
"""Entrants that nothing has separated yet, ascending."""


def _split(group: Group, value: Mapping[Entrant, int]) -> list[Group]:
    """The group in parts of equal value, the greatest first; all of it where there is none."""
    if not value:
        return [group]
    levels = sorted(set(value.values()), reverse=True)
    return [[entrant for entrant in group if value[entrant] == level] for level in levels]


def _wins(group: Group, past: Past) -> Mapping[Entrant, int]:
    return {entrant: past.wins[entrant] for entrant in group}


def _buchholz(group: Group, past: Past) -> Mapping[Entrant, int]:
    return {entrant: _opponents_half_points(entrant, past) for entrant in group}


def _direct(group: Group, past: Past) -> Mapping[Entrant, int]:
    """Nothing if the group is one entrant, or two in it have not met."""
    if len(group) == 1 or any(pair not in past.gained for pair in permutations(group, 2)):
        return {}
    points = dict.fromkeys(group, 0)
    for entrant, other in permutations(group, 2):
        points[entrant] += past.gained[entrant, other]
    return points


_TIE_BREAKS = {"wins": _wins, "buchholz": _buchholz, "direct": _direct}
TIE_BREAKS = frozenset(_TIE_BREAKS)
"""Every name that a tournament may give."""


def _opponents_half_points(entrant: Entrant, past: Past) -> int:
    return sum(past.half_points[opponent] for opponent in past.opponents[entrant])


def _row(entrant: Entrant, rank: int, past: Past, direct: int | None) -> Row:
    return Row(
        entrant=entrant,
        rank=rank,
        half_points=past.half_points[entrant],
        wins=past.wins[entrant],
        matches=past.matches[entrant],
        byes=past.byes[entrant],
        buchholz=_opponents_half_points(entrant, past),
        direct=direct,
    )
