"""Those whom a round is drawn for, with everything that a pair's costs follow from."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from aboveboard_referee.counted import counted
from aboveboard_referee.fairplay.draw import tie_hash
from aboveboard_referee.tournament.history import Ask, Entrant, History
from aboveboard_referee.tournament.swiss.acceleration import accelerate
from aboveboard_referee.tournament.swiss.past import Past, look_back
from aboveboard_referee.tournament.systems.past import check_asked
from aboveboard_referee.tournament.systems.plan import Plan

BYE = 2**32 - 1
"""The opponent of whoever gets the bye, in a pair and its tie hash; nobody has this index."""

Pair = tuple[Entrant, Entrant]
"""Two who may be paired, the lower first. A bye is a pair with BYE."""


@dataclass(frozen=True, slots=True)
class Field:
    """Who is to be paired, by initial rank: those present without the tables made by hand.

    ``groups`` are the score groups, the highest first, each by initial rank. ``upper`` are
    those in the top half of their group (of an odd number the smaller half). ``claim`` is
    each entrant's place among those who should get the bye, equal claims sharing one.
    ``seats_move`` says whether a pairing changes the balance of first seats; ``widest`` is then
    the greatest difference of two balances, and 0 otherwise.
    """

    seed: bytes
    free: tuple[Entrant, ...]
    groups: tuple[tuple[Entrant, ...], ...]
    upper: frozenset[Entrant]
    claim: Mapping[Entrant, int]
    seats_move: bool
    widest: int
    past: Past
    place: Mapping[Entrant, int]

    @property
    def vertices(self) -> tuple[Entrant, ...]:
        """Everybody that a perfect matching has to match, in ascending order."""
        return tuple(sorted(self.free)) + ((BYE,) if len(self.free) % 2 else ())

    def met(self, a: Entrant, b: Entrant) -> int:
        """How often two have played each other."""
        return self.past.met.get((a, b) if a < b else (b, a), 0)

    def repeats(self, entrant: Entrant, direction: int) -> int:
        """In how many of the last two rounds it floated up or down already."""
        return self.past.floats[entrant].count(direction)

    def tie(self, a: Entrant, b: Entrant) -> int:
        """What is left to decide between two rounds: 64 bits that nobody could foresee.

        ::

            the first 8 bytes of SHA-256( T(tie) ‖ seed ‖ u32 lower ‖ u32 higher )
        """
        return int.from_bytes(tie_hash(self.seed, a, b)[:8], "big")


def claim_of(past: Past, entrant: Entrant) -> tuple[int, int, int]:
    """What the bye is given by: the least of them has the first claim."""
    return past.byes[entrant], past.score[entrant], past.unplayed[entrant]


def field_of(plan: Plan, history: History, ask: Ask) -> Field:
    """The field of a round. Raises ValueError for a history or a question that cannot be."""
    check_asked(history)
    place = {entrant: i for i, entrant in enumerate(history.order)}
    by_hand = [entrant for table in ask.by_hand for entrant in table]
    for entrant in ask.present:
        if entrant not in place:
            raise ValueError(f"there is no entrant {entrant}")
    if len(set(ask.present)) != len(ask.present):
        raise ValueError("somebody is present twice")
    if len(set(by_hand)) != len(by_hand):
        raise ValueError("somebody has two places at tables made by hand")
    for table in ask.by_hand:
        if len(table) != 2:
            raise ValueError(f"a table made by hand has {counted(len(table), 'seat')}, not 2")
        for entrant in table:
            if entrant not in ask.present:
                raise ValueError(f"entrant {entrant}, who is to play by hand, is not present")
    past = look_back(history, accelerate(history, plan.accelerated))
    free = sorted(set(ask.present).difference(by_hand), key=place.__getitem__)
    # Sorting is stable: within a group the initial order stays.
    by_score = sorted(free, key=lambda entrant: -past.score[entrant])
    groups = tuple(
        tuple(group) for _, group in groupby(by_score, key=lambda entrant: past.score[entrant])
    )
    claims = sorted({claim_of(past, entrant) for entrant in free})
    seats_move = matches_of(plan) % 2 == 1
    balances = [past.balance[entrant] for entrant in free] if seats_move and free else [0]
    rank = {claim: i for i, claim in enumerate(claims)}
    return Field(
        seed=ask.seed,
        free=tuple(free),
        groups=groups,
        upper=frozenset(entrant for group in groups for entrant in group[: len(group) // 2]),
        claim={entrant: rank[claim_of(past, entrant)] for entrant in free},
        seats_move=seats_move,
        widest=max(balances) - min(balances),
        past=past,
        place=place,
    )


def matches_of(plan: Plan) -> int:
    """How many matches a pairing is: each is worth two units, alternately from either seat."""
    return max(1, plan.point // 2)
