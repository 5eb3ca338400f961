"""The system of tables keeps to its plan, its hand-made tables and who is there."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from aboveboard_referee.tournament.history import (
    PAIRING_BYE,
    TABLE_POINT,
    Ask,
    Bye,
    Drawn,
    Entrant,
    History,
    Round,
    Table,
    scores,
)
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.system import System
from aboveboard_referee.tournament.tables.system import Tables
from tests.fakes.table_histories import chance_history, plan_for

FOURS = plan_for(4, (3, 4), rounds=5)


def fresh(entrants: int) -> History:
    return History(entrants, TABLE_POINT, tuple(range(entrants)))


def ask_for(
    history: History,
    present: tuple[Entrant, ...] | None = None,
    by_hand: tuple[tuple[Entrant, ...], ...] = (),
) -> Ask:
    everybody = history.order if present is None else present
    return Ask(len(history.rounds) + 1, everybody, bytes(32), by_hand)


def drawn_for(plan: Plan, history: History, ask: Ask) -> Drawn:
    drawn = Tables().draw(plan, history, ask)
    assert drawn is not None
    return drawn


def test_it_is_a_system_whose_points_alone_rank() -> None:
    system: System = Tables()
    assert (system.name, system.version) == ("swiss-tables", 1)
    assert system.wrong(FOURS) is None
    assert system.rounds(FOURS, 1000) == 5
    assert system.levels(FOURS, fresh(8)) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seats": 2, "sizes": (2,)}, "tables of 2 seats"),
        ({"seats": 8, "sizes": (8,)}, "tables of 8 seats"),
        ({"seats": 5}, "legal ones"),
        ({"sizes": (4, 8)}, "legal ones"),
        ({"sizes": (1, 4)}, "legal ones"),
        ({"sizes": ()}, "legal ones"),
        ({"sizes": (4, 3)}, "do not ascend"),
        ({"rounds": 0}, "no number of rounds"),
        ({"point": 2}, "a point of 2 units"),
        ({"point": 0}, "a point of 0 units"),
        ({"bye": TABLE_POINT + 1}, "a bye of 121 units"),
        ({"accelerated": 1}, "accelerated"),
        ({"legs": 2}, "legs"),
        ({"divisions": (4, 4)}, "divisions"),
    ],
)
def test_a_plan_that_it_cannot_follow_is_refused_in_words(
    change: dict[str, Any], said: str
) -> None:
    wrong = Tables().wrong(replace(FOURS, **change))
    assert wrong is not None
    assert said in wrong


def test_tables_by_hand_stand_with_their_seats_and_nobody_of_them_sits_twice() -> None:
    for entrants in (11, 40):
        history = chance_history(Random(entrants), entrants, 3, (3, 4))
        by_hand = ((5, 1, 3), (0, 9, 7, 2))
        ask = ask_for(history, by_hand=by_hand)
        drawn = drawn_for(FOURS, history, ask)
        assert set(by_hand) <= set(drawn.tables)
        seated = [end for table in drawn.tables for end in table]
        assert sorted([*seated, *(bye.entrant for bye in drawn.byes)]) == list(range(entrants))


def test_who_is_left_over_gets_the_planned_bye() -> None:
    plan = replace(FOURS, bye=TABLE_POINT // 2)
    history = fresh(5)
    drawn = drawn_for(plan, history, ask_for(history))
    assert [len(table) for table in drawn.tables] == [4]
    (bye,) = drawn.byes
    assert bye == Bye(bye.entrant, PAIRING_BYE, TABLE_POINT // 2)


def test_byes_go_round_before_anybody_has_a_second_one() -> None:
    history, sat_out = fresh(5), []
    for number in range(1, 6):
        drawn = drawn_for(FOURS, history, ask_for(history))
        sat_out += [bye.entrant for bye in drawn.byes]
        tables = tuple(Table(f"r{number}", t, (120, 80, 40, 0)) for t in drawn.tables)
        played = Round(number, tables, drawn.byes)
        history = replace(history, rounds=(*history.rounds, played))
    assert sorted(sat_out) == [0, 1, 2, 3, 4]


def test_a_bye_in_a_large_field_goes_to_one_of_the_lowest_without_one() -> None:
    plan = plan_for(4, (4,))
    history = chance_history(Random(2), 61, 3, (4,))
    had = {bye.entrant for drawn in history.rounds for bye in drawn.byes if bye.units == 120}
    (bye,) = drawn_for(plan, history, ask_for(history)).byes
    total = scores(history)
    assert bye.entrant not in had
    assert total[bye.entrant] == min(total[e] for e in range(61) if e not in had)


def test_two_for_whom_no_table_is_small_enough_have_byes() -> None:
    history = fresh(9)
    drawn = drawn_for(FOURS, history, ask_for(history, present=(4, 7)))
    assert drawn.tables == ()
    assert [bye.entrant for bye in drawn.byes] == [4, 7]


def test_a_field_of_one_or_of_nobody_and_the_end_of_the_plan_end_it() -> None:
    history = fresh(9)
    assert Tables().draw(FOURS, history, ask_for(history, present=(4,))) is None
    assert Tables().draw(FOURS, history, ask_for(history, present=())) is None
    assert Tables().draw(FOURS, history, Ask(6, history.order, bytes(32))) is None


def test_the_leaders_table_comes_first() -> None:
    for entrants in (12, 48):
        history = chance_history(Random(entrants), entrants, 4, (3, 4))
        total = scores(history)
        drawn = drawn_for(FOURS, history, ask_for(history))
        assert max(total) in [total[end] for end in drawn.tables[0]]
        best = [max(total[end] for end in table) for table in drawn.tables]
        assert best == sorted(best, reverse=True)


@pytest.mark.parametrize(
    ("present", "by_hand", "said"),
    [
        ((0, 1, 1), (), "present twice"),
        ((0, 1, 99), (), "no entrant"),
        ((0, 1, 2, 3), ((0, 1, 2), (2, 3, 1)), "two tables"),
        ((0, 1, 2, 3), ((0, 1, 4),), "not present"),
        ((0, 1, 2, 3), ((0, 1),), "no legal size"),
    ],
)
def test_a_round_that_cannot_be_asked_for_is_refused(
    present: tuple[Entrant, ...], by_hand: tuple[tuple[Entrant, ...], ...], said: str
) -> None:
    history = fresh(9)
    with pytest.raises(ValueError, match=said):
        Tables().draw(FOURS, history, ask_for(history, present, by_hand))


def test_a_round_is_not_drawn_before_every_table_has_its_result() -> None:
    open_table = Table("r1.1", (0, 1, 2), None)
    history = History(3, TABLE_POINT, (0, 1, 2), (Round(1, (open_table,)),))
    with pytest.raises(ValueError, match=r"round 1: .* is not decided"):
        Tables().draw(FOURS, history, ask_for(history))


def test_a_seat_that_was_never_taken_is_no_meeting_and_no_round_played() -> None:
    """Six have met, but for the two that did not come, whom nobody has met yet."""
    plan = plan_for(3, (3,))
    tables = (
        Table("a", (0, 1, 2), (60, 60, 0), forfeits=frozenset({2})),
        Table("b", (3, 4, 5), (60, 60, 0), forfeits=frozenset({5})),
    )
    history = History(6, TABLE_POINT, tuple(range(6)), (Round(1, tables),))
    drawn = drawn_for(plan, history, ask_for(history))
    # 2 and 5 have nothing, and sit together with one of the others.
    (theirs,) = [table for table in drawn.tables if 2 in table]
    assert 5 in theirs


def test_a_bot_that_came_and_went_out_was_met() -> None:
    """Level with two others, it sits with whom it has not met."""
    plan = plan_for(3, (3,))
    tables = (
        Table("a", (0, 1, 2), (60, 60, 60)),
        Table("b", (3, 4, 5), (60, 60, 60)),
        Table("c", (6, 7, 8), (60, 60, 60)),
    )
    history = History(9, TABLE_POINT, tuple(range(9)), (Round(1, tables),))
    drawn = drawn_for(plan, history, ask_for(history))
    for table in drawn.tables:
        assert {end // 3 for end in table} == {0, 1, 2}
