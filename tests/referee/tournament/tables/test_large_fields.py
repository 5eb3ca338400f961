"""In fields too large to try everything the spread is the least, and a search does the rest."""

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from random import Random

import pytest

from aboveboard_referee.tournament.history import Ask, Entrant, History
from aboveboard_referee.tournament.tables import system
from aboveboard_referee.tournament.tables.blocks import blocks
from aboveboard_referee.tournament.tables.improve import improved
from aboveboard_referee.tournament.tables.measures import measure, repeats, spread
from aboveboard_referee.tournament.tables.past import Past, look_back
from aboveboard_referee.tournament.tables.seats import least
from aboveboard_referee.tournament.tables.sizes import shape_of
from aboveboard_referee.tournament.tables.system import Tables
from tests.fakes.table_histories import (
    Judge,
    chance_ask,
    chance_history,
    plan_for,
    play_round,
)

FORMS = ((3, (2, 3, 4)), (4, (3, 4)), (4, (2, 3, 4, 5, 6, 7)), (5, (4, 5, 6)), (7, (5, 6, 7)))
ONE_SIZE = (4, (4,))  # which leaves some out


def total_spread(past: Past, tables: Sequence[Sequence[Entrant]]) -> int:
    return sum(spread([past.scores[end] for end in table]) for table in tables)


def search_costs(past: Past, tables: Sequence[Sequence[Entrant]]) -> tuple[int, int]:
    seats = sum(least([past.seats[end] for end in t]) for t in tables if len(t) > 1)
    return sum(repeats(past, table) for table in tables), seats


def played(chance: Random, entrants: int, rounds: int, seats: int, sizes: Sequence[int]) -> History:
    """Rounds of the system itself, won and lost by chance."""
    plan = plan_for(seats, sizes)
    history = History(entrants, plan.point, tuple(range(entrants)))
    for number in range(1, rounds + 1):
        history = play_round(
            chance, plan, history, Ask(number, history.order, chance.randbytes(32))
        )
    return history


def test_blocks_have_the_least_spread_of_all_tables_of_their_sizes() -> None:
    for number in range(80):
        chance = Random(number)
        seats, sizes = chance.choice(FORMS[:2])
        history = chance_history(chance, 9, chance.randint(1, 4), sizes)
        ask = Ask(9, tuple(range(9)), chance.randbytes(32))
        past = look_back(history)
        found = blocks(range(9), shape_of(9, seats, sizes), past, ask.seed)
        best, _ = Judge(plan_for(seats, sizes), history, ask).best()
        assert total_spread(past, found) == best[5]


def test_no_exchange_of_two_in_a_large_field_has_less_spread() -> None:
    for number in range(6):
        chance = Random(number)
        seats, sizes = FORMS[number % len(FORMS)]
        entrants = chance.randint(30, 50)
        past = look_back(chance_history(chance, entrants, 4, sizes))
        tables = blocks(range(entrants), shape_of(entrants, seats, sizes), past, bytes(32))

        def deviations(scores: list[int]) -> Fraction:
            mean = Fraction(sum(scores), len(scores))
            return sum(((score - mean) ** 2 for score in scores), Fraction(0))

        rows = [[past.scores[end] for end in table] for table in tables]
        for i, one in enumerate(rows):
            for other in rows[:i]:
                now = deviations(one) + deviations(other)
                for x in range(len(one)):
                    for y in range(len(other)):
                        a = [*one[:x], other[y], *one[x + 1 :]]
                        b = [*other[:y], one[x], *other[y + 1 :]]
                        assert deviations(a) + deviations(b) >= now


def test_the_search_keeps_sizes_and_scores_and_never_makes_a_round_worse() -> None:
    better = 0
    for number in range(25):
        chance = Random(number)
        seats, sizes = chance.choice(FORMS)
        entrants = chance.randint(13, 80)
        past = look_back(played(chance, entrants, chance.randint(1, 5), seats, sizes))
        seed = chance.randbytes(32)
        before = blocks(range(entrants), shape_of(entrants, seats, sizes), past, seed)
        after = improved(before, past, seed)
        assert [
            [past.scores[end] for end in sorted(table, key=past.scores.__getitem__)]
            for table in after
        ] == [
            [past.scores[end] for end in sorted(table, key=past.scores.__getitem__)]
            for table in before
        ]
        assert sorted(end for table in after for end in table) == list(range(entrants))
        assert search_costs(past, after) <= search_costs(past, before)
        better += search_costs(past, after) < search_costs(past, before)
    assert better >= 20


def test_the_search_nearly_always_finds_what_trying_everything_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    same = 0
    for number in range(20):
        chance = Random(number)
        seats, sizes = ((3, (2, 3, 4)), (4, (3, 4)))[number % 2]
        history = played(chance, 13, chance.randint(1, 4), seats, sizes)
        plan, ask = plan_for(seats, sizes), Ask(9, history.order, chance.randbytes(32))
        past = look_back(history)
        numbers = []
        for small in (14, 0):
            monkeypatch.setattr(system, "SMALL", small)
            drawn = Tables().draw(plan, history, ask)
            assert drawn is not None
            numbers.append(measure(seats, past, ask, drawn)[:-1])
        assert numbers[0] <= numbers[1]
        assert numbers[0][:6] == numbers[1][:6]
        same += numbers[0] == numbers[1]
    assert same >= 17


def test_everybody_in_a_large_field_sits_once_at_a_table_of_legal_size() -> None:
    for number in range(30):
        chance = Random(number)
        seats, sizes = chance.choice(FORMS)
        history = chance_history(chance, 70, chance.randint(0, 4), sizes, matches=2)
        ask = chance_ask(chance, history, chance.randint(15, 70), sizes)
        plan = plan_for(seats, sizes, matches=2)
        drawn = Tables().draw(plan, history, ask)
        assert drawn is not None
        seated = [end for table in drawn.tables for end in table]
        assert sorted([*seated, *(bye.entrant for bye in drawn.byes)]) == sorted(ask.present)
        assert {len(table) for table in drawn.tables} <= set(sizes)


def test_byes_in_a_large_field_are_those_of_the_strongest_claims() -> None:
    for number in range(60):
        chance = Random(number)
        seats = chance.choice((4, 5, 7))
        history = chance_history(chance, 70, chance.randint(0, 5), (seats, 2))
        ask = chance_ask(chance, history, chance.randint(20, 70), (seats,))
        plan = plan_for(seats, (seats,))
        drawn = Tables().draw(plan, history, ask)
        assert drawn is not None
        places = Judge(plan, history, ask).claims
        assert len(drawn.byes) == len(places) % seats
        given = sorted(places[bye.entrant] for bye in drawn.byes)
        assert given == sorted(places.values())[: len(given)]


def test_among_four_hundred_nobody_meets_anybody_again_in_the_fifth_round() -> None:
    chance = Random(3)
    past = look_back(played(chance, 400, 4, 4, (3, 4)))
    tables = improved(
        blocks(range(400), shape_of(400, 4, (3, 4)), past, bytes(32)), past, bytes(32)
    )
    assert search_costs(past, tables)[0] == 0


def test_the_same_arguments_give_the_same_round_and_another_seed_another_one() -> None:
    history = played(Random(5), 60, 3, 4, (3, 4))
    plan = plan_for(4, (3, 4))
    rounds = [
        Tables().draw(plan, history, Ask(4, history.order, bytes([seed] * 32)))
        for seed in (1, 1, 2)
    ]
    assert rounds[0] == rounds[1]
    assert rounds[0] != rounds[2]


def test_version_1_draws_what_it_always_drew() -> None:
    """Other code for the same version would make archives false."""
    digest = sha256()
    for number, (seats, sizes) in enumerate((*FORMS, ONE_SIZE)):
        for entrants in (11, 37):
            history = played(Random(number), entrants, 3, seats, sizes)
            ask = chance_ask(Random(number + 100), history, entrants - 2, sizes)
            drawn = Tables().draw(plan_for(seats, sizes), history, ask)
            digest.update(repr(drawn).encode())
    assert digest.hexdigest() == "0cc0d74e11fa3346c4c195dfd1d7cd7b40920729332c7e380bd63c137c3e7d85"
