"""The best pairing of some entrants by the graph of all their pairs."""

from collections.abc import Collection

from aboveboard_referee.tournament.history import Entrant
from aboveboard_referee.tournament.swiss.costs import all_costs
from aboveboard_referee.tournament.swiss.field import Field, Pair
from aboveboard_referee.tournament.swiss.matching import best_matching


def best_of(
    field: Field, vertices: Collection[Entrant], forbidden: frozenset[Pair] = frozenset()
) -> frozenset[Pair] | None:
    """The best of all pairings without the forbidden pairs, or None if there is none.

    The vertices are even in number, BYE being one if somebody is to have the bye. Takes
    seconds for several hundred.
    """
    costs = all_costs(field, vertices, forbidden)
    ties = {pair: field.tie(*pair) for pair in costs}
    return best_matching(sorted(vertices), costs, ties)
