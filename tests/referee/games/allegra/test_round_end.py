"""Who ends a round, who still has a turn, and what the round scores."""

from dataclasses import replace

import pytest

from aboveboard_referee.games.allegra.flow import find_trigger
from aboveboard_referee.games.allegra.scoring import ranks, round_scores
from aboveboard_referee.games.allegra.state import Phase
from aboveboard_referee.games.contract import Over, Shuffle, Slot
from tests.referee.games.allegra.scene import EMPTY, RULES, Scene

ACTOR = replace(RULES, trigger="actor")

# Two seats: all of seat 0's area lies open but 0.2.3, which is in seat 1's area too.
ALMOST = "1 0 1 2 / 0 1 0 1 / 1 0 1 #3"
HIDDEN = "#1 #2 #3 4 / #2 #3 #2 3 / #1 #2 #3 4"
DOWN = "#1 #2 #3 #4 / #2 #3 #2 #3 / #1 #2 #3 #4"


def test_a_seat_all_of_whose_cards_lie_open_ends_the_round() -> None:
    scene = Scene(ALMOST, HIDDEN, stock="6").play("draw").play("hold").play("discard 0.2.3")
    assert (scene.state.trigger, scene.state.final) == (0, (1,))
    assert scene.state.is_final
    assert scene.seats == (1,)


def test_the_seat_whose_area_it_is_ends_the_round_also_if_another_turned_the_card() -> None:
    scene = Scene(ALMOST, HIDDEN, active=1).play("take 0.2.3")
    assert (scene.state.trigger, scene.state.final) == (0, (1,))
    assert scene.seats == (1,)


def test_by_the_other_rule_the_seat_that_acted_ends_the_round() -> None:
    scene = Scene(ALMOST, HIDDEN, active=1, rules=ACTOR).play("take 0.2.3")
    assert (scene.state.trigger, scene.state.final) == (1, (0,))
    assert scene.seats == (0,)


def test_every_other_seat_has_one_more_turn_the_one_that_acted_last() -> None:
    # Seat 3 turns the last card of seat 2's area.
    hidden = "#1 #2 #3 4 / #2 #3 #2 3 / #1 #2 #3 #4"
    scene = Scene(DOWN, DOWN, "1 0 1 2 / 0 1 0 1 / 1 0 1 0", hidden, active=3)
    scene.play("take 3.2.3")
    assert (scene.state.trigger, scene.state.final) == (2, (0, 1, 3))
    for seat in (0, 1, 3):
        assert scene.seats == (seat,)
        scene.play(f"take {seat}.0.0")
    assert (scene.state.phase, scene.state.round) == (Phase.DEAL, 1)


def test_no_second_seat_ends_a_round_that_is_ending() -> None:
    scene = Scene(ALMOST, HIDDEN, "#1 #2 #3 #4 / #2 #3 #2 #3 / #1 #2 #3 5", trigger=2, final=(0, 1))
    scene.play("take 0.2.3")
    assert (scene.state.trigger, scene.state.final) == (2, (1,))


@pytest.mark.parametrize(("active", "trigger"), [(0, 0), (1, 1), (2, 0), (3, 0)])
def test_of_several_seats_the_active_one_or_the_first_after_it_ends_the_round(
    active: int, trigger: int
) -> None:
    open_grid = "1 0 1 2 / 0 1 0 1 / 1 0 1 0"
    right_column_open = "#1 #2 #3 4 / #2 #3 #2 3 / #1 #2 #3 4"
    scene = Scene(open_grid, open_grid, right_column_open, DOWN, active=active)
    assert find_trigger(RULES, scene.state) == trigger
    assert find_trigger(ACTOR, scene.state) == active


def test_an_empty_area_ends_the_round() -> None:
    scene = Scene("#1 #2 #3 . / #2 #3 #2 . / #1 #2 #3 .", EMPTY, DOWN, active=2)
    assert find_trigger(RULES, scene.state) is None
    two = Scene("#1 #2 #3 . / #2 #3 #2 . / #1 #2 #3 .", EMPTY, active=0)
    assert find_trigger(RULES, two.state) == 1


def test_all_cards_are_turned_at_the_end_in_one_show_and_lines_removed_once_more() -> None:
    scene = Scene(ALMOST, "#1 #4 #4 4 / #2 #3 #2 3 / #1 #2 #3 4", stock="6")
    scene.play("draw").play("hold").play("discard 0.2.3").play("take 1.0.0")
    assert scene.shown[-1] == tuple(Slot(1, pos) for pos in (13, 14, 16, 17, 18, 20, 21, 22))
    assert scene.text(1) == "6 . . . / 2 3 2 3 / 1 2 3 4"


def test_an_area_is_summed_with_the_cells_that_it_shares() -> None:
    scene = Scene(ALMOST, "#0 #1 #0 4 / #0 #0 #1 3 / #1 #0 #0 4", discards="1", stock="6")
    scene.play("draw").play("hold").play("discard 0.2.3").play("take 1.0.0")
    # Seat 0: 4 + 2 + 5 and the column 4 + 3 + 4. Seat 1: 7 (the 6 taken) + 1 + 3 + 11 and 6.
    assert scene.state.results == ((22, 26),)
    assert scene.state.totals == (22, 26)


def test_a_trigger_whose_sum_is_not_the_lowest_pays_double() -> None:
    scene = Scene(ALMOST, "#0 #1 #0 4 / #0 #0 #1 3 / #1 #0 #0 4", discards="1", stock="0")
    scene.play("draw").play("hold").play("discard 0.2.3").play("take 1.0.0")
    assert scene.state.results == ((44, 20),)


def test_a_round_that_nobody_ends_is_over_after_so_many_turns_and_nobody_is_doubled() -> None:
    scene = Scene(DOWN, DOWN, rules=replace(RULES, turn_cap=2))
    for text in ("take 0.0.0", "take 1.0.0", "take 0.0.1"):
        scene.play(text)
        assert scene.state.phase is Phase.TURN
    scene.play("take 1.0.1")
    assert scene.state.round == 1
    assert scene.state.trigger is None
    assert scene.text(0) == "5 1 3 4 / 2 3 2 3 / 1 2 3 4"  # 33, and 11 of seat 1's
    assert scene.text(1) == "1 2 3 4 / 2 3 2 3 / 1 2 3 4"  # 30, and 11 of seat 0's
    assert scene.state.results == ((44, 41),)


def test_final_turns_are_played_beyond_the_cap() -> None:
    capped = replace(RULES, turn_cap=1)
    scene = Scene(HIDDEN, ALMOST, rules=capped, turns=1, active=1).play("take 1.2.3")
    assert (scene.state.trigger, scene.state.turns) == (1, 2)
    assert scene.seats == (0,)
    assert scene.play("take 0.0.0").state.round == 1


def test_the_next_round_is_dealt_from_all_cards_and_begun_by_the_next_seat() -> None:
    scene = Scene(ALMOST, HIDDEN, trigger=0, final=(1,), active=1).play("take 1.0.0")
    assert scene.need == Shuffle(tuple(range(260)), closes=True)
    assert scene.state.round == 1


def test_the_match_is_over_after_three_rounds_and_the_lowest_total_wins() -> None:
    grids = (". . . 1 / . . . . / . . . .", "#0 . . . / . . . . / . . . .")
    before = {"round": 2, "results": ((5, 30), (6, -21))}
    scene = Scene(*grids, trigger=0, final=(1,), active=1, **before).play("take 1.0.0")
    assert scene.state.results[2] == (1, 6)
    assert scene.need == Over((12, 15), (1, 2))


@pytest.mark.parametrize(
    ("sums", "trigger", "scores"),
    [
        ((10, 10, 15), 0, (10, 10, 15)),
        ((10, 9), 0, (20, 9)),
        ((9, 10), 1, (9, 20)),
        ((9, 10), 0, (9, 10)),
        ((-2, -5), 0, (-2, -5)),
        ((0, -5), 0, (0, -5)),
        ((1, 0), 0, (2, 0)),
        ((30, 9), None, (30, 9)),
    ],
)
def test_the_triggers_sum_is_doubled_if_positive_and_not_the_lowest(
    sums: tuple[int, ...], trigger: int | None, scores: tuple[int, ...]
) -> None:
    assert round_scores(RULES, sums, trigger) == scores


def test_other_rules_double_negative_sums_or_ties_or_nothing() -> None:
    assert round_scores(replace(RULES, doubling="any"), (-2, -5), 0) == (-4, -5)
    assert round_scores(replace(RULES, doubling="never"), (10, 9), 0) == (10, 9)
    assert round_scores(replace(RULES, tie_is_lowest=False), (10, 10), 0) == (20, 10)
    assert round_scores(replace(RULES, tie_is_lowest=False), (9, 10), 0) == (9, 10)


def test_equal_totals_share_a_rank() -> None:
    assert ranks((12, 7, 12, 30, 7)) == (3, 1, 3, 5, 1)
