"""Swiss tournaments of few entrants: schedules, and rounds that leave a next one possible."""

from collections.abc import Callable
from itertools import combinations, islice
from random import Random

import pytest

from aboveboard_referee.tournament.history import Ask, Drawn, Entrant, History, meetings
from aboveboard_referee.tournament.swiss.pairing import Swiss
from aboveboard_referee.tournament.systems.futures import Unmet, can_go_on, surely_goes_on
from aboveboard_referee.tournament.systems.past import Pair
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.small_fields import (
    Outlook,
    Pairs,
    from_the_best,
    is_round_robin,
    with_future,
)
from aboveboard_referee.tournament.systems.swiss import SwissOfAnySize
from tests.fakes.seasons_of_systems import CALM, WILD, Life, play, tables_of

SYSTEM = SwissOfAnySize()
BYE = 99
MayMeet = Callable[[Entrant, Entrant], bool]


def rematches(history: History, drawn: Drawn) -> list[tuple[Entrant, ...]]:
    """The tables of a round at which two meet who were paired with each other before."""
    met = meetings(history)
    return [
        table for table in drawn.tables if any(met[pair] for pair in combinations(sorted(table), 2))
    ]


def matchings(vertices: list[Entrant], may_meet: MayMeet) -> list[Pairs]:
    """Every way to pair them all."""
    if not vertices:
        return [frozenset()]
    first, *others = vertices
    return [
        rest | {(first, other)}
        for other in others
        if may_meet(first, other)
        for rest in matchings([v for v in others if v != other], may_meet)
    ]


def anybody(one: Entrant, other: Entrant) -> bool:
    return one != other


def can_pair(vertices: list[Entrant], may_meet: MayMeet) -> bool:
    if not vertices:
        return True
    first, *others = vertices
    return any(
        may_meet(first, other) and can_pair([v for v in others if v != other], may_meet)
        for other in others
    )


def goes_on(vertices: list[Entrant], open_pairs: Pairs, rounds: int) -> bool:
    """Whether so many rounds are possible, by trying all of them."""
    return rounds == 0 or any(
        goes_on(vertices, open_pairs - matching, rounds - 1)
        for matching in matchings(vertices, lambda a, b: (a, b) in open_pairs)
    )


def check_rematches(history: History, ask: Ask, drawn: Drawn) -> int:
    """The rematches of a round; there is none if any pairing of the same entrants has none."""
    met = {frozenset(table.entrants) for _, table in tables_of(history) if table.played}
    free = [e for e in ask.present if not any(e in table for table in ask.by_hand)]
    again = [t for t in drawn.tables if t not in ask.by_hand and frozenset(t) in met]
    if again:
        vertices = free + [BYE] * (len(free) % 2)
        assert not can_pair(vertices, lambda a, b: frozenset((a, b)) not in met)
    return len(again)


def check_field(entrants: int, seeds: range) -> None:
    """Every number of rounds up to a single round robin's, with no rematch in any of them."""
    for rounds in range(1, entrants + entrants % 2):
        for seed in seeds:
            played = play(SYSTEM, Plan("swiss", rounds=rounds), entrants, Random(seed), CALM)
            assert len(played.history.rounds) == rounds
            for history, ask, drawn in played.asked:
                assert drawn is None or check_rematches(history, ask, drawn) == 0


@pytest.mark.parametrize("entrants", range(3, 13))
def test_finishes_without_a_rematch_in_any_number_of_rounds(entrants: int) -> None:
    check_field(entrants, range(4))


@pytest.mark.slow
@pytest.mark.parametrize("entrants", range(3, 13))
def test_finishes_without_a_rematch_in_any_number_of_rounds_100_times(entrants: int) -> None:
    check_field(entrants, range(100))


@pytest.mark.parametrize("entrants", range(2, 13))
def test_makes_a_rematch_only_where_there_is_no_round_without(entrants: int) -> None:
    for seed in range(6):
        chance = Random(seed)
        plan = Plan("swiss", rounds=chance.randrange(1, entrants + 4))
        for history, ask, drawn in play(SYSTEM, plan, entrants, chance, WILD).asked:
            if drawn is not None:
                check_rematches(history, ask, drawn)


def test_would_make_a_rematch_that_could_be_helped_without_looking_ahead() -> None:
    # That the best round by itself can end a field shows that looking ahead is needed.
    again = 0
    for seed in range(100):
        played = play(Swiss(), Plan("swiss", rounds=4), 6, Random(seed))
        again += sum(len(rematches(h, drawn)) for h, _, drawn in played.asked if drawn)
    assert again


def test_marks_tables_whose_entrants_met_before() -> None:
    played = play(SYSTEM, Plan("swiss", rounds=4), 2, Random(1))
    marked = [rematches(h, drawn) for h, _, drawn in played.asked if drawn is not None]
    assert [len(tables) for tables in marked] == [0, 1, 1, 1]


def test_is_a_schedule_from_two_rounds_less_than_an_odd_field_needs() -> None:
    needed = {
        n: min(r for r in range(20) if is_round_robin(Plan("swiss", rounds=r), n))
        for n in range(3, 13)
    }
    assert needed == {3: 1, 4: 3, 5: 3, 6: 5, 7: 5, 8: 7, 9: 7, 10: 9, 11: 9, 12: 11}


def test_exchanges_seats_when_a_schedule_goes_round_again() -> None:
    history = play(SYSTEM, Plan("swiss", rounds=6), 4, Random(1)).history
    ends = [table.entrants for _, table in tables_of(history)]
    assert len(set(ends)) == len(ends) == 12


def test_leaves_no_two_without_a_game_when_a_schedule_breaks() -> None:
    for seed in range(20):
        life = Life(leaves=0.1, away=0.1, comes=0.1)
        for _, ask, drawn in play(SYSTEM, Plan("swiss", rounds=7), 8, Random(seed), life).asked:
            if drawn is not None:
                assert len(drawn.byes) == len(ask.present) % 2


def test_gives_nobody_a_second_bye_before_everybody_has_had_one() -> None:
    for entrants in (5, 7, 9, 11):
        for rounds in range(1, entrants + 1):
            history = play(SYSTEM, Plan("swiss", rounds=rounds), entrants, Random(rounds)).history
            byes = [bye.entrant for drawn in history.rounds for bye in drawn.byes]
            assert len(byes) == len(set(byes)) == rounds


def test_knows_how_far_a_field_can_go_on_as_trying_all_rounds_does() -> None:
    for seed in range(150):
        chance = Random(seed)
        size = chance.choice((4, 6))
        vertices = list(range(size))
        pairs = [p for p in combinations(vertices, 2) if chance.random() < 0.75]
        masks = tuple(
            sum(1 << b for b in vertices if (min(a, b), max(a, b)) in pairs) for a in vertices
        )
        for rounds in range(1, size):
            expected = goes_on(vertices, frozenset(pairs), rounds)
            assert can_go_on(Unmet(masks), rounds) == expected
            fewest = min(mask.bit_count() for mask in masks)
            assert expected or not surely_goes_on(size, fewest, rounds)


def test_lists_rounds_from_the_best_without_leaving_any_out() -> None:
    for seed in range(10):
        solver = Solver(6, Random(seed))
        best = solver.solve(frozenset())
        assert best is not None
        listed = list(from_the_best(best, solver.solve, solver.price))
        assert len(listed) == len(set(listed)) == 15
        assert listed == sorted(listed, key=solver.price)


class Solver:
    """Rounds with prices by chance, the best found by trying all of them."""

    def __init__(self, size: int, chance: Random) -> None:
        self.every = matchings(list(range(size)), anybody)
        self.costs = {pair: chance.randrange(1000) for pair in combinations(range(size), 2)}

    def price(self, pairs: Pairs) -> tuple[int, ...]:
        return (sum(self.costs[pair] for pair in pairs),)

    def solve(self, forbidden: Pairs) -> Pairs | None:
        allowed = (pairs for pairs in self.every if not pairs & forbidden)
        return min(allowed, key=self.price, default=None)


class Fresh(Solver):
    """One that pairs nobody who has met, if it can be helped."""

    def __init__(self, size: int, chance: Random, met: frozenset[Pair]) -> None:
        super().__init__(size, chance)
        self.met = met

    def price(self, pairs: Pairs) -> tuple[int, ...]:
        return (len(pairs & self.met), *super().price(pairs))


def setting(seed: int) -> tuple[Fresh, Outlook]:
    """Six or eight entrants after some rounds by chance, with some rounds to go."""
    chance = Random(seed)
    size, before = chance.choice(((6, 1), (6, 2), (8, 2), (8, 3), (8, 4)))
    met: Pairs = frozenset()
    for _ in range(before):
        every = [pairs for pairs in matchings(list(range(size)), anybody) if not pairs & met]
        met |= chance.choice(every) if every else frozenset()
    to_go = chance.randrange(1, size - 1 - before)
    outlook = Outlook(range(size), (), dict.fromkeys(met, 1), {}, BYE, to_go)
    return Fresh(size, chance, met), outlook


def rounds_after(pairs: Pairs, solver: Fresh, outlook: Outlook) -> int:
    """How many of the rounds to go can follow a round without a rematch, -1 if it has one."""
    unmet = frozenset(solver.costs) - solver.met
    if not pairs <= unmet:
        return -1
    every = range(outlook.rounds + 1)
    return max(n for n in every if goes_on(list(outlook.present), unmet - pairs, n))


def test_chooses_the_best_of_all_rounds_that_the_most_others_can_follow() -> None:
    looked_ahead = 0
    for seed in range(60):
        solver, outlook = setting(seed)
        after = {pairs: rounds_after(pairs, solver, outlook) for pairs in solver.every}
        most = [pairs for pairs in solver.every if after[pairs] == max(after.values())]
        best = min(most, key=solver.price)
        assert with_future(outlook, solver.solve, solver.price) == best
        looked_ahead += best != solver.solve(frozenset())
    assert looked_ahead


def test_takes_any_round_that_the_most_others_can_follow_after_too_many_tries() -> None:
    other = 0
    for seed in range(60):
        solver, outlook = setting(seed)
        best = with_future(outlook, solver.solve, solver.price)
        found = with_future(outlook, solver.solve, solver.price, most_tries=1)
        assert best is not None
        assert found is not None
        assert rounds_after(found, solver, outlook) == rounds_after(best, solver, outlook)
        other += found != best
    assert other


def test_lists_the_same_rounds_however_often_it_is_asked() -> None:
    solver = Solver(8, Random(1))
    best = solver.solve(frozenset())
    assert best is not None
    some = list(islice(from_the_best(best, solver.solve, solver.price), 20))
    assert some == list(islice(from_the_best(best, solver.solve, solver.price), 20))
