"""Contests between entrants of known strength."""

from random import Random

from aboveboard_referee.tournament.ratings.contest import Contest, Place


def duel(
    first: int,
    second: int,
    points: float,
    place: tuple[int, int, int] = (1, 0, 0),
    *,
    deals: str = "",
    worth: float = 1.0,
    contested: bool = True,
) -> Contest:
    """A contest of two; ``points`` are the first one's, from 0 to 1."""
    ranks = (1, 2) if points > 0.5 else (2, 1) if points < 0.5 else (1, 1)
    at = Place(*place)
    return Contest(
        at,
        ((first,), (second,)),
        ranks,
        (points, 1 - points),
        deals or f"r{at.round}-b{at.table}-{at.match}",
        worth,
        contested,
    )


def everybody(strengths: list[float], rounds: int, random: Random) -> list[Contest]:
    """Everybody meets everybody in each round; the difference of strengths is what the
    stronger one wins more often than half of the time.
    """
    return [
        duel(a, b, float(random.random() < 0.5 + one - strengths[b]), (number, a, b))
        for number in range(1, rounds + 1)
        for a, one in enumerate(strengths)
        for b in range(a + 1, len(strengths))
    ]
