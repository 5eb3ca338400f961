"""What is said of a round is what it would be with two places exchanged."""

from random import Random

from aboveboard_referee.tournament.history import Ask, Drawn
from aboveboard_referee.tournament.tables.explain import (
    cost_line,
    lines,
    measures_of,
    next_best,
)
from aboveboard_referee.tournament.tables.measures import Measures
from aboveboard_referee.tournament.tables.system import Tables
from tests.fakes.table_histories import (
    Judge,
    Seating,
    chance_ask,
    chance_history,
    made_by_system,
    plan_for,
)


def exchanged(tables: Seating, a: int, b: int) -> Seating:
    swap = {a: b, b: a}
    return tuple(tuple(swap.get(end, end) for end in table) for table in tables)


def test_the_next_best_place_is_the_cheapest_of_all_exchanges_and_never_a_better_one() -> None:
    for number in range(60):
        chance = Random(number)
        sizes = chance.choice(((3, 4), (4,), (2, 3, 4, 5)))
        plan = plan_for(4, sizes)
        history = chance_history(chance, 11, chance.randint(0, 4), sizes)
        ask = chance_ask(chance, history, chance.randint(5, 11), sizes)
        drawn = Tables().draw(plan, history, ask)
        assert drawn is not None
        judge, tables = Judge(plan, history, ask), made_by_system(drawn, ask)
        before = measures_of(plan, history, ask, drawn)
        for end in judge.free:
            found = next_best(plan, history, ask, drawn, end)
            own = next(table for table in tables if end in table)
            costs = [
                (judge.measures(exchanged(tables, end, other)), other)
                for table in tables
                for other in table
                if table != own and not len(table) == len(own) == 1
            ]
            assert (found is None) == (not costs)
            if found is not None:
                assert (found.measures, found.other) == min(costs)
                assert found.measures > before


def test_nobody_at_a_table_by_hand_and_nobody_absent_has_another_place() -> None:
    plan, history = plan_for(3, (3,)), chance_history(Random(1), 9, 2, (3,))
    ask = Ask(3, tuple(range(8)), bytes(32), by_hand=((2, 0, 1),))
    drawn = Tables().draw(plan, history, ask)
    assert drawn is not None
    assert next_best(plan, history, ask, drawn, 0) is None
    assert next_best(plan, history, ask, drawn, 8) is None
    assert next_best(plan, history, ask, Drawn(((3, 4, 5),)), 3) is None


def test_a_round_is_told_measure_by_measure() -> None:
    told = lines(Measures(1, 0, 2, 2, 4, 420 * 120**2 // 2, 3, 5, 77), 120)
    assert told[0] == "byes 1: entrants without a seat"
    assert told[5].startswith("spread 0.5: squared differences in points from ")
    assert [line.split()[0] for line in told] == list(Measures._fields[:-1])


def test_a_cost_names_both_and_every_measure_that_changes() -> None:
    plan, history = plan_for(3, (3,)), chance_history(Random(4), 9, 3, (3,))
    ask = Ask(4, tuple(range(9)), bytes(32))
    drawn = Tables().draw(plan, history, ask)
    assert drawn is not None
    before = measures_of(plan, history, ask, drawn)
    found = next_best(plan, history, ask, drawn, 0)
    assert found is not None
    more = found._replace(
        measures=before._replace(spread=before.spread + 420 * 9, seats=before.seats - 1)
    )
    line = cost_line(before, more, "bot{}".format, 2)
    assert line == f"bot0 in the place of bot{found.other}: spread +2.25, seats -1"
    little = found._replace(measures=before._replace(spread=before.spread - 1))
    assert cost_line(before, little, str, 120).endswith(": spread -0.001 at most")
    lot = found._replace(measures=before._replace(tie=before.tie + 5))
    assert cost_line(before, lot, str, 2).endswith(": nothing but the lot")
