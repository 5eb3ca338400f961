"""Ladder: rungs that are nowhere written down but in the history."""

from random import Random

import pytest

from aboveboard_referee.tournament.history import (
    LATE_BYE,
    PAIRING_BYE,
    REQUESTED_BYE,
    Ask,
    Bye,
    Drawn,
    History,
    Round,
    Table,
)
from aboveboard_referee.tournament.systems.ladder import Ladder, challenges
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.seasons_of_systems import CALM, WILD, Life, play

SYSTEM = Ladder()
PLAN = Plan("ladder")
FIVE = (0, 1, 2, 3, 4)


def rungs(history: History) -> list[int]:
    """Who is on the ladder, the highest first."""
    levels = SYSTEM.levels(PLAN, history)
    on_it = [entrant for entrant in range(history.entrants) if levels[entrant]]
    return sorted(on_it, key=lambda entrant: -levels[entrant])


def won(winner: int, loser: int) -> Table:
    return Table(f"{winner}-{loser}", (winner, loser), (2, 0))


def after(*tables: Table, byes: tuple[Bye, ...] = ()) -> History:
    return History(5, 2, FIVE, (Round(1, tables, byes),))


def draw(history: History, number: int, *present: int) -> Drawn:
    drawn = SYSTEM.draw(PLAN, history, Ask(number, present, bytes(32)))
    assert drawn is not None
    return drawn


IDLE = (Bye(4, PAIRING_BYE, 0),)


def test_pairs_neighbours_from_the_top_and_from_one_below_in_turns() -> None:
    assert challenges(FIVE, 1, 1) == challenges(FIVE, 3, 1) == [(0, 1), (2, 3)]
    assert challenges(FIVE, 2, 1) == challenges(FIVE, 4, 1) == [(1, 2), (3, 4)]


def test_reaches_further_by_turns_where_the_plan_lets_it() -> None:
    assert challenges(range(8), 3, 2) == [(0, 2), (1, 3), (4, 6), (5, 7)]
    assert challenges(range(8), 4, 2) == [(2, 4), (3, 5)]
    assert challenges(range(8), 5, 2) == challenges(range(8), 1, 2)


def test_always_has_a_pair_for_two() -> None:
    for number in range(1, 13):
        assert challenges((7, 3), number, 3) == [(7, 3)]


def test_gives_the_winner_the_higher_rung() -> None:
    assert rungs(after(won(1, 0), won(2, 3), byes=IDLE)) == [1, 0, 2, 3, 4]


def test_changes_nothing_by_a_tie_or_a_table_that_nobody_appeared_at() -> None:
    none = Table("n", (2, 3), (0, 0), forfeits=frozenset({2, 3}))
    assert rungs(after(Table("t", (1, 0), (1, 1)), none, byes=IDLE)) == list(FIVE)


def test_exchanges_rungs_however_far_apart_two_met_by_hand() -> None:
    far = Table("h", (0, 4), (0, 2), by_hand=True)
    idle = tuple(Bye(entrant, PAIRING_BYE, 0) for entrant in (1, 2, 3))
    assert rungs(after(far, byes=idle)) == [4, 1, 2, 3, 0]


def test_keeps_the_rung_of_who_is_away_and_frees_it_of_who_has_left() -> None:
    away = after(won(1, 0), byes=(Bye(3, REQUESTED_BYE, 1), Bye(4, PAIRING_BYE, 0)))
    assert rungs(away) == [1, 0, 3, 4]


def test_puts_who_comes_or_comes_back_below_the_last_rung() -> None:
    first = Round(1, (won(0, 1), won(2, 3)), (*IDLE, Bye(5, LATE_BYE, 0)))
    history = History(6, 2, (5, *FIVE), (first,))
    drawn = draw(history, 2, 5, 0, 1, 2, 3, 4)
    assert [set(table) for table in drawn.tables] == [{1, 2}, {3, 4}]
    assert [bye.entrant for bye in drawn.byes] == [0, 5]
    second = Round(2, (won(1, 2), won(3, 4)), (Bye(5, PAIRING_BYE, 0),))
    third = Round(3, (won(1, 2), won(3, 4)), (Bye(0, PAIRING_BYE, 0), Bye(5, PAIRING_BYE, 0)))
    history = History(6, 2, (5, *FIVE), (first, second, third))
    assert rungs(history) == [1, 2, 3, 4, 5, 0]


def test_gives_everybody_present_a_place_or_a_bye_worth_nothing() -> None:
    for seed in range(20):
        plan = Plan("ladder", rounds=12, reach=1 + seed % 3)
        for _, ask, drawn in play(SYSTEM, plan, seed, Random(seed), WILD).asked:
            if drawn is not None:
                places = [e for table in drawn.tables for e in table]
                places += [bye.entrant for bye in drawn.byes]
                assert sorted(places) == sorted(ask.present)
                assert all(bye.units == 0 for bye in drawn.byes)


def test_has_every_rung_once_whoever_leaves_and_comes() -> None:
    for seed in range(20):
        plan = Plan("ladder", rounds=12, reach=1 + seed % 3)
        history = play(SYSTEM, plan, seed, Random(seed), WILD).history
        levels = sorted(level for level in SYSTEM.levels(plan, history) if level)
        assert levels == list(range(1, len(levels) + 1))


def test_brings_the_strongest_to_the_top_in_the_end() -> None:
    for reach in (1, 2):
        plan = Plan("ladder", rounds=40, reach=reach)
        history = play(SYSTEM, plan, 9, Random(5), Life(tie=0, certain=True)).history
        assert rungs(history) == list(range(9))


def test_runs_for_ever_without_a_number_of_rounds() -> None:
    assert SYSTEM.rounds(PLAN, 10) == 0
    assert len(play(SYSTEM, PLAN, 4, Random(1), CALM, most_rounds=100).history.rounds) == 100


@pytest.mark.parametrize("reach", [0, 101])
def test_refuses_challenges_over_no_rungs_or_too_many(reach: int) -> None:
    assert SYSTEM.wrong(Plan("ladder", reach=reach)) == f"challenges over {reach} rungs"
