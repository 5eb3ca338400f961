"""What the areas' sums are worth at the end of a round, and who stands where."""

from aboveboard_referee.games.allegra.rules import ANY, NEVER, AllegraRules
from aboveboard_referee.games.contract import Seat


def round_scores(
    rules: AllegraRules, sums: tuple[int, ...], trigger: Seat | None
) -> tuple[int, ...]:
    """Each seat's points of a round; the trigger's are doubled if they are not the lowest.

    ``trigger`` is ``None`` for a round that ran out of turns: then nobody's are.
    """
    return tuple(
        2 * own if seat == trigger and _is_doubled(rules, sums, seat) else own
        for seat, own in enumerate(sums)
    )


def ranks(totals: tuple[int, ...]) -> tuple[int, ...]:
    """Places from 1, the lowest total first; equal totals share a place."""
    return tuple(1 + sum(other < own for other in totals) for own in totals)


def _is_doubled(rules: AllegraRules, sums: tuple[int, ...], trigger: Seat) -> bool:
    own = sums[trigger]
    others = sums[:trigger] + sums[trigger + 1 :]
    is_lowest = own < min(others) or (rules.tie_is_lowest and own == min(others))
    if is_lowest or rules.doubling == NEVER:
        return False
    return own > 0 or rules.doubling == ANY
