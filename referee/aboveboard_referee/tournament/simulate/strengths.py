"""How strong made-up entrants are, and how their matches end."""

from collections.abc import Sequence
from dataclasses import dataclass

from aboveboard_referee.tournament.history import place_units
from aboveboard_referee.tournament.simulate.stream import Stream

SCALE = 400
"""Rating points that make somebody ten times as likely to win as to lose, as Elo has it."""


@dataclass(frozen=True, slots=True)
class Model:
    """How matches end. Between two, Davidson's: wins, draws and losses are as

    ::

        x  :  v·√(x·y)  :  y        x = 10^(rating / 400), y the same of the other

    with ``v`` such that ``draws`` of the matches between equals are drawn (from 0 to under 1).
    The first seat is worth ``first_seat`` rating points. At larger tables places are taken
    from the first on, each by one of those left with a likelihood as x (Plackett-Luce); there
    are no draws there, and no seat is worth more.
    """

    draws: float = 0.0
    first_seat: int = 0


def strengths_of(stream: Stream, entrants: int, sigma: int) -> tuple[int, ...]:
    """Ratings around 0 by chance, in whole points, with ``sigma`` as standard deviation."""
    return tuple(stream.bell() * sigma // 65_536 for _ in range(entrants))


def pair_units(stream: Stream, model: Model, ratings: Sequence[int]) -> tuple[int, int]:
    """The half points of one match of two, by seat."""
    gap = (ratings[0] + model.first_seat - ratings[1]) / SCALE
    # Odds against the second seat's 1; a gap beyond any doubt must not overflow.
    odds = 10.0 ** max(-300.0, min(300.0, gap))
    drawn = 2 * model.draws / (1 - model.draws) * odds**0.5
    at = stream.fraction() * (odds + drawn + 1)
    if at < odds:
        return 2, 0
    return (1, 1) if at < odds + drawn else (0, 2)


def table_units(stream: Stream, ratings: Sequence[int]) -> tuple[int, ...]:
    """What each seat of one match of three or more gains, in ``TABLE_POINT`` units."""
    best = max(ratings)
    weights = [10.0 ** max(-300.0, (rating - best) / SCALE) for rating in ratings]
    left = list(range(len(ratings)))
    ranks = [0] * len(ratings)
    for rank in range(1, len(ratings) + 1):
        at = stream.fraction() * sum(weights[seat] for seat in left)
        chosen = left[-1]
        for seat in left:
            at -= weights[seat]
            if at < 0:
                chosen = seat
                break
        left.remove(chosen)
        ranks[chosen] = rank
    return place_units(ranks, [(seat,) for seat in range(len(ratings))])
