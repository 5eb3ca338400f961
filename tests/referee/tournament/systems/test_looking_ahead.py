"""Whom the bye goes to in small Swiss fields, so that later rounds can still be paired."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations, product
from random import Random

import pytest

from aboveboard_referee.tournament.all_systems import find_system
from aboveboard_referee.tournament.swiss_2.looking_ahead import with_future as with_future_2
from aboveboard_referee.tournament.systems.futures import shares
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.small_fields import Outlook, Pairs, with_future
from tests.fakes.seasons_of_systems import Life, play

BYE = 99


def every_round(who: Sequence[int]) -> Iterator[Pairs]:
    """Every way to pair them all, one with the bye if their number is odd."""
    if len(who) % 2:
        who = [*who, BYE]
    if not who:
        yield frozenset()
        return
    first, *others = who
    for other in others:
        for rest in every_round([one for one in others if one != other]):
            yield rest | {(first, other)}


class Rounds:
    """All rounds of an outlook with prices by chance, after those that the measures begin with."""

    def __init__(self, outlook: Outlook, chance: Random) -> None:
        by_hand = {end for pair in outlook.fixed for end in pair}
        self.outlook = outlook
        self.every = list(every_round([e for e in sorted(outlook.present) if e not in by_hand]))
        ends = [*sorted(outlook.present), BYE]
        self.costs = {pair: chance.randrange(10**6) for pair in combinations(ends, 2)}

    def price(self, pairs: Pairs) -> tuple[int, ...]:
        met = [self.outlook.met.get(pair, 0) for pair in pairs]
        byes = sum(self.outlook.byes[a] for a, b in pairs if b == BYE)
        return sum(map(bool, met)), sum(met), byes, sum(self.costs[pair] for pair in pairs)

    def solve(self, forbidden: Pairs) -> Pairs | None:
        allowed = (pairs for pairs in self.every if not pairs & forbidden)
        return min(allowed, key=self.price, default=None)

    def chosen(self) -> Pairs:
        """By the document: the best that the most rounds can follow, those of fair byes first."""
        best_first = sorted(self.every, key=self.price)
        if self.price(best_first[0])[0]:
            return best_first[0]
        out = self.outlook
        met = frozenset({*(pair for pair, times in out.met.items() if times), *out.fixed})
        for ahead in range(out.rounds, 0, -1):
            for fair in (True, False):
                for pairs in best_first:
                    if goes_on(out.present, met, out.byes, [pairs], ahead, fair=fair):
                        return pairs
        return best_first[0]


def goes_on(
    who: Sequence[int],
    met: Pairs,
    byes: Mapping[int, int],
    choices: Sequence[Pairs],
    ahead: int,
    *,
    fair: bool,
) -> bool:
    """Whether one of the choices can be played now, and so many rounds after it."""
    for pairs in choices:
        out = [a for a, b in pairs if b == BYE]
        if pairs & met or (fair and out and byes[out[0]] > min(byes.values())):
            continue
        after = {entrant: had + (entrant in out) for entrant, had in byes.items()}
        following = list(every_round(sorted(who)))
        if not ahead or goes_on(who, met | pairs, after, following, ahead - 1, fair=fair):
            return True
    return False


def setting(seed: int) -> Rounds:
    """Three to six entrants who were absent or had byes by chance, with some rounds to go."""
    chance = Random(f"looking ahead {seed}")
    who = list(range(chance.choice((3, 3, 4, 5, 5, 5, 6))))
    often = chance.choice((0.1, 0.3, 0.5))
    met = {pair: 1 for pair in combinations(who, 2) if chance.random() < often}
    byes = {entrant: chance.choice((0, 0, 1, 2)) for entrant in who}
    by_hand = [(0, chance.choice(who[1:]))] if len(who) > 3 and chance.random() < 0.2 else []
    return Rounds(Outlook(who, by_hand, met, byes, BYE, chance.randint(1, 3)), chance)


def test_chooses_by_the_bye_too_as_trying_all_rounds_does() -> None:
    for seed in range(150):
        rounds = setting(seed)
        assert with_future(rounds.outlook, rounds.solve, rounds.price) == rounds.chosen(), seed


def test_takes_the_best_round_where_the_bye_must_then_go_to_somebody_with_more() -> None:
    # 0 and 2 have met, and 2 had a bye. After 2-3 with a bye for 0 there is 0-3 with one for 2.
    outlook = Outlook([2, 3, 0], [], {(0, 2): 1}, {0: 0, 2: 1, 3: 0}, BYE, 1)
    rounds = Rounds(outlook, Random(1))
    assert with_future(outlook, rounds.solve, rounds.price) == {(2, 3), (0, BYE)}
    assert with_future_2(outlook, rounds.solve, rounds.price) == {(0, 3), (2, BYE)}


@pytest.mark.parametrize("rounds", range(6))
def test_byes_that_go_to_the_fewest_are_those_within_their_shares(rounds: int) -> None:
    for byes in product(range(3), repeat=3):
        found = {tuple(sorted(order)) for order in product(range(3), repeat=rounds)}
        fair = {order for order in found if is_fair_in_some_order(byes, order)}
        least, most = shares(byes, rounds)
        within = {
            order
            for order in found
            if all(
                n <= order.count(i) <= m for i, (n, m) in enumerate(zip(least, most, strict=True))
            )
        }
        assert fair == within


def is_fair_in_some_order(byes: Sequence[int], given: tuple[int, ...]) -> bool:
    if not given:
        return True
    for holder in set(given):
        if byes[holder] == min(byes):
            rest = list(given)
            rest.remove(holder)
            after = [had + (i == holder) for i, had in enumerate(byes)]
            if is_fair_in_some_order(after, tuple(rest)):
                return True
    return False


def drawn_by(version: int) -> str:
    """The digest of all rounds of some tournaments in which many are absent."""
    system, said = find_system("swiss", version), sha256()
    assert system is not None
    for seed in range(50):
        chance = Random(f"swiss 2, {seed}")
        entrants = chance.choice((5, 7, 9, 11))
        plan = Plan("swiss", rounds=chance.randrange(2, entrants - 2))
        for _, ask, drawn in play(
            system, plan, entrants, chance, Life(away=0.2, leaves=0.02)
        ).asked:
            if drawn is not None:
                byes = [(bye.entrant, bye.kind, bye.units) for bye in drawn.byes]
                said.update(repr((ask.number, drawn.tables, byes)).encode())
    return said.hexdigest()


def test_the_second_version_draws_what_it_ever_drew() -> None:
    as_ever = "d73aeddf4e614051d07ec54a55eb43f6fdbdbe3cc302f72bb22c020b478f881a"
    assert drawn_by(2) == as_ever
    assert drawn_by(3) != as_ever
