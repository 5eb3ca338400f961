"""From pairs to a round: which of a pair has the first seat, and whose table comes first."""

from collections.abc import Collection, Sequence

from aboveboard_referee.fairplay.draw import tie_hash
from aboveboard_referee.tournament.history import PAIRING_BYE, Ask, Bye, Drawn, Entrant
from aboveboard_referee.tournament.swiss.field import BYE, Field, Pair
from aboveboard_referee.tournament.systems.plan import Plan


def round_of(plan: Plan, field: Field, ask: Ask, pairs: Collection[Pair]) -> Drawn:
    """The round that these pairs are, the tables made by hand among them."""
    tables: list[tuple[Entrant, ...]] = [*ask.by_hand]
    tables += (seat(field, a, b) for a, b in pairs if b != BYE)
    tables.sort(key=lambda table: standing(field, table))
    byes = (Bye(a, PAIRING_BYE, plan.bye) for a, b in pairs if b == BYE)
    return Drawn(tuple(tables), tuple(byes))


def seat(field: Field, a: Entrant, b: Entrant) -> tuple[Entrant, Entrant]:
    """The two by seat. First is who has had the first seat less often, net of the others.

    If that is equal, first is who was not first when, looking back from the latest round,
    one was for the last time and the other not; and if there is no such round, the lower
    index where the last bit of the pair's tie hash is 0, else the higher.
    """

    def had(entrant: Entrant) -> tuple[int, tuple[int, ...]]:
        return field.past.balance[entrant], field.past.first_seats[entrant]

    if had(a) == had(b):
        lower, higher = min(a, b), max(a, b)
        return (higher, lower) if tie_hash(field.seed, a, b)[-1] & 1 else (lower, higher)
    return (a, b) if had(a) < had(b) else (b, a)


def standing(field: Field, table: Sequence[Entrant]) -> tuple[int, int, int]:
    """A sort key of tables: higher scores first, then the initial rank."""
    low, high = sorted(field.past.score[entrant] for entrant in table)
    return -high, -low, min(field.place[entrant] for entrant in table)
