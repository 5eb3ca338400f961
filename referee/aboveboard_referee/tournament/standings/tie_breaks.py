"""Every tie-break by its name. All are whole numbers of a stated scale, more being better."""

from collections.abc import Callable, Sequence
from itertools import accumulate

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.standings.opponents import MEAN, contributions_to, cut
from aboveboard_referee.tournament.standings.parts import Kind
from aboveboard_referee.tournament.standings.past import Past

DIRECT = "direct"
"""The one tie-break that is of those who are tied, and not of an entrant alone."""

CUTS = {
    "buchholz": (0, 0),
    "buchholz-cut1": (1, 0),
    "buchholz-cut2": (2, 0),
    "median-buchholz": (1, 1),
}
"""How many of the lowest and highest opponents each form of Buchholz leaves out."""

SONNEBORN_BERGER = "sonneborn-berger"

PROGRESSIVE = {"progressive": 0, "progressive-cut1": 1}
"""How many of the first rounds each form of the progressive score leaves out."""

WINS = "wins"
FULL_POINTS = "full-points"

DEFAULT_TIE_BREAKS = ("buchholz-cut1", "buchholz", "sonneborn-berger", "direct", "wins")
"""For two seats: who met the stronger, less one unlucky pairing; then all of them; then whom
the points came from; then who did better against the other.

What Swiss tournaments under FIDE's rules commonly have. Direct encounter comes late, since
those tied have seldom all met, and wins last: at equal points they put a win and a loss above
two draws.
"""

TABLE_DEFAULT = ("buchholz", "sonneborn-berger", "direct", "wins")
"""For tables of three seats and more. A table's opponent is a mean already, so that one weak
co-player is no reason to leave a whole round out."""


def _buchholz(low: int, high: int) -> Callable[[Past, Entrant], int]:
    def value(past: Past, entrant: Entrant) -> int:
        all_rounds = contributions_to(past, entrant)
        left_out = cut(all_rounds, low, high)
        return sum(one.score for one in all_rounds) - sum(one.score for one in left_out)

    return value


def _sonneborn_berger(past: Past, entrant: Entrant) -> int:
    return sum(one.product for one in contributions_to(past, entrant))


def _progressive(without: int) -> Callable[[Past, Entrant], int]:
    def value(past: Past, entrant: Entrant) -> int:
        decided = (part.units for part in past.parts[entrant] if part.kind is not Kind.OPEN)
        return sum(list(accumulate(decided))[without:])

    return value


def _wins(past: Past, entrant: Entrant) -> int:
    return sum(part.wins for part in past.parts[entrant])


def _full_points(past: Past, entrant: Entrant) -> int:
    return sum(part.units == past.point for part in past.parts[entrant])


VALUES: dict[str, Callable[[Past, Entrant], int]] = {
    **{name: _buchholz(low, high) for name, (low, high) in CUTS.items()},
    SONNEBORN_BERGER: _sonneborn_berger,
    **{name: _progressive(without) for name, without in PROGRESSIVE.items()},
    WINS: _wins,
    FULL_POINTS: _full_points,
}
"""What each tie-break is for one entrant; all but ``DIRECT``."""

TIE_BREAKS = (*VALUES, DIRECT)
"""Every name that a tournament may give."""


def check_tie_breaks(names: Sequence[str]) -> None:
    """Raises ValueError for an unknown name, and for one given twice."""
    unknown = [name for name in names if name not in TIE_BREAKS]
    if unknown:
        raise ValueError(f"unknown tie-break {unknown[0]}; known are {', '.join(TIE_BREAKS)}")
    if len(set(names)) != len(names):
        raise ValueError("a tie-break is named twice")


def scale(name: str, point: int) -> int:
    """How much of a tie-break's whole number makes one as people know it.

    Buchholz and progressive scores are in points then, Sonneborn-Berger in points of points;
    the others are counts as they are. ``point`` is ``History.point``.
    """
    if name in CUTS:
        return MEAN * point
    if name == SONNEBORN_BERGER:
        return MEAN * point * point
    return point if name in PROGRESSIVE else 1


def shown(value: int, one: int) -> str:
    """``value / one`` for people: at most three decimals, the last one rounded half up."""
    whole, thousandths = divmod((2000 * value + one) // (2 * one), 1000)
    return f"{whole}.{thousandths:03}".rstrip("0").rstrip(".")
