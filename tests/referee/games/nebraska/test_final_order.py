from dataclasses import replace

import pytest

from aboveboard_referee.games.contract import Over
from aboveboard_referee.games.nebraska import FAMILY_RULES, Nebraska, Phase, State

GAME = Nebraska("nebraska:family", FAMILY_RULES)


def over(wins, points, rules=FAMILY_RULES):
    game = Nebraska("nebraska:family", rules)
    return game.need(State(rules, len(wins), phase=Phase.OVER, wins=wins, points=points))


def test_the_score_is_the_number_of_wins():
    assert over((5, 3), (20, 22)) == Over(score=(5, 3), rank=(1, 2))


@pytest.mark.parametrize(
    ("wins", "points", "rank"),
    [
        ((3, 2, 2, 0), (10, 11, 12, 30), (1, 3, 2, 4)),
        ((0, 3, 1, 1), (9, 10, 11, 11), (4, 1, 2, 2)),
        ((3, 1, 1, 1), (9, 7, 7, 8), (1, 3, 3, 2)),
        ((0, 0, 3, 0), (5, 5, 5, 5), (2, 2, 1, 2)),
    ],
)
def test_order_is_by_wins_then_points_over_all_hands_then_shared(wins, points, rank):
    assert over(wins, points).rank == rank


def test_points_can_be_left_out_of_the_order():
    rules = replace(FAMILY_RULES, points_break_ties=False)
    assert over((3, 2, 2, 0), (10, 11, 12, 30), rules).rank == (1, 2, 2, 4)


@pytest.mark.parametrize("seats", range(2, 8))
def test_the_first_seat_at_the_target_ends_the_game(new_table, seats):
    table = new_table(GAME, seats, seed=seats, alone=True)
    while table.phase is not Phase.OVER:
        assert max(table.referee.wins) < table.referee.target
        table.once()
    assert table.referee.wins[table.referee.last.winner] == table.referee.target
    assert sorted(table.referee.wins)[-2] < table.referee.target
