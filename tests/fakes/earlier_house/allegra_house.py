"""The house bot for Allegra, for two to six seats.

It looks at the table that each of its moves would leave and takes the best; what a table
is worth to a seat (sums, cards about to be removed, the end of the round) is told in
``allegra_outlook``. In particular:

- It takes the top discard if that gains more than a card from the stock may be hoped to.
- It rather turns a card than swaps for nothing, but not one that would end the round
  while another's sum is lower.
- At the set-up it turns two cells side by side that no neighbour plays on.
- It knocks if the card would help it even though the giver takes its lowest card in
  return, so nearly always to complete a line.
- It gives its drawn card away where that is better than the best use of its own. It
  expects the taker to put the card where that helps most.
"""

from collections.abc import Mapping
from random import Random

from aboveboard_referee.games.allegra.grid import COLUMNS, Cell
from aboveboard_referee.games.allegra.notation import Move, Verb
from aboveboard_referee.games.allegra.rules import AllegraRules
from aboveboard_referee.games.allegra.state import FaceUp, Phase, State
from aboveboard_referee.games.allegra.turn import act_moves
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.match.player import Turn
from tests.fakes.earlier_house import allegra_gift
from tests.fakes.earlier_house.allegra_outlook import Outlook

DRAW_GAINS = 3.0
"""What a card from the stock is expected to gain."""

TURN_GAINS = 0.5
"""What it is worth to know one more card of the own area."""

KNOCK_GAINS = 1.0
"""How much a gift must help before it is asked for: the giver may spoil it."""


class AllegraHouse:
    """Weighs the tables that its moves would leave."""

    games: tuple[str, ...] = ("allegra",)

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, turn: Turn) -> Move:
        state: State = turn.state
        legal: tuple[Move, ...] = turn.legal
        if len(legal) == 1:
            return legal[0]
        rules = turn.game.rules
        assert isinstance(rules, AllegraRules)
        view = Outlook(rules, state, turn.seat)
        match state.phase:
            case Phase.SET_UP:
                return self._set_up(turn.seat, legal)
            case Phase.TURN:
                return _draw_or_take(view, state, legal)
            case Phase.KNOCK:
                return _answer(view, state, turn.seat, legal)
            case Phase.CHOICE:
                takers = {
                    move.seat: Outlook(rules, state, move.seat)
                    for move in legal
                    if move.seat is not None
                }
                return _decline_or_give(view, takers, state, turn.seat, legal)
            case Phase.PLACE:
                cells = _numbers(state, turn.seat)
                _, x = allegra_gift.place(view, cells, _value(state.drawn))
                return _on(legal, x)
            case Phase.PICK:
                return _pick(view, state, turn.seat, legal)
            case Phase.PUT:
                return _put(view, state, legal)
            case _:
                return max(legal, key=lambda move: _use(view, state, move))

    def _set_up(self, seat: Seat, legal: tuple[Move, ...]) -> Move:
        """Any of the pairs that lie best."""
        best = max(_lies_well(seat, move.cells) for move in legal)
        return self._rng.choice([m for m in legal if _lies_well(seat, m.cells) == best])


def _lies_well(seat: Seat, cells: tuple[Cell, ...]) -> tuple[int, bool]:
    """How many of two cells nobody else plays on, and whether they lie side by side."""
    a, b = cells
    own = sum(cell.seat == seat and cell.column < COLUMNS - 1 for cell in cells)
    apart = abs(a.row - b.row) + abs(a.column - b.column)
    return own, a.seat == b.seat and apart == 1


# --- An own turn --------------------------------------------------------------------------


def _draw_or_take(view: Outlook, state: State, legal: tuple[Move, ...]) -> Move:
    draw, *takes = legal
    top = state.top.value
    best = max(takes, key=lambda take: view.worth({take.cells[0].number: top}))
    gained = view.worth({best.cells[0].number: top}) - view.worth({})
    return best if gained > DRAW_GAINS else draw


def _use(view: Outlook, state: State, move: Move) -> float:
    """Worth of discarding or swapping the drawn card like this."""
    if not move.cells:
        return view.worth({})
    (cell,) = move.cells
    if move.verb is Verb.SWAP:
        return view.worth({cell.number: _value(state.drawn)})
    return view.worth({cell.number: None}) + TURN_GAINS


# --- Knocks and gifts ---------------------------------------------------------------------


def _answer(view: Outlook, state: State, seat: Seat, legal: tuple[Move, ...]) -> Move:
    hold, knock = legal
    worth, _ = allegra_gift.place(view, _numbers(state, seat), _value(state.drawn))
    return knock if worth > view.worth({}) + KNOCK_GAINS else hold


def _decline_or_give(
    view: Outlook,
    takers: Mapping[Seat, Outlook],
    state: State,
    seat: Seat,
    legal: tuple[Move, ...],
) -> Move:
    drawn = _value(state.drawn)
    own = _numbers(state, seat)
    _, uses = act_moves(state)

    def worth(move: Move) -> float:
        taker = move.seat
        if taker is None:
            return max(_use(view, state, use) for use in uses)
        cells = _numbers(state, taker)
        _, x = allegra_gift.place(takers[taker], cells, drawn)
        ys = [y for y in cells if any(z != y for z in own)]
        return allegra_gift.pick(view, ys, own, {x: drawn}, view.face(x))[0]

    return max(legal, key=worth)


def _pick(view: Outlook, state: State, seat: Seat, legal: tuple[Move, ...]) -> Move:
    """The gift lies on its x already."""
    assert state.gift is not None
    ys = [move.cells[0].number for move in legal]
    replaced = _value(state.gift.replaced)
    _, y = allegra_gift.pick(view, ys, _numbers(state, seat), {}, replaced)
    return _on(legal, y)


def _put(view: Outlook, state: State, legal: tuple[Move, ...]) -> Move:
    gift = state.gift
    assert gift is not None
    assert gift.hole is not None
    filled = {gift.hole.number: _value(gift.replaced)}
    picked = _value(gift.picked)
    return max(legal, key=lambda move: view.worth({**filled, move.cells[0].number: picked}))


def _numbers(state: State, seat: Seat) -> list[int]:
    """The cells of a seat's area that hold a card."""
    return [cell.number for cell in state.occupied(seat)]


def _on(legal: tuple[Move, ...], number: int) -> Move:
    """The move on this cell."""
    return next(move for move in legal if move.cells[0].number == number)


def _value(card: FaceUp | None) -> int:
    assert card is not None
    return card.value
