"""The deal and the set-up of a round."""

from itertools import combinations

from aboveboard_referee.games import registry
from aboveboard_referee.games.allegra.grid import area_cells
from aboveboard_referee.games.allegra.state import FaceUp, Phase
from aboveboard_referee.games.contract import Decide, Show, Shuffle, Slot
from tests.fakes.table import Dealer, Table

GAME = registry.game("allegra")


def moves(table: Table, *texts: str) -> Decide:
    """Each text is the move of the one seat asked; the decision that follows."""
    need = table.deal()
    for text in texts:
        (seat,) = need.seats
        table.move((seat, GAME.decode(text)))
        need = table.deal()
    return need


def test_a_round_begins_with_a_shuffle_of_all_cards_that_closes_older_decks() -> None:
    assert GAME.need(GAME.start(2)) == Shuffle(tuple(range(120)), closes=True)


def test_the_first_card_below_the_grids_is_turned_and_starts_the_discards() -> None:
    for seats in GAME.seats:
        table = Table(GAME, seats, Dealer())
        shuffled = table.dealer.shuffle(table.need())
        for holder in table.holders:
            table.feed(holder, shuffled)
        assert table.need() == Show(((Slot(1, 12 * seats), None),))
        table.deal()
        state = table.states[table.holders[0]]
        assert [card.slot for card in state.discards] == [Slot(1, 12 * seats)]
        assert state.stock.next_slot == Slot(1, 12 * seats + 1)
        assert state.stock.left == 120 - 12 * seats - 1


def test_slots_go_to_the_grids_seat_by_seat_and_row_by_row() -> None:
    table = Table(GAME, 3, Dealer())
    table.deal()
    state = table.states[table.holders[0]]
    assert [lying.slot for lying in state.rows(1)[2]] == [Slot(1, pos) for pos in range(20, 24)]


def test_each_seat_turns_two_face_down_cells_of_its_area_from_the_first_seat_on() -> None:
    table = Table(GAME, 3, Dealer())
    need = moves(table)
    assert need.seats == (0,)
    pairs = list(combinations(area_cells(0, 3), 2))
    assert [move.cells for move in need.of(0)] == pairs
    assert len(pairs) == 105

    need = moves(table, "turn 0.0.0 1.0.3")  # a cell that seats 0 and 1 share
    assert need.seats == (1,)
    left = [str(cell) for cell in area_cells(1, 3) if str(cell) != "1.0.3"]
    assert [GAME.encode(move) for move in need.of(1)] == [
        f"turn {a} {b}" for a, b in combinations(left, 2)
    ]

    need = moves(table, "turn 1.0.0 2.1.3", "turn 0.2.3 2.0.0")
    state = table.states[table.holders[0]]
    assert (need.seats, state.phase) == ((0,), Phase.TURN)
    up = [number for number, lying in enumerate(state.grid) if isinstance(lying, FaceUp)]
    assert up == [0, 11, 12, 15, 24, 31]


def test_lines_are_removed_in_the_set_up_too() -> None:
    sevens = [card for card in range(120) if GAME.card_text(card) == "7"]
    others = [card for card in range(120) if card not in sevens]
    deck = [*sevens[:2], *others[:13], sevens[2]]  # cells 0.0.0, 0.0.1 and 1.0.3
    table = Table(GAME, 2, Dealer(decks=[deck]))
    moves(table, "turn 0.0.0 0.0.1", "turn 1.0.3 1.2.0")
    state = table.states[table.holders[0]]
    assert [number for number, lying in enumerate(state.grid) if lying is None] == [0, 1, 15]
    assert sorted(card.card for card in state.removed) == sevens[:3]
