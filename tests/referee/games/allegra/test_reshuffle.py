"""What happens when a seat draws from an empty stock, and what a dealer cannot get away with."""

import pytest

from aboveboard_referee.games.contract import (
    DealerFault,
    Moved,
    Show,
    Shown,
    Shuffle,
    Shuffled,
    Slot,
)
from aboveboard_referee.games.step import step
from tests.referee.games.allegra.scene import Scene

GRID_0 = "#1 2 . 4 / 5 #6 7 8 / 9 . 11 1"
GRID_1 = "#1 #2 #3 4 / #5 #6 #7 . / #9 #10 #2 #8"


def empty_stock(discards: str = "5 3 9") -> Scene:
    return Scene(GRID_0, GRID_1, discards=discards, stock_ends=True)


def test_the_discards_but_the_top_one_become_a_deck_that_closes_nothing() -> None:
    scene = empty_stock()
    below = sorted(card.card for card in scene.state.discards[:-1])
    scene.play("draw")
    assert scene.shuffled == [Shuffle(tuple(below), closes=False)]
    assert scene.discards == [9]
    assert scene.state.drawn.slot == Slot(2, 0)
    assert scene.state.stock.left == 1
    assert scene.state.decks == 2


def test_cards_in_cells_keep_their_slots_of_the_older_deck() -> None:
    scene = empty_stock().play("draw").play("hold").play("discard 0.0.0")
    assert scene.shown[-1] == (Slot(1, 0),)
    assert scene.text(0) == GRID_0.replace("#1", "1")


def test_a_seat_may_take_from_an_empty_stocks_discards_without_a_reshuffle() -> None:
    assert empty_stock().play("take 0.0.1").shuffled == []


def test_two_discards_are_enough_for_every_draw_to_come() -> None:
    scene = empty_stock("5 3")
    for seat in (0, 1, 0, 1):
        scene.play("draw").play("hold").play(f"swap {seat}.0.0")
        assert scene.state.stock.left + len(scene.state.discards) == 2
    assert len(scene.shuffled) == 4


def test_the_deck_must_hold_exactly_the_discards() -> None:
    scene = empty_stock()
    state = step(scene.game, scene.state, Moved(((0, scene.game.decode("draw")),)))
    owed = scene.game.need(state)
    for cards in (owed.cards[:-1], owed.cards[::-1], tuple(range(260)), (*owed.cards, 0)):
        with pytest.raises(DealerFault):
            step(scene.game, state, Shuffled(cards))
    assert step(scene.game, state, Shuffled(owed.cards)).decks == 2


def test_a_face_that_was_seen_before_or_belongs_to_another_deck_is_refused() -> None:
    scene = empty_stock()
    of_deck_1 = {card for _, cards in scene.state.unseen for card in cards}
    scene.play("draw").play("hold")
    move = scene.game.decode("discard 0.0.0")
    state = step(scene.game, scene.state, Moved(((0, move),)))
    owed = scene.game.need(state)
    assert owed == Show(((Slot(1, 0), None),))
    for card in (*range(260), None, -1, 260):
        if card in of_deck_1:
            step(scene.game, state, Shown(owed.grants, (card,)))
        else:
            with pytest.raises(DealerFault):
                step(scene.game, state, Shown(owed.grants, (card,)))


def test_one_card_cannot_be_shown_for_two_slots_of_one_show() -> None:
    scene = Scene(GRID_0, GRID_1, trigger=0, final=(1,), active=1)
    move = scene.game.decode("take 1.0.3")
    state = step(scene.game, scene.state, Moved(((1, move),)))
    owed = scene.game.need(state)
    assert isinstance(owed, Show)
    card = min(state.unseen_cards)
    with pytest.raises(DealerFault):
        step(scene.game, state, Shown(owed.grants, (card,) * len(owed.grants)))
