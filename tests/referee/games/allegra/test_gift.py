"""Knocks for a drawn card, and its gift to a seat that knocked."""

from dataclasses import replace

from aboveboard_referee.games.allegra.state import Phase
from tests.referee.games.allegra.scene import EMPTY, RULES, Scene

# Three seats: seat 0 plays on its grid and 1.c4, seat 1 on its and 2.c4, seat 2 on its and 0.c4.
GRID_0 = "1 #2 3 4 / 5 6 #7 8 / 9 10 11 1"
GRID_1 = "#2 2 #3 3 / 4 #4 5 #5 / 6 6 #7 7"
GRID_2 = "8 #8 9 #9 / #10 3 #1 2 / 0 #0 4 -1"


def drawn(*grids: str, **fields: object) -> Scene:
    return Scene(*(grids or (GRID_0, GRID_1, GRID_2)), stock="0 11", **fields).play("draw")


def test_all_others_answer_a_draw_at_once_and_sealed() -> None:
    scene = drawn(active=1)
    assert scene.seats == (0, 2)
    assert scene.need.sealed
    assert scene.legal(0) == scene.legal(2) == ["hold", "knock"]


def test_a_single_other_seat_answers_in_clear() -> None:
    scene = drawn(GRID_0, GRID_1)
    assert scene.seats == (1,)
    assert not scene.need.sealed


def test_a_seat_with_an_empty_area_is_not_asked() -> None:
    scene = drawn("1 #2 3 . / 5 6 #7 . / 9 10 11 .", GRID_1, EMPTY)
    assert scene.seats == (1,)


def test_by_the_published_rule_two_seats_do_not_knock() -> None:
    rules = replace(RULES, knock_min_seats=3)
    assert drawn(GRID_0, GRID_1, rules=rules).state.phase is Phase.ACT
    assert drawn(rules=rules).state.phase is Phase.KNOCK


def test_a_drawer_for_whose_card_nobody_knocks_is_not_asked_to_choose() -> None:
    scene = drawn().play("hold", "hold")
    assert scene.legal(0)[0] == "discard 0.0.1"


def test_the_drawer_declines_or_gives_to_one_that_knocked() -> None:
    assert drawn().play("knock", "hold").legal(0) == ["decline", "give 1"]
    assert drawn().play("knock", "knock").legal(0) == ["decline", "give 1", "give 2"]


def test_a_drawer_that_declines_uses_the_card_itself() -> None:
    scene = drawn().play("knock", "knock").play("decline")
    assert scene.seats == (0,)
    assert scene.legal(0)[0] == "discard 0.0.1"
    assert scene.play("swap 0.0.0").text(0) == "0" + GRID_0[1:]


def test_a_gift_takes_four_steps_and_each_hidden_card_is_seen_before_the_next() -> None:
    scene = drawn().play("hold", "knock").play("give 2")
    shown = len(scene.shown)
    assert scene.seats == (2,)
    assert scene.legal(2) == [
        *("place 0.0.3", "place 0.1.3", "place 0.2.3"),
        *(f"place 2.{row}.{column}" for row in range(3) for column in range(4)),
    ]

    scene.play("place 2.0.1")  # x, with a face-down 8
    assert scene.text(2) == "8 0 9 #9 / #10 3 #1 2 / 0 #0 4 -1"
    assert scene.state.gift.replaced.value == 8
    assert len(scene.shown) == shown + 1
    assert scene.seats == (0,)
    assert scene.legal(0) == [
        *("pick 0.0.3", "pick 0.1.3", "pick 0.2.3"),
        *(f"pick 2.{row}.{column}" for row in range(3) for column in range(4)),
    ]

    scene.play("pick 2.1.0")  # y, with a face-down 10
    assert scene.text(2) == "8 0 9 #9 / . 3 #1 2 / 0 #0 4 -1"
    assert scene.state.gift.picked.value == 10
    assert len(scene.shown) == shown + 2
    assert scene.seats == (0,)
    assert scene.legal(0) == [
        *(f"put 0.{row}.{column}" for row in range(3) for column in range(4)),
        *("put 1.0.3", "put 1.1.3", "put 1.2.3"),
    ]

    scene.play("put 1.1.3")  # z, with a face-down 5
    assert scene.text(1) == "#2 2 #3 3 / 4 #4 5 10 / 6 6 #7 7"
    assert scene.text(2) == "8 0 9 #9 / 8 3 #1 2 / 0 #0 4 -1"
    assert scene.discards == [5, 5]
    assert len(scene.shown) == shown + 3
    assert scene.state.gift is None


def test_the_turn_after_a_gift_is_the_givers_left_neighbours() -> None:
    scene = drawn().play("knock", "hold").play("give 1")
    scene.play("place 1.0.0").play("pick 1.0.0").play("put 0.0.0")
    assert scene.seats == (1,)
    assert scene.legal(1)[0] == "draw"


def test_the_giver_may_pick_its_own_gift_again() -> None:
    scene = drawn().play("knock", "hold").play("give 1")
    scene.play("place 1.0.0").play("pick 1.0.0").play("put 0.0.0")
    assert scene.text(0) == "0" + GRID_0[1:]
    assert scene.text(1) == "2 2 #3 3 / 4 #4 5 #5 / 6 6 #7 7"
    assert scene.discards == [5, 1]


def test_a_cell_of_both_areas_that_was_picked_cannot_take_the_card() -> None:
    scene = drawn().play("hold", "knock").play("give 2").play("place 2.0.0").play("pick 0.1.3")
    assert "put 0.1.3" not in scene.legal(0)
    assert len(scene.legal(0)) == 14
    scene.play("put 0.0.0")
    assert scene.text(0) == "8 #2 3 4 / 5 6 #7 8 / 9 10 11 1"
    assert scene.text(2) == "0 #8 9 #9 / #10 3 #1 2 / 0 #0 4 -1"


def test_a_gift_on_a_cell_of_both_areas_may_be_discarded() -> None:
    scene = drawn().play("hold", "knock").play("give 2")
    scene.play("place 0.0.3").play("pick 2.0.0").play("put 0.0.3")
    assert scene.text(0) == "1 #2 3 8 / 5 6 #7 8 / 9 10 11 1"
    assert scene.text(2) == "4 #8 9 #9 / #10 3 #1 2 / 0 #0 4 -1"
    assert scene.discards == [5, 0]


def test_a_line_that_stands_only_during_a_gift_is_not_removed() -> None:
    grid = "7 7 2 #9 / #10 3 #1 2 / 0 #1 4 -1"
    scene = Scene(GRID_0, GRID_1, grid, stock="7").play("draw").play("hold", "knock")
    scene.play("give 2").play("place 2.0.2")
    assert scene.text(2).startswith("7 7 7 #9")
    scene.play("pick 2.0.0").play("put 0.0.0")
    assert scene.text(2) == "2 7 7 #9 / #10 3 #1 2 / 0 #1 4 -1"
    assert scene.state.removed == ()


def test_lines_are_removed_once_a_gift_is_complete() -> None:
    grid = "7 7 2 #9 / #10 3 #1 2 / 0 #1 4 -1"
    scene = Scene(GRID_0, GRID_1, grid, stock="7").play("draw").play("hold", "knock")
    scene.play("give 2").play("place 2.0.2").play("pick 2.1.0").play("put 0.0.0")
    assert scene.text(2) == ". . . #9 / 2 3 #1 2 / 0 #1 4 -1"
    assert len(scene.state.removed) == 3


def test_a_pick_must_leave_the_giver_a_card_to_replace() -> None:
    """Both share one cell, the giver has no other, the taker has one more."""
    fields = {"trigger": 1, "final": (0,), "stock": "6"}
    scene = Scene(". . . 3 / . . . . / . . . .", "9 . . . / . . . . / . . . .", **fields)
    scene.play("draw").play("knock")
    assert scene.legal(0) == ["decline", "give 1"]
    scene.play("give 1")
    assert scene.legal(1) == ["place 0.0.3", "place 1.0.0"]
    scene.play("place 1.0.0")  # y must be 1.0.0 and z 0.0.3: nobody is asked
    assert scene.state.round == 1
    assert scene.text(0) == ". . . 6 / . . . . / . . . ."
    assert scene.text(1) == "9 . . . / . . . . / . . . ."
    assert scene.discards == [5, 3]


def test_no_gift_is_possible_where_both_have_only_the_cell_that_they_share() -> None:
    fields = {"trigger": 1, "final": (0,), "stock": "6"}
    scene = Scene(". . . 3 / . . . . / . . . .", EMPTY, **fields).play("draw").play("knock")
    assert scene.legal(0) == ["discard", "swap 0.0.3"]


def test_a_taker_with_one_cell_is_not_asked_where_the_gift_goes() -> None:
    fields = {"trigger": 1, "final": (0,), "stock": "6"}
    scene = Scene("1 2 . . / . . . . / . . . .", "9 . . . / . . . . / . . . .", **fields)
    scene.play("draw").play("knock").play("give 1")
    assert scene.text(1) == EMPTY  # the gift was put there and picked again at once
    assert scene.legal(0) == ["put 0.0.0", "put 0.0.1"]
    scene.play("put 0.0.1")
    assert scene.text(0).startswith("1 6 .")
    assert scene.text(1).startswith("9 .")
