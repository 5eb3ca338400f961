"""Who plays whom in the next round: a Swiss system by one optimal matching.

A round is the best of all possible ones, by these measures in strict order:

1. everybody present is paired, but for one who gets the bye if their number is odd;
2. as few pairs as can be have met before, and those that must have met least often;
3. the bye goes to one of those with the fewest byes, and of them to one with the
   lowest score;
4. the sum over pairs of the squared difference in half points is least (half points of
   matches, so that a pairing of many matches counts in as many steps as it can give);
5. first seats even out: the sum over entrants of (times first - times second)², after
   this round, is least; where a pairing plays each game from either seat they always are;
6. in a first round, as few pairs as can be are within one half of the initial order of
   those present, the bye being one of the upper half;
7. the sum over pairs of the leading bits of ``tie_hash(seed, a, b)`` is least. A bye
   counts as a pair with the number 2^32 - 1.

Nothing but the last measure depends on the seed, and it leaves one round standing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from aboveboard_referee.fairplay.draw import tie_hash
from aboveboard_referee.tournament.swiss_1.matching import Cost, Edge, heaviest, weigh
from aboveboard_referee.tournament.swiss_1.past import Past, look_back
from aboveboard_referee.tournament.swiss_1.record import Entrant, Round, check_rounds

SYSTEM = "swiss"
VERSION = 1  # raised whenever any field, history and seed would be paired differently

BYE = 2**32 - 1
"""The opponent of whoever gets the bye, in a tie hash; no entrant has this index."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """A round's pairs by seat, the first seat first; the pairs of the leaders come first."""

    pairs: tuple[tuple[Entrant, Entrant], ...]
    byes: tuple[Entrant, ...]


def pair(
    entrants: int,
    rounds: Sequence[Round],
    seed: bytes,
    order: Sequence[Entrant],
    absent: frozenset[Entrant] = frozenset(),
    per_pairing: int = 1,
) -> Pairs:
    """The pairs of the round after ``rounds``; the same for everybody who asks.

    ``seed`` is the round's 32 bytes, ``order`` all entrants in their initial order, and
    each earlier pairing was ``per_pairing`` matches.
    2,000 entrants over 20 rounds always fit; ``matching.weigh`` says why and raises
    ValueError where a field does not. So do an earlier round with an unfinished match,
    rounds that ``check_rounds`` refuses, and an order that is none.
    """
    check_rounds(entrants, rounds, per_pairing)
    for played in rounds:
        for match in played.matches:
            if match.half_points is None:
                raise ValueError(f"round {played.number}: match {match.match} is not finished")
    if sorted(order) != list(range(entrants)):
        raise ValueError("the initial order does not name every entrant once")
    if not absent <= set(order):
        raise ValueError(f"there is no entrant {min(absent - set(order))}")

    present = [entrant for entrant in order if entrant not in absent]
    if not present:
        return Pairs((), ())
    past = look_back(entrants, rounds, per_pairing)
    costs = dict(_costs(present, past, first_round=not rounds))
    # | 64 leading bits of SHA-256( T(tie) ‖ seed ‖ u32 lower ‖ u32 higher ) |
    ties = {edge: int.from_bytes(tie_hash(seed, *edge)[:8], "big") for edge in costs}
    weights = weigh(costs, ties, pairs=(len(present) + 1) // 2)
    matched = heaviest((a, b, weight) for (a, b), weight in weights.items())

    seated = [_seat(a, b, past, seed) for a, b in matched if b != BYE]
    place = {entrant: i for i, entrant in enumerate(order)}
    seated.sort(key=lambda ends: _standing(ends, past, place))
    return Pairs(tuple(seated), tuple(a for a, b in matched if b == BYE))


def _costs(
    present: Sequence[Entrant], past: Past, *, first_round: bool
) -> Iterator[tuple[Edge, Cost]]:
    upper = set(present[: len(present) // 2])
    widest = max(past.seat_balance) - min(past.seat_balance)
    for a, b in combinations(sorted(present), 2):
        met = past.meetings.get((a, b), 0)
        yield (
            (a, b),
            Cost(
                rematch=int(met > 0),
                meetings=met,
                bye=0,
                score=(past.half_points[a] - past.half_points[b]) ** 2,
                # With x ≥ y the balances of the two, giving y the first seat turns
                # x² + y² into (x-1)² + (y+1)² = x² + y² + 2 - 2(x-y): the sum of squares
                # is least where the sum of the differences is greatest.
                seats=widest - abs(past.seat_balance[a] - past.seat_balance[b]),
                halves=int(first_round and (a in upper) == (b in upper)),
            ),
        )
    if len(present) % 2:
        claims = [(past.byes[entrant], past.half_points[entrant]) for entrant in present]
        rank = {claim: i for i, claim in enumerate(sorted(set(claims)))}
        for entrant, claim in zip(present, claims, strict=True):
            # The bye leaves a balance as it is, which is a difference of 0.
            yield (
                (entrant, BYE),
                Cost(
                    0, 0, rank[claim], 0, seats=widest, halves=int(first_round and entrant in upper)
                ),
            )


def _seat(a: Entrant, b: Entrant, past: Past, seed: bytes) -> tuple[Entrant, Entrant]:
    """The two by seat. First is who has had the first seat less often, net of the second.

    If that is equal, first is who was not first when, looking back from the latest
    round, one was for the last time and the other not; and if there is no such round,
    the lower index where the last bit of the pair's tie hash is 0, else the higher.
    """

    def had(entrant: Entrant) -> tuple[int, tuple[int, ...]]:
        return past.seat_balance[entrant], past.first_seats[entrant]

    if had(a) == had(b):
        lower, higher = min(a, b), max(a, b)
        return (higher, lower) if tie_hash(seed, a, b)[-1] & 1 else (lower, higher)
    return (a, b) if had(a) < had(b) else (b, a)


def _standing(
    ends: tuple[Entrant, Entrant], past: Past, place: dict[Entrant, int]
) -> tuple[int, int, int]:
    """A sort key: higher scores first, then the initial order."""
    low, high = sorted(past.half_points[entrant] for entrant in ends)
    return -high, -low, min(place[entrant] for entrant in ends)
