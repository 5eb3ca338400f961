"""Ratings by openskill's Plackett-Luce model, folded in canonical order.

Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011). Every
entrant begins with mu 25 and sigma 25/3 and keeps a normal belief about its strength, which
each contest moves. An order of contests gives one result on every machine.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.ratings.contest import Contest

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

SURE = 3
"""How many sigma below mu somebody is taken for, who is ranked by what is certain."""


class RatingsMissing(Exception):
    """The package ``openskill``, which makes ratings, is not installed."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of an entrant: its strength is ``mu``, give or take ``sigma``.

    ``contests`` were folded into it. It is not ``rated`` where it was rated for the sake of
    others only, and takes no place in a list.
    """

    mu: float
    sigma: float
    contests: int
    rated: bool

    @property
    def ordinal(self) -> float:
        """``mu - 3·sigma``: nearly certainly not too high, so what a list is sorted by."""
        return self.mu - SURE * self.sigma


def rate(
    contests: Iterable[Contest], entrants: int, unrated: Collection[Entrant] = ()
) -> tuple[Rating, ...]:
    """Everybody's rating by index after all contests, which are taken in canonical order.

    Those who are ``unrated`` (an organiser's own house bots) have a rating as well, since what
    others did against them says something about those others. Contests where somebody never
    came count for nothing. Raises ``RatingsMissing``.
    """
    model = _model()
    beliefs = [model.rating() for _ in range(entrants)]
    counted = [0] * entrants
    for contest in sorted(contests, key=lambda contest: contest.place):
        if not contest.contested:
            continue
        teams = [[beliefs[entrant] for entrant in side] for side in contest.sides]
        after = model.rate(teams, ranks=[float(rank) for rank in contest.ranks])
        for side, team in zip(contest.sides, after, strict=True):
            for entrant, belief in zip(side, team, strict=True):
                beliefs[entrant] = belief
                counted[entrant] += 1
    return tuple(
        Rating(belief.mu, belief.sigma, counted[entrant], entrant not in unrated)
        for entrant, belief in enumerate(beliefs)
    )


def _model() -> "PlackettLuce":
    try:
        from openskill.models import PlackettLuce  # an extra: only who asks for ratings needs it
    except ImportError as error:
        raise RatingsMissing("openskill is not installed") from error
    return PlackettLuce()
