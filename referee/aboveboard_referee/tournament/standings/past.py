"""What the tie-breaks read of a history, counted once for all of them."""

from dataclasses import dataclass

from aboveboard_referee.tournament.history import Entrant, History, check_history, scores
from aboveboard_referee.tournament.standings.parts import Kind, Parts, parts_of


@dataclass(frozen=True, slots=True)
class Past:
    """A history by entrant: every tuple but ``order`` is.

    ``adjusted`` are the units that an entrant has as somebody's opponent (C.07, 16.3).
    ``draw`` is half of a point. ``rounds`` is how many there were, without one of which
    nothing is decided yet.
    """

    point: int
    draw: int
    rounds: int
    predetermined: bool
    order: tuple[Entrant, ...]
    parts: tuple[Parts, ...]
    units: tuple[int, ...]
    adjusted: tuple[int, ...]


def look_back(history: History, predetermined: bool = False) -> Past:
    """Raises ValueError for a history that ``check_history`` refuses, or an odd point."""
    check_history(history)
    if history.point % 2 or history.point < 2:
        raise ValueError(f"a point of {history.point} units cannot be halved")
    parts = parts_of(history, predetermined)
    units = tuple(scores(history))
    draw = history.point // 2
    return Past(
        point=history.point,
        draw=draw,
        rounds=sum(
            bool(drawn.byes) or any(table.decided for table in drawn.tables)
            for drawn in history.rounds
        ),
        predetermined=predetermined,
        order=history.order,
        parts=parts,
        units=units,
        adjusted=units if predetermined else tuple(_adjusted(own, draw) for own in parts),
    )


def _adjusted(parts: Parts, draw: int) -> int:
    """The sum of its rounds, where each bye asked for that no other round follows is a draw.

    Otherwise it would cost or win its earlier opponents something that it left (C.07,
    16.2.5 and 16.3.2). Rounds that it chose not to play do not count as following, and what is
    not decided does not yet.
    """
    total = 0
    left = True
    for part in reversed(parts):
        left = left and (part.voluntary or part.kind is Kind.OPEN)
        total += draw if left and part.kind is Kind.REQUESTED else part.units
    return total
