"""Knock-out: brackets, walkovers, and one who wins."""

from random import Random

import pytest

from aboveboard_referee.tournament.history import (
    ABSENT_BYE,
    REQUESTED_BYE,
    SEED_BYE,
    Ask,
    Bye,
    Drawn,
    Entrant,
    History,
    Round,
    Table,
)
from aboveboard_referee.tournament.systems.bracket import first_row
from aboveboard_referee.tournament.systems.knockout import Knockout
from aboveboard_referee.tournament.systems.plan import Plan
from tests.fakes.seasons_of_systems import CALM, Life, play, tables_of

SYSTEM = Knockout()
PLAN = Plan("knockout")
EIGHT = tuple(range(8))


def draw(
    rounds: tuple[Round, ...], present: tuple[Entrant, ...], *by_hand: tuple[int, int]
) -> Drawn:
    drawn = SYSTEM.draw(PLAN, past(*rounds), Ask(len(rounds) + 1, present, bytes(32), by_hand))
    assert drawn is not None
    return drawn


def past(*rounds: Round) -> History:
    return History(8, 2, EIGHT, rounds)


def won(winner: Entrant, loser: Entrant) -> Table:
    return Table(f"{winner}-{loser}", (winner, loser), (2, 0))


def met(drawn: Drawn) -> list[set[Entrant]]:
    return [set(table) for table in drawn.tables]


def quarter_finals(*instead: Table, byes: tuple[Bye, ...] = ()) -> Round:
    """The first seed of each pair wins, but where a table has it otherwise."""
    taken = {e for t in instead for e in t.entrants} | {bye.entrant for bye in byes}
    usual = [won(*ends) for ends in ((0, 7), (3, 4), (1, 6), (2, 5)) if not taken & set(ends)]
    return Round(1, (*instead, *usual), byes)


def test_sets_the_seeds_so_that_the_first_meet_last() -> None:
    assert first_row(EIGHT) == (0, 7, 3, 4, 1, 6, 2, 5)
    assert first_row(tuple(range(5))) == (0, None, 3, 4, 1, None, 2, None)
    assert first_row((4,)) == (4,)


def test_gives_the_first_seeds_the_byes_of_a_field_that_is_no_power_of_two() -> None:
    history = History(5, 2, (4, 3, 2, 1, 0))
    drawn = SYSTEM.draw(PLAN, history, Ask(1, history.order, bytes(32)))
    assert drawn is not None
    assert met(drawn) == [{1, 0}]
    assert drawn.byes == tuple(Bye(entrant, SEED_BYE, 2) for entrant in (4, 3, 2))


@pytest.mark.parametrize("entrants", range(2, 34))
def test_has_exactly_one_winner_unless_all_who_were_in_left_at_once(entrants: int) -> None:
    for life in (CALM, Life(leaves=0.1, away=0.1, returns=0.3), Life(comes=0.5, by_hand=0.3)):
        for seed in range(4):
            played = play(SYSTEM, PLAN, entrants, Random(seed), life)
            levels = SYSTEM.levels(PLAN, played.history)
            last = played.history.rounds[-1]
            if any(bye.kind == SEED_BYE for bye in last.byes) or last.tables:
                assert levels.count(max(levels)) == 1
            else:
                assert life.leaves


def test_is_lost_by_everybody_else_once() -> None:
    for seed in range(5):
        history = play(SYSTEM, PLAN, 21, Random(seed), Life(tie=0)).history
        losers = [
            next(entrant for entrant in table.entrants if not table.gained(entrant))
            for _, table in tables_of(history)
        ]
        assert len(losers) == len(set(losers)) == 20


def test_tells_how_far_each_came() -> None:
    second = Round(2, (won(0, 3), won(2, 1)))
    assert SYSTEM.levels(PLAN, past()) == (0,) * 8
    assert SYSTEM.levels(PLAN, past(quarter_finals())) == (1, 1, 1, 1, 0, 0, 0, 0)
    final = Round(3, (won(2, 0),))
    levels = SYSTEM.levels(PLAN, past(quarter_finals(), second, final))
    assert levels == (2, 1, 3, 1, 0, 0, 0, 0)


def test_gives_a_tie_to_the_higher_seed() -> None:
    first = quarter_finals(Table("t", (6, 1), (1, 1)))
    assert met(draw((first,), EIGHT)) == [{0, 3}, {1, 2}]


def test_lets_whom_nobody_appears_against_go_on() -> None:
    first = quarter_finals(Table("t", (0, 7), (0, 2), forfeits=frozenset({0})))
    assert met(draw((first,), EIGHT)) == [{7, 3}, {1, 2}]


def test_lets_neither_go_on_if_neither_appears_and_the_next_one_without_a_game() -> None:
    first = quarter_finals(Table("t", (0, 7), (0, 0), forfeits=frozenset({0, 7})))
    drawn = draw((first,), EIGHT)
    assert met(drawn) == [{1, 2}]
    assert drawn.byes == (Bye(3, SEED_BYE, 2),)


def test_lets_who_is_alone_at_a_pair_go_on() -> None:
    drawn = draw((), tuple(range(7)))
    assert drawn.byes == (Bye(0, SEED_BYE, 2),)
    for away in ((), (Bye(7, REQUESTED_BYE, 1),)):
        first = quarter_finals(byes=(*drawn.byes, *away))
        assert met(draw((first,), EIGHT)) == [{0, 3}, {1, 2}]


def test_lets_the_higher_seed_go_on_of_two_who_are_away_but_have_not_left() -> None:
    first = quarter_finals(byes=(Bye(0, ABSENT_BYE, 0), Bye(7, REQUESTED_BYE, 1)))
    assert met(draw((first,), EIGHT)) == [{0, 3}, {1, 2}]
    first = quarter_finals(byes=(Bye(7, REQUESTED_BYE, 1),))
    gone = Round(1, tuple(t for t in first.tables if 0 not in t.entrants), first.byes)
    assert met(draw((gone,), EIGHT)) == [{7, 3}, {1, 2}]


def test_exchanges_opponents_for_two_who_are_paired_by_hand() -> None:
    drawn = draw((), EIGHT, (2, 0))
    assert drawn.tables[0] == (2, 0)
    assert met(drawn) == [{0, 2}, {3, 4}, {1, 6}, {7, 5}]
    first = Round(
        1,
        (
            Table("h", (2, 0), (2, 0), by_hand=True),
            Table("t", drawn.tables[3], (2, 0)),
            won(3, 4),
            won(1, 6),
        ),
    )
    winner = drawn.tables[3][0]
    assert met(draw((first,), EIGHT)) == [{2, 3}, {1, winner}]


def test_takes_a_table_by_hand_with_somebody_who_is_out_for_no_game_of_the_bracket() -> None:
    drawn = draw((quarter_finals(),), EIGHT, (7, 0))
    assert met(drawn) == [{1, 2}, {7, 0}]
    assert drawn.byes == (Bye(3, SEED_BYE, 2),)


def test_has_no_slot_for_who_comes_late() -> None:
    first = Round(1, (won(0, 1),), (Bye(2, "late", 0),))
    history = History(3, 2, (2, 0, 1), (first,))
    assert SYSTEM.draw(PLAN, history, Ask(2, (2, 0), bytes(32))) is None
    assert SYSTEM.levels(PLAN, history) == (1, 0, 0)
