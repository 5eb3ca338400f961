"""What the active seat can do, and what becomes of the cards."""

import pytest

from aboveboard_referee.games.contract import Decide, Illegal, Moved, Slot
from aboveboard_referee.games.step import step
from tests.referee.games.allegra.scene import ALL_DOWN, EMPTY, Scene

HALF = "#1 2 . 4 / 5 #6 7 8 / 9 . 11 1"
OTHER = "#1 #2 #3 4 / #5 #6 #7 . / #9 #10 #2 #8"


def test_a_seat_draws_or_takes_the_top_discard_into_an_occupied_cell_of_its_area() -> None:
    assert Scene(HALF, OTHER).legal(0) == [
        "draw",
        *(f"take 0.0.{column}" for column in (0, 1, 3)),
        *(f"take 0.1.{column}" for column in (0, 1, 2, 3)),
        *(f"take 0.2.{column}" for column in (0, 2, 3)),
        "take 1.0.3",
        "take 1.2.3",
    ]


def test_the_last_seats_left_neighbour_is_seat_0() -> None:
    legal = Scene(HALF, OTHER, active=1).legal(1)
    assert legal[:5] == ["draw", "take 0.0.3", "take 0.1.3", "take 0.2.3", "take 1.0.0"]
    assert legal == sorted(legal)


def test_a_taken_card_lies_open_and_the_card_it_replaces_is_the_top_discard() -> None:
    scene = Scene(HALF, OTHER, discards="3 5").play("take 0.0.1")
    assert scene.text(0) == HALF.replace("#1 2", "#1 5")
    assert scene.discards == [3, 2]
    assert scene.shown == []
    assert scene.seats == (1,)


def test_a_face_down_card_is_shown_when_a_taken_one_replaces_it() -> None:
    scene = Scene(HALF, OTHER, discards="3 5").play("take 1.2.3")
    assert scene.text(1) == OTHER.replace("#8", "5")
    assert scene.discards == [3, 8]
    assert scene.shown == [(Slot(1, 23),)]


def test_no_seat_knocks_for_a_card_that_is_taken() -> None:
    scene = Scene(HALF, OTHER, OTHER).play("take 0.0.1")
    assert scene.legal(1)[0] == "draw"


def test_a_drawn_card_is_shown_to_all_before_anybody_decides() -> None:
    scene = Scene(HALF, OTHER, stock="6 3").play("draw")
    assert scene.state.drawn is not None
    assert scene.state.drawn.value == 6
    assert scene.seats == (1,)
    assert len(scene.shown) == 1


def test_a_drawn_card_is_discarded_for_turning_a_cell_or_swapped() -> None:
    scene = Scene(HALF, OTHER, stock="6").play("draw").play("hold")
    assert scene.legal(0) == [
        "discard 0.0.0",
        "discard 0.1.1",
        "discard 1.2.3",
        *(f"swap 0.0.{column}" for column in (0, 1, 3)),
        *(f"swap 0.1.{column}" for column in (0, 1, 2, 3)),
        *(f"swap 0.2.{column}" for column in (0, 2, 3)),
        "swap 1.0.3",
        "swap 1.2.3",
    ]


def test_discarding_turns_the_cell_and_leaves_its_card_there() -> None:
    scene = Scene(HALF, OTHER, stock="6").play("draw").play("hold").play("discard 0.1.1")
    assert scene.text(0) == HALF.replace("#6", "6")
    assert scene.discards == [5, 6]


def test_swapping_discards_the_card_that_lay_there() -> None:
    scene = Scene(HALF, OTHER, stock="6").play("draw").play("hold").play("swap 0.0.0")
    assert scene.text(0) == HALF.replace("#1", "6")
    assert scene.discards == [5, 1]
    assert scene.state.drawn is None


def test_a_swap_that_completes_a_line_removes_it() -> None:
    row = "#1 6 #3 6 / 5 #6 7 8 / 9 . 11 1"
    scene = Scene(row, ALL_DOWN, stock="6").play("draw").play("hold").play("swap 0.0.2")
    assert scene.text(0) == "#1 . . . / 5 #6 7 8 / 9 . 11 1"
    assert scene.discards == [5, 3]
    assert [card.value for card in scene.state.removed] == [6, 6, 6]


def test_the_card_seen_by_turning_can_complete_a_line_for_a_neighbour() -> None:
    grid = "#1 2 3 6 / 4 #6 7 6 / 9 10 11 #6"
    scene = Scene(ALL_DOWN, grid, stock="2").play("draw").play("hold").play("discard 1.2.3")
    assert scene.text(1) == "#1 2 3 . / 4 #6 7 . / 9 10 11 ."


def test_a_seat_without_face_down_cards_discards_and_turns_nothing() -> None:
    """It happens in final turns only, when the seat is not the one that ended the round."""
    open_grid = "1 2 3 4 / 5 6 7 8 / 9 10 11 1"
    other = "#1 #2 #3 4 / #5 #6 #7 5 / #9 #10 #2 8"
    scene = Scene(open_grid, other, stock="6", trigger=1, final=(0,)).play("draw").play("hold")
    assert scene.legal(0)[:2] == ["discard", "swap 0.0.0"]
    scene.play("discard")
    assert scene.state.round == 1


def test_a_seat_with_an_empty_area_draws_and_discards_without_being_asked() -> None:
    last = "1 2 3 . / 4 5 6 . / 7 8 #9 ."
    scene = Scene(last, EMPTY, stock="6 4").play("draw")
    scene.play("discard 0.2.2")  # nobody else has a card, nobody was asked to knock
    assert scene.state.drawn is not None
    assert scene.state.drawn.value == 4
    assert scene.state.active == 1
    assert scene.need == Decide(((0, scene.need.of(0)),), sealed=False)
    assert scene.legal(0) == ["hold", "knock"]
    scene.play("knock")
    assert scene.state.discards[-1].value == 4
    assert scene.state.round == 1


def test_a_move_that_is_not_open_is_refused_and_changes_nothing() -> None:
    scene = Scene(HALF, OTHER)
    before = scene.state
    for text in ("take 0.0.2", "take 1.0.0", "swap 0.0.0", "hold", "discard", "turn 0.0.0 0.1.1"):
        with pytest.raises(Illegal) as refused:
            step(scene.game, scene.state, Moved(((0, scene.game.decode(text)),)))
        assert refused.value.seat == 0
    assert scene.state == before
