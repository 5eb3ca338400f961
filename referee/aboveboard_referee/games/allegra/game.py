"""Allegra as a state machine: which phase asks for what, and what follows from it."""

from collections.abc import Callable
from typing import Any, Final

from aboveboard_referee.games.allegra import flow, gift, notation, scoring, turn
from aboveboard_referee.games.allegra.as_json import as_json
from aboveboard_referee.games.allegra.cards import card_values, whole_deck
from aboveboard_referee.games.allegra.notation import Move
from aboveboard_referee.games.allegra.reveal import hidden_slots, owed_slots, see, turned_over
from aboveboard_referee.games.allegra.rules import AllegraRules, most_shuffles, playable_seats
from aboveboard_referee.games.allegra.state import Phase, State
from aboveboard_referee.games.contract import (
    Card,
    Decide,
    Foul,
    Moved,
    Over,
    Seat,
    Show,
    Shown,
    Shuffle,
    Shuffled,
)

MovesOf = Callable[[State], tuple[Seat, tuple[Move, ...]]]
CarryOut = Callable[[AllegraRules, State, Move], State]

# The phases in which one seat moves: its moves, and what carries one of them out.
_ONE_MOVES: Final[dict[Phase, tuple[MovesOf, CarryOut]]] = {
    Phase.SET_UP: (turn.set_up_moves, turn.set_up),
    Phase.TURN: (turn.turn_moves, turn.draw_or_take),
    Phase.CHOICE: (gift.choice_moves, gift.choose),
    Phase.PLACE: (gift.place_moves, gift.place),
    Phase.PICK: (gift.pick_moves, gift.pick),
    Phase.PUT: (gift.put_moves, gift.put),
    Phase.ACT: (turn.act_moves, turn.discard_or_swap),
}


class Allegra:
    """The game for any rules. Every face is shown to everybody, so there is no ``Foul``.

    ``need`` is equal for all holders and every legal set exact. The score of ``Over`` is
    each seat's total, of which the lowest wins.
    """

    def __init__(self, name: str, rules: AllegraRules) -> None:
        self._name = name
        self._rules = rules
        self._values = card_values(rules.counts)

    @property
    def name(self) -> str:
        return self._name

    @property
    def rules(self) -> AllegraRules:
        return self._rules

    @property
    def seats(self) -> range:
        """2 to 6 seats, fewer if the deck is too small for six."""
        return playable_seats(self._rules)

    @property
    def values(self) -> tuple[int, ...]:
        """The value of each card, indexed by its id."""
        return self._values

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Everybody plays alone."""
        return tuple((seat,) for seat in range(seats))

    def max_shuffles(self, seats: int) -> int:
        """The bound that ``most_shuffles`` proves: at most

            rounds * (1 + (turn_cap * seats + seats - 2) // (cards - 12 * seats - 1))

        shuffles: one a round, and a reshuffle at each draw from a stock that is empty,
        which never starts with less than the cards that neither lie in cells nor on top
        of the discards. Rules that could need more than 1,023 cannot be built.
        """
        return most_shuffles(self._rules, seats)

    def start(self, seats: int) -> State:
        """The state before the first deal; ``ValueError`` for a number not in ``seats``."""
        if seats not in self.seats:
            raise ValueError(f"{self._name} with {seats} seats cannot be played")
        return State(seats)

    def need(self, state: State) -> Shuffle | Show | Decide[Move] | Foul | Over:
        """What is owed now. The knocks of several seats are sealed, all else is in clear."""
        slots = owed_slots(state)
        if slots:
            return Show(tuple((slot, None) for slot in slots))
        match state.phase:
            case Phase.DEAL:
                return Shuffle(whole_deck(self._rules.counts), closes=True)
            case Phase.RESHUFFLE:
                return Shuffle(flow.cards_to_reshuffle(state), closes=False)
            case Phase.KNOCK:
                asked = gift.asked_seats(state)
                return Decide(tuple((seat, gift.KNOCKS) for seat in asked), sealed=len(asked) > 1)
            case Phase.OVER:
                return Over(state.totals, scoring.ranks(state.totals))
        moves_of, _ = _ONE_MOVES[state.phase]
        return Decide((moves_of(state),))

    def apply(self, state: State, event: Shuffled | Shown | Moved[Move]) -> State:
        """The state after an event that ``step`` has judged; faces are checked here."""
        match event:
            case Shuffled(cards) if state.phase is Phase.DEAL:
                return flow.deal(self._rules, state, cards)
            case Shuffled(cards):
                return flow.reshuffle(state, cards)
            case Shown():
                return self._shown(state, event)
            case Moved(moves) if state.phase is Phase.KNOCK:
                return self._proceed(gift.knocked(state, moves))
            case Moved(((_, move),)):
                return self._proceed(state, move)
        raise AssertionError("several moves where one seat was asked")

    def _shown(self, state: State, event: Shown) -> State:
        unseen, seen = see(state, event.grants, event.faces, self._values)
        match state.phase:
            case Phase.OPEN:
                phase, stock = Phase.SET_UP, state.stock.rest
                return state._replace(phase=phase, discards=seen, stock=stock, unseen=unseen)
            case Phase.DRAWN:
                (drawn,) = seen
                state = state._replace(drawn=drawn, stock=state.stock.rest, unseen=unseen)
                return self._proceed(gift.ask_knocks(self._rules, state))
        grid = turned_over(state, seen)
        move = state.pending
        state = state._replace(grid=grid, unseen=unseen, pending=None)
        return flow.score(self._rules, state) if move is None else self._proceed(state, move)

    def _proceed(self, state: State, move: Move | None = None) -> State:
        """The state after ``move`` and all that nobody has to be asked or shown for.

        That is a seat's only move, and any move all of whose cells lie open.
        """
        while state.phase in _ONE_MOVES:
            moves_of, carry_out = _ONE_MOVES[state.phase]
            if move is None:
                _, moves = moves_of(state)
                if len(moves) > 1:
                    break
                (move,) = moves
            if hidden_slots(state, move):
                return state._replace(pending=move)
            state, move = carry_out(self._rules, state, move), None
        return state

    def scores(self, state: State) -> tuple[int, ...]:
        """The points of the rounds that are over, of which the lowest total wins."""
        return state.totals

    def encode(self, move: Move) -> str:
        """The move in the words of ``notation.py``."""
        return notation.encode(move)

    def decode(self, text: str) -> Move:
        """The move of such words; any other text raises ``Malformed``."""
        return notation.decode(text)

    def card_text(self, card: Card) -> str:
        """The card's value."""
        return str(self._values[card])

    def describe(self, state: State) -> dict[str, Any]:
        """See ``as_json``."""
        need = self.need(state)
        return as_json(state, self._values, need.seats if isinstance(need, Decide) else ())
