"""Round robin: the Berger tables, and what becomes of them in real life."""

from collections import Counter
from random import Random

import pytest

from aboveboard_referee.tournament.history import (
    ABSENT_BYE,
    LATE_BYE,
    PAIRING_BYE,
    Ask,
    Bye,
    History,
    Round,
    Table,
    meetings,
)
from aboveboard_referee.tournament.systems.berger import pairs_of, turn_of
from aboveboard_referee.tournament.systems.past import first_seats
from aboveboard_referee.tournament.systems.plan import Plan
from aboveboard_referee.tournament.systems.round_robin import RoundRobin
from tests.fakes.seasons_of_systems import Life, play, tables_of

SYSTEM = RoundRobin()
PLAN = Plan("round-robin")
SEED = bytes(32)


def ask(number: int, *present: int, by_hand: tuple[tuple[int, ...], ...] = ()) -> Ask:
    return Ask(number, present, SEED, by_hand)


def test_has_the_tables_of_the_fide_handbook() -> None:
    four = [[(a + 1, b + 1) for a, b in pairs_of(4, turn)] for turn in range(3)]
    assert four == [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
    six = [[(a + 1, b + 1) for a, b in pairs_of(6, turn)] for turn in range(5)]
    assert six == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (1, 2), (5, 3)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (5, 1), (4, 2)],
    ]


def test_knows_in_which_turn_two_meet() -> None:
    for slots in range(2, 30, 2):
        for turn in range(slots - 1):
            assert all(turn_of(slots, a, b) == turn for a, b in pairs_of(slots, turn))


@pytest.mark.parametrize("legs", [1, 2, 3])
def test_lets_everybody_meet_everybody_once_a_leg(legs: int) -> None:
    for entrants in range(2, 16):
        plan = Plan("round-robin", legs=legs)
        history = play(SYSTEM, plan, entrants, Random(entrants)).history
        met = meetings(history)
        assert len(met) == entrants * (entrants - 1) // 2
        assert set(met.values()) == {legs}


@pytest.mark.parametrize("legs", [1, 2, 3])
def test_gives_nobody_the_first_seat_more_than_once_too_often(legs: int) -> None:
    for entrants in range(2, 16):
        plan = Plan("round-robin", legs=legs)
        history = play(SYSTEM, plan, entrants, Random(entrants)).history
        assert max(map(abs, first_seats(history))) <= 1


def test_exchanges_the_seats_of_each_pair_from_leg_to_leg() -> None:
    history = play(SYSTEM, Plan("round-robin", legs=2), 7, Random(1)).history
    seats = Counter(table.entrants for _, table in tables_of(history))
    assert set(seats.values()) == {1}
    assert {ends[::-1] for ends in seats} == set(seats)


def test_gives_everybody_one_bye_in_an_odd_field() -> None:
    history = play(SYSTEM, PLAN, 9, Random(1)).history
    byes = [bye for drawn in history.rounds for bye in drawn.byes]
    assert sorted(bye.entrant for bye in byes) == list(range(9))
    assert {(bye.kind, bye.units) for bye in byes} == {(PAIRING_BYE, 2)}


def test_gives_everybody_present_a_place_or_a_bye() -> None:
    life = Life(leaves=0.1, returns=0.2, away=0.2, no_show=0.1, by_hand=0.3)
    for seed in range(20):
        for _, asked, drawn in play(SYSTEM, PLAN, 9, Random(seed), life).asked:
            if drawn is not None:
                places = [e for table in drawn.tables for e in table]
                places += [bye.entrant for bye in drawn.byes]
                assert sorted(places) == sorted(asked.present)


def test_gives_a_pairing_bye_to_whose_opponent_is_away() -> None:
    drawn = SYSTEM.draw(Plan("round-robin", bye=1), History(4, 2, (0, 1, 2, 3)), ask(1, 0, 1, 2))
    assert drawn is not None
    assert drawn.tables == ((1, 2),)
    assert drawn.byes == (Bye(0, PAIRING_BYE, 1),)


def test_goes_on_while_the_only_other_entrant_is_away_for_a_round() -> None:
    first = Round(1, (), (Bye(0, PAIRING_BYE, 2), Bye(1, ABSENT_BYE, 0)))
    history = History(2, 2, (0, 1))
    assert SYSTEM.draw(Plan("round-robin", legs=2), history, ask(1, 0)) is not None
    history = History(2, 2, (0, 1), (first,))
    drawn = SYSTEM.draw(Plan("round-robin", legs=2), history, ask(2, 0, 1))
    assert drawn is not None
    assert drawn.tables == ((1, 0),)


def test_ends_once_nobody_else_was_there_in_the_round_before() -> None:
    first = Round(1, (), (Bye(0, PAIRING_BYE, 2),))
    history = History(4, 2, (0, 1, 2, 3), (first,))
    assert SYSTEM.draw(PLAN, history, ask(2, 0)) is None


def test_lets_one_who_comes_late_have_the_number_that_an_odd_field_leaves() -> None:
    first = Round(1, (Table("r1-b1", (1, 2), (2, 0)),), (Bye(0, PAIRING_BYE, 2),))
    late = Round(1, first.tables, (*first.byes, Bye(3, LATE_BYE, 0)))
    # Wherever it stands in the initial order, nobody else's number changes.
    for order in ((3, 0, 1, 2), (0, 1, 3, 2), (0, 1, 2, 3)):
        drawn = SYSTEM.draw(PLAN, History(4, 2, order, (late,)), ask(2, 0, 1, 2, 3))
        assert drawn is not None
        assert set(drawn.tables) == {(3, 2), (0, 1)}
        assert drawn.byes == ()


def test_pairs_nobody_for_whom_the_schedule_has_no_number() -> None:
    first = Round(
        1,
        (Table("r1-b1", (0, 3), (2, 0)), Table("r1-b2", (1, 2), (2, 0))),
        (Bye(4, LATE_BYE, 0),),
    )
    drawn = SYSTEM.draw(PLAN, History(5, 2, (4, 0, 1, 2, 3), (first,)), ask(2, 4, 0, 1, 2, 3))
    assert drawn is not None
    assert set(drawn.tables) == {(3, 2), (0, 1)}
    assert drawn.byes == ()


def test_starts_from_the_plans_field_without_those_who_left_before() -> None:
    plan = Plan("round-robin", field=(2, 0, 3))
    drawn = SYSTEM.draw(plan, History(4, 2, (1, 2, 0, 3)), ask(1, 2, 0, 3))
    assert drawn is not None
    assert drawn.tables == ((0, 3),)
    assert [bye.entrant for bye in drawn.byes] == [2]


def test_does_not_repeat_what_was_played_by_hand() -> None:
    history = History(4, 2, (0, 1, 2, 3))
    drawn = SYSTEM.draw(PLAN, history, ask(1, 0, 1, 2, 3, by_hand=((1, 0),)))
    assert drawn is not None
    assert drawn.tables == ((1, 0),)
    assert [bye.entrant for bye in drawn.byes] == [2, 3]
    first = Round(1, (Table("r1-b1", (1, 0), (2, 0), by_hand=True),), drawn.byes)
    second = SYSTEM.draw(PLAN, History(4, 2, (0, 1, 2, 3), (first,)), ask(2, 0, 1, 2, 3))
    assert second is not None
    assert second.tables == ((3, 2),)
    assert [bye.entrant for bye in second.byes] == [0, 1]


@pytest.mark.parametrize("legs", [0, 21])
def test_refuses_a_number_of_legs_that_is_none(legs: int) -> None:
    assert SYSTEM.wrong(Plan("round-robin", legs=legs)) == f"{legs} legs"


def test_refuses_a_bye_worth_more_than_a_point() -> None:
    assert SYSTEM.wrong(Plan("round-robin", bye=3)) == "a bye of 3 units where a point has 2"


def test_has_no_number_for_who_left_before_the_start_and_came_back() -> None:
    plan = Plan("round-robin", field=(0, 2, 3))
    first = Round(1, (Table("r1-b1", (2, 3), (2, 0)),), (Bye(0, PAIRING_BYE, 2),))
    drawn = SYSTEM.draw(plan, History(4, 2, (0, 1, 2, 3), (first,)), ask(2, 0, 1, 2, 3))
    assert drawn is not None
    assert drawn.tables == ((0, 2),)
    assert [bye.entrant for bye in drawn.byes] == [3]
