"""Gauntlet: one against all."""

from collections import Counter
from random import Random

from aboveboard_referee.tournament.history import ABSENT_BYE, Ask, Bye, History, Round, Table
from aboveboard_referee.tournament.systems.gauntlet import Gauntlet
from aboveboard_referee.tournament.systems.past import first_seats
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.seasons_of_systems import Life, play, tables_of

SYSTEM = Gauntlet()
PLAN = Plan("gauntlet")


def test_lets_the_first_of_the_initial_order_meet_all_others_once_a_leg() -> None:
    for legs in (1, 2, 3):
        history = play(SYSTEM, Plan("gauntlet", legs=legs), 8, Random(1)).history
        hero, *others = history.order
        met = Counter(e for _, table in tables_of(history) for e in table.entrants)
        assert met == {hero: 7 * legs, **dict.fromkeys(others, legs)}


def test_evens_out_seats_over_legs_for_everybody() -> None:
    history = play(SYSTEM, Plan("gauntlet", legs=2), 8, Random(1)).history
    assert set(first_seats(history)) == {0}
    history = play(SYSTEM, Plan("gauntlet", legs=1), 8, Random(1)).history
    assert max(map(abs, first_seats(history))) == 1


def test_meets_who_was_away_later() -> None:
    history = History(3, 2, (0, 1, 2))
    drawn = SYSTEM.draw(PLAN, history, Ask(1, (0, 2), bytes(32)))
    assert drawn is not None
    assert set(drawn.tables[0]) == {0, 2}
    first = Round(1, (Table("t", drawn.tables[0], (2, 0)),), (Bye(1, ABSENT_BYE, 0),))
    drawn = SYSTEM.draw(PLAN, History(3, 2, (0, 1, 2), (first,)), Ask(2, (0, 1, 2), bytes(32)))
    assert drawn is not None
    assert set(drawn.tables[0]) == {0, 1}


def test_meets_who_came_late_after_all_others() -> None:
    played = play(SYSTEM, PLAN, 4, Random(3), Life(comes=1.0), most_rounds=5)
    others = [
        next(e for e in table.entrants if e != played.asked[0][0].order[0])
        for _, table in tables_of(played.history)
    ]
    assert others == [*played.asked[0][0].order[1:], 4, 5]


def test_waits_for_a_hero_who_is_away_and_ends_when_it_has_left() -> None:
    drawn = SYSTEM.draw(PLAN, History(3, 2, (0, 1, 2)), Ask(1, (1, 2), bytes(32)))
    assert drawn is not None
    assert drawn.tables == ()
    assert drawn.byes == ()
    away = Round(1, (), (Bye(0, ABSENT_BYE, 0),))
    ask = Ask(2, (1, 2), bytes(32))
    assert SYSTEM.draw(PLAN, History(3, 2, (0, 1, 2), (away,)), ask) is not None
    assert SYSTEM.draw(PLAN, History(3, 2, (0, 1, 2), (Round(1, ()),)), ask) is None


def test_refuses_a_number_of_legs_that_is_none() -> None:
    assert SYSTEM.wrong(Plan("gauntlet", legs=0)) == "0 legs"
