"""The active seat's own moves: set-up, draw or take, and what becomes of a drawn card.

When one of these is carried out, all cells that it names lie face up.
"""

from itertools import combinations

from aboveboard_referee.games.allegra.flow import complete_set_up, complete_turn
from aboveboard_referee.games.allegra.grid import Cell
from aboveboard_referee.games.allegra.notation import Move, Verb, on_cells
from aboveboard_referee.games.allegra.rules import AllegraRules
from aboveboard_referee.games.allegra.state import FaceUp, Phase, State
from aboveboard_referee.games.contract import Seat

DRAW = Move(Verb.DRAW)
DISCARD = Move(Verb.DISCARD)


def set_up_moves(state: State) -> tuple[Seat, tuple[Move, ...]]:
    """Any two face-down cells of the active seat's area."""
    pairs = combinations(state.face_down(state.active), 2)
    return state.active, tuple(Move(Verb.TURN, pair) for pair in pairs)


def set_up(rules: AllegraRules, state: State, move: Move) -> State:
    """Two cells have been turned."""
    return complete_set_up(rules, state)


def turn_moves(state: State) -> tuple[Seat, tuple[Move, ...]]:
    """Draw, or take the top discard into any occupied cell of the area."""
    return state.active, (DRAW, *on_cells(Verb.TAKE, state.occupied(state.active)))


def draw_or_take(rules: AllegraRules, state: State, move: Move) -> State:
    """A draw still waits for its card, or for the stock; a take completes the turn."""
    if move.verb is Verb.DRAW:
        return state._replace(phase=Phase.DRAWN if state.stock.left else Phase.RESHUFFLE)
    below = state._replace(discards=state.discards[:-1])
    return complete_turn(rules, _swapped(below, move.cells[0], state.top))


def act_moves(state: State) -> tuple[Seat, tuple[Move, ...]]:
    """Discard the drawn card and turn a cell, if one is left; or swap it into the area."""
    turns = on_cells(Verb.DISCARD, state.face_down(state.active))
    swaps = on_cells(Verb.SWAP, state.occupied(state.active))
    return state.active, (turns or (DISCARD,)) + swaps


def discard_or_swap(rules: AllegraRules, state: State, move: Move) -> State:
    """The drawn card, or the one it replaces, is discarded, which completes the turn."""
    drawn = state.drawn
    assert drawn is not None
    if move.verb is Verb.SWAP:
        return complete_turn(rules, _swapped(state, move.cells[0], drawn))
    return complete_turn(rules, state._replace(discards=(*state.discards, drawn)))


def _swapped(state: State, cell: Cell, card: FaceUp) -> State:
    """``card`` lies in the cell and what lay there is the top discard."""
    grid = list(state.grid)
    grid[cell.number] = card
    discards = (*state.discards, state.face_up_at(cell))
    return state._replace(grid=tuple(grid), discards=discards)
