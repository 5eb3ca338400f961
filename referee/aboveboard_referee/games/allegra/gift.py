"""Knocks for a drawn card, and the gift to a seat that knocked.

D is the giver, whose turn it is, and K the taker. First the drawn card goes to a cell x
of K's area, and what it replaces into K's hand. Then D picks the card of a cell y of
K's area and puts it on a cell z of its own area, whose card is discarded. K's hand fills
y without being asked, and only now are lines removed.
"""

from aboveboard_referee.games.allegra.flow import complete_turn
from aboveboard_referee.games.allegra.grid import Cell
from aboveboard_referee.games.allegra.notation import Move, Verb, on_cells
from aboveboard_referee.games.allegra.rules import AllegraRules
from aboveboard_referee.games.allegra.state import Gift, Phase, State
from aboveboard_referee.games.contract import Seat

DECLINE = Move(Verb.DECLINE)
KNOCKS = (Move(Verb.HOLD), Move(Verb.KNOCK))


def ask_knocks(rules: AllegraRules, state: State) -> State:
    """A card has been drawn: the others may knock, if there are knocks and others."""
    may_knock = state.seats >= rules.knock_min_seats and asked_seats(state)
    return state._replace(phase=Phase.KNOCK if may_knock else Phase.ACT)


def asked_seats(state: State) -> tuple[Seat, ...]:
    """Every seat but the active one whose area is not empty, also where no gift could follow."""
    return tuple(
        seat for seat in range(state.seats) if seat != state.active and state.occupied(seat)
    )


def knocked(state: State, moves: tuple[tuple[Seat, Move], ...]) -> State:
    """All that were asked have answered."""
    knockers = tuple(seat for seat, move in moves if move.verb is Verb.KNOCK)
    return state._replace(phase=Phase.CHOICE, knockers=knockers)


def choice_moves(state: State) -> tuple[Seat, tuple[Move, ...]]:
    """Decline, or give to any seat that knocked and can exchange a card with the giver."""
    gifts = (Move(Verb.GIVE, (), seat) for seat in state.knockers if _picks(state, seat))
    return state.active, (DECLINE, *gifts)


def choose(rules: AllegraRules, state: State, move: Move) -> State:
    """The drawn card stays with the active seat or goes to the taker."""
    if move.seat is None:
        return state._replace(phase=Phase.ACT)
    return state._replace(phase=Phase.PLACE, gift=Gift(move.seat))


def place_moves(state: State) -> tuple[Seat, tuple[Move, ...]]:
    """x: any occupied cell of the taker's area."""
    taker = _gift(state).taker
    return taker, on_cells(Verb.PLACE, state.occupied(taker))


def place(rules: AllegraRules, state: State, move: Move) -> State:
    """The gift lies on x."""
    (x,) = move.cells
    grid = list(state.grid)
    grid[x.number] = state.drawn
    gift = _gift(state)._replace(replaced=state.face_up_at(x))
    return state._replace(phase=Phase.PICK, grid=tuple(grid), drawn=None, gift=gift)


def pick_moves(state: State) -> tuple[Seat, tuple[Move, ...]]:
    """y: any occupied cell of the taker's area that leaves the giver a z."""
    return state.active, on_cells(Verb.PICK, _picks(state, _gift(state).taker))


def pick(rules: AllegraRules, state: State, move: Move) -> State:
    """The card of y is in the giver's hand, which leaves a hole."""
    (y,) = move.cells
    grid = list(state.grid)
    grid[y.number] = None
    gift = _gift(state)._replace(picked=state.face_up_at(y), hole=y)
    return state._replace(phase=Phase.PUT, grid=tuple(grid), gift=gift)


def put_moves(state: State) -> tuple[Seat, tuple[Move, ...]]:
    """z: any occupied cell of the giver's area, among which the hole y is no more."""
    return state.active, on_cells(Verb.PUT, state.occupied(state.active))


def put(rules: AllegraRules, state: State, move: Move) -> State:
    """The picked card lies on z, the hole is filled, and the turn is complete."""
    (z,) = move.cells
    gift = _gift(state)
    assert gift.hole is not None
    grid = list(state.grid)
    grid[z.number] = gift.picked
    grid[gift.hole.number] = gift.replaced
    discards = (*state.discards, state.face_up_at(z))
    return complete_turn(rules, state._replace(grid=tuple(grid), discards=discards))


def _picks(state: State, taker: Seat) -> tuple[Cell, ...]:
    """The cells y of the taker's area after which the giver still has an occupied z ≠ y."""
    givers = state.occupied(state.active)
    return tuple(y for y in state.occupied(taker) if any(z != y for z in givers))


def _gift(state: State) -> Gift:
    assert state.gift is not None
    return state.gift
