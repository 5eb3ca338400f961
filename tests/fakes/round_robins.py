"""Round-robins of chance results, in which some do not appear."""

from random import Random

from aboveboard_referee.tournament.history import (
    PAIRING_BYE,
    Bye,
    Entrant,
    History,
    Round,
    Table,
)


def round_robin_of_chance(chance: Random, entrants: int, trouble: float = 0.15) -> History:
    """Everybody meets everybody once, some by forfeit; of an odd field one is free each round."""
    places = list(range(entrants + entrants % 2))
    rounds = []
    for number in range(1, len(places)):
        half = len(places) // 2
        pairs = list(zip(places[:half], places[half:][::-1], strict=True))
        rounds.append(
            Round(
                number,
                tuple(
                    _pairing(chance, f"r{number}-t{i}", ends, trouble)
                    for i, ends in enumerate(pairs)
                    if max(ends) < entrants
                ),
                tuple(Bye(min(ends), PAIRING_BYE, 0) for ends in pairs if max(ends) >= entrants),
            )
        )
        places = [places[0], places[-1], *places[1:-1]]
    return History(entrants, 2, tuple(range(entrants)), tuple(rounds))


def _pairing(chance: Random, name: str, ends: tuple[Entrant, Entrant], trouble: float) -> Table:
    if chance.random() < trouble:
        missing = frozenset(chance.choice((ends[:1], ends[1:], ends)))
        first, second = (0 if one in missing else 2 for one in ends)
        return Table(name, ends, (first, second), (first // 2, second // 2), missing, (ends,))
    first = chance.randint(0, 2)
    return Table(
        name, ends, (first, 2 - first), (first // 2, (2 - first) // 2), frozenset(), (ends,)
    )
