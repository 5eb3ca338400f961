"""The table of ``aboveboard ratings``: every number in it, and the same for people.

docs/ratings.md says what each of them means; programs rely on columns and keys.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from aboveboard_client.measuring.played import PlayedTournament
from aboveboard_referee.tournament.ratings.bootstrap import REPLICATES, Spread, spreads
from aboveboard_referee.tournament.ratings.control_variate import (
    Adjusted,
    Sample,
    adjust,
    slopes,
    variance_left,
)
from aboveboard_referee.tournament.ratings.plackett_luce import Rating, rate
from aboveboard_referee.tournament.ratings.student import LEVEL, Interval

_LUCK_COLUMNS = (
    "score",
    "score_low",
    "score_high",
    "luck",
    "adjusted",
    "adjusted_low",
    "adjusted_high",
    "variance_ratio",
)

Value = str | int | float | bool | None


@dataclass(frozen=True)
class Rated:
    """One entrant. ``adjusted`` is None where luck was not measured, or it played nothing."""

    name: str
    house: bool
    rating: Rating
    spread: Spread
    adjusted: Adjusted | None


@dataclass(frozen=True)
class GameLuck:
    """What luck did in a game: ``slope`` points of a match for one point of luck."""

    game: str
    slope: float
    variance_ratio: float | None

    @property
    def narrowing(self) -> float | None:
        """By how much an interval is narrower without it."""
        return None if self.variance_ratio is None else 1 - self.variance_ratio**0.5


@dataclass(frozen=True)
class Ratings:
    """Everybody by rating, the surest first; those who are not rated come last."""

    title: str
    rows: tuple[Rated, ...]
    with_luck: bool  # whether it was measured
    games: tuple[GameLuck, ...] = ()


def ratings_of(played: PlayedTournament, lucks: Sequence[Sequence[float]] | None = None) -> Ratings:
    """Rate a tournament; ``lucks`` are by match and seat. Raises ``RatingsMissing``."""
    ratings = rate(played.contests, len(played.names), played.house)
    spread = spreads(played.contests, played.fixed, played.tournament)
    adjusted: Sequence[Adjusted | None] = [None] * len(played.names)
    games: tuple[GameLuck, ...] = ()
    if lucks is not None:
        groups = samples_of(played, lucks)
        slope, left = slopes(groups), variance_left(groups)
        adjusted = [adjust(group, slope) if group else None for group in groups]
        games = tuple(GameLuck(game, slope[game], left.get(game)) for game in sorted(slope))
    rows = [
        Rated(name, entrant in played.house, ratings[entrant], spread[entrant], adjusted[entrant])
        for entrant, name in enumerate(played.names)
    ]
    rows.sort(key=lambda row: (not row.rating.rated, -row.rating.ordinal))
    return Ratings(played.title, tuple(rows), lucks is not None, games)


def samples_of(played: PlayedTournament, lucks: Sequence[Sequence[float]]) -> list[list[Sample]]:
    """What everybody got of each match that was a contest, with its luck there."""
    groups: list[list[Sample]] = [[] for _ in played.names]
    for match, by_seat in zip(played.matches, lucks, strict=True):
        if not match.contest.contested:
            continue
        luck_of = dict(zip(match.entrants, by_seat, strict=True))
        for entrant, own in match.contest.gained():
            groups[entrant].append(Sample(match.kind, own, luck_of[entrant]))
    return groups


# --- For programs ------------------------------------------------------------------------------


def values_of(ratings: Ratings) -> dict[str, Any]:
    """Everything as plain values; what has no end is None."""
    return {
        "title": ratings.title,
        "level": LEVEL,
        "replicates": REPLICATES,
        "entrants": [flat(row, with_luck=ratings.with_luck) for row in ratings.rows],
        "games": [
            {
                "game": game.game,
                "slope": _rounded(game.slope),
                "variance_ratio": _rounded(game.variance_ratio),
                "narrowing": _rounded(game.narrowing),
            }
            for game in ratings.games
        ],
    }


def flat(row: Rated, *, with_luck: bool) -> dict[str, Value]:
    """An entrant by column, numbers to six decimals."""
    rating, spread, adjusted = row.rating, row.spread, row.adjusted
    values: dict[str, Value] = {
        "name": row.name,
        "rated": rating.rated,
        "ordinal": _rounded(rating.ordinal),
        "mu": _rounded(rating.mu),
        "sigma": _rounded(rating.sigma),
        "contests": rating.contests,
        "points": _rounded(spread.total),
        **_ends("points", spread.points),
        "place_best": spread.best,
        "place_worst": spread.worst,
    }
    return values | _without_luck(adjusted) if with_luck else values


def _without_luck(adjusted: Adjusted | None) -> dict[str, Value]:
    if adjusted is None:
        return dict.fromkeys(_LUCK_COLUMNS)
    return {
        "score": _rounded(adjusted.mean),
        **_ends("score", adjusted.interval),
        "luck": _rounded(adjusted.luck),
        "adjusted": _rounded(adjusted.adjusted),
        **_ends("adjusted", adjusted.adjusted_interval),
        "variance_ratio": _rounded(adjusted.variance_ratio),
    }


def _ends(name: str, interval: Interval | None) -> dict[str, Value]:
    low, high = (None, None) if interval is None else map(_rounded, interval)
    return {f"{name}_low": low, f"{name}_high": high}


def _rounded(value: float | None) -> float | None:
    return round(value, 6) if value is not None and isfinite(value) else None


# --- For people ----------------------------------------------------------------------------------


def header(*, with_luck: bool) -> tuple[str, ...]:
    """The columns of ``cells``."""
    plain = ("rank", "name", "rating", "mu", "sigma", "matches", "points", "place")
    return (*plain, "score", "luck", "without luck") if with_luck else plain


def cells(rank: int, row: Rated, *, with_luck: bool) -> list[str]:
    """An entrant as a line of the table."""
    rating, spread = row.rating, row.spread
    line = [
        str(rank) if rating.rated else "house",
        row.name,
        f"{rating.ordinal:.1f}",
        f"{rating.mu:.1f}",
        f"{rating.sigma:.1f}",
        str(rating.contests),
        _with_ends(spread.total, spread.points, 1),
        str(spread.best) if spread.best == spread.worst else f"{spread.best} to {spread.worst}",
    ]
    if with_luck:
        adjusted = row.adjusted
        line += (
            ["", "", ""]
            if adjusted is None
            else [
                _with_ends(adjusted.mean, adjusted.interval, 2),
                f"{adjusted.luck:+.2f}",
                _with_ends(adjusted.adjusted, adjusted.adjusted_interval, 2),
            ]
        )
    return line


def game_lines(ratings: Ratings) -> list[str]:
    """What luck did in each game, a line a game."""
    lines = []
    for game in ratings.games:
        if game.variance_ratio is None or game.narrowing is None:
            lines.append(f"{game.game}: too few matches to tell what luck did")
        elif game.narrowing <= 0:
            lines.append(f"{game.game}: no interval is narrower for taking luck out")
        else:
            lines.append(
                f"{game.game}: {1 - game.variance_ratio:.0%} of a match's variance was luck that "
                f"could be measured; intervals are {game.narrowing:.0%} narrower without it"
            )
    return lines


def _with_ends(value: float, interval: Interval | None, decimals: int) -> str:
    if interval is None:
        return f"{value:.{decimals}f}"
    low, high = interval
    return f"{value:.{decimals}f} ({low:.{decimals}f} to {high:.{decimals}f})"
