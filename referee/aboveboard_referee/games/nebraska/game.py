"""The course of a game: all transitions, in this one file.

    SHUFFLE ─► DEAL ─► TURN ─► BET ─► REVEAL ─► DECIDE ─ discard ─► DRAW ─► TURN
                                         │         │
                                  forced keep    keep
                                         └────┬────┘
                                              ├─ table not full ─► TURN
                                              └─ table full ─► OPEN ─► SHUFFLE or OVER

Every choice is among slots, so that legal moves are exact for every holder, and no face
shown later can prove a move illegal: there is no Foul in this game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aboveboard_referee.games.contract import (
    Card,
    DealerFault,
    Decide,
    Foul,
    Grant,
    Moved,
    Over,
    Seat,
    Show,
    Shown,
    Shuffle,
    Shuffled,
    Slot,
)
from aboveboard_referee.games.nebraska import notation
from aboveboard_referee.games.nebraska.as_json import as_json
from aboveboard_referee.games.nebraska.cards import CARDS, card_text
from aboveboard_referee.games.nebraska.notation import CHOICES, Bet, Choice, Move
from aboveboard_referee.games.nebraska.rules import NebraskaRules, check
from aboveboard_referee.games.nebraska.scoring import score_hands, winner_of
from aboveboard_referee.games.nebraska.state import HandResult, Phase, State

_FRESH_DECK = Shuffle(cards=tuple(range(CARDS)), closes=True)


@dataclass(frozen=True)
class Nebraska:
    """One rule set of Nebraska, see ``games.contract.Game``.

    Raises ``ValueError`` for rules by which no game can be played.
    """

    name: str
    rules: NebraskaRules

    def __post_init__(self) -> None:
        check(self.rules)

    # --- Table --------------------------------------------------------------------------

    @property
    def seats(self) -> range:
        return self.rules.seats

    def sides(self, seats: int) -> tuple[tuple[Seat, ...], ...]:
        """Everybody plays alone."""
        return tuple((seat,) for seat in range(seats))

    def max_shuffles(self, seats: int) -> int:
        """One shuffle a hand, hence ``seats × (target - 1) + 1``.

        Proof: each hand takes exactly one shuffle and gives exactly one win, and the game
        ends with the first seat at the target. When a hand begins nobody is there, so at
        most ``seats × (target - 1)`` wins were given, by as many hands; this one is the
        next. 9 for two seats and 8 for seven by the rules as published here.
        """
        return self.rules.most_hands(seats)

    def start(self, seats: int) -> State:
        """A game before its first shuffle; ``ValueError`` for a wrong number of seats."""
        if seats not in self.seats:
            raise ValueError(
                f"{self.name} is for {self.seats[0]} to {self.seats[-1]} seats, not {seats}"
            )
        return State(self.rules, seats, wins=(0,) * seats, points=(0,) * seats)

    def scores(self, state: State) -> tuple[int, ...]:
        """Hands won. The points of a hand decide it and are no score."""
        return state.wins

    # --- Notation -------------------------------------------------------------------------

    def encode(self, move: Move) -> str:
        return notation.encode(move)

    def decode(self, text: str) -> Move:
        return notation.decode(text)

    def card_text(self, card: Card) -> str:
        return card_text(card)

    def describe(self, state: State) -> dict[str, Any]:
        """See ``as_json``."""
        need = self.need(state)
        return as_json(state, need.seats if isinstance(need, Decide) else ())

    # --- What is owed ----------------------------------------------------------------------

    def need(self, state: State) -> Shuffle | Show | Decide[Move] | Foul | Over:
        match state.phase:
            case Phase.SHUFFLE:
                return _FRESH_DECK
            case Phase.DEAL:
                return Show(
                    tuple(
                        (Slot(state.deck, pos), seat)
                        for seat, hand in enumerate(state.hands)
                        for pos in hand
                    )
                )
            case Phase.TURN:
                return Show(_to_all(state, (state.top,)))
            case Phase.BET:
                return Decide(
                    tuple((seat, notation.bets(hand)) for seat, hand in enumerate(state.hands)),
                    sealed=True,
                )
            case Phase.REVEAL:
                return Show(_to_all(state, state.bets))
            case Phase.DECIDE:
                assert state.bets_winner is not None
                return Decide(((state.bets_winner, CHOICES),))
            case Phase.DRAW:
                return Show(tuple((Slot(state.deck, pos), seat) for pos, seat in _draws(state)))
            case Phase.OPEN:
                return Show(_to_all(state, tuple(pos for hand in state.hands for pos in hand)))
            case Phase.OVER:
                return _over(state)

    # --- What happened -----------------------------------------------------------------------

    def apply(self, state: State, event: Shuffled | Shown | Moved[Move]) -> State:
        match event:
            case Shuffled():
                return _shuffled(state)
            case Shown(grants, faces):
                return _AFTER_SHOW[state.phase](
                    state._replace(faces=_learn(state.faces, grants, faces))
                )
            case Moved(((_, Choice() as choice),)):
                return _keep(state) if choice is Choice.KEEP else _discard(state)
            case Moved(moves):
                placed = tuple(move.pos for _, move in moves if isinstance(move, Bet))
                return state._replace(phase=Phase.REVEAL, bets=placed)


def _to_all(state: State, positions: tuple[int, ...]) -> tuple[Grant, ...]:
    return tuple((Slot(state.deck, pos), None) for pos in positions)


def _learn(
    known: tuple[Card | None, ...], grants: tuple[Grant, ...], faces: tuple[Card | None, ...]
) -> tuple[Card | None, ...]:
    """The known faces and these; ``DealerFault`` where they cannot be true."""
    learnt = list(known)
    for ((_, pos), audience), card in zip(grants, faces, strict=True):
        if card is None:
            if audience is None:
                raise DealerFault(f"position {pos} was owed to everybody and was not shown")
        elif learnt[pos] is not None:
            if learnt[pos] != card:
                raise DealerFault(f"position {pos} was shown with another face before")
        elif not 0 <= card < CARDS:
            raise DealerFault(f"position {pos} was shown with a face that is no card")
        elif card in learnt:
            raise DealerFault(f"position {pos} was shown with a card that lies elsewhere")
        else:
            learnt[pos] = card
    return tuple(learnt)


def _shuffled(state: State) -> State:
    seats, dealt = state.seats, state.rules.dealt
    top = seats * dealt
    in_turn = state.rules.deal_order == "card"
    return state._replace(
        phase=Phase.DEAL,
        deck=state.deck + 1,
        top=top,
        hands=tuple(
            tuple(range(seat, top, seats) if in_turn else range(seat * dealt, (seat + 1) * dealt))
            for seat in range(seats)
        ),
    )


def _dealt(state: State) -> State:
    return state._replace(phase=Phase.TURN)


def _turned(state: State) -> State:
    return state._replace(phase=Phase.BET, turned=state.top, top=state.top + 1)


def _revealed(state: State) -> State:
    """The highest bet wins the say over the turned card, and all bets are out."""
    order = state.rules.orders.card
    strengths = [order[card] for card in state.cards(state.bets)]
    state = state._replace(
        phase=Phase.DECIDE,
        bets_winner=strengths.index(max(strengths)),
        out=state.out + state.bets,
        hands=tuple(
            tuple(pos for pos in hand if pos != bet)
            for hand, bet in zip(state.hands, state.bets, strict=True)
        ),
    )
    return state if state.can_discard else _keep(state)


def _keep(state: State) -> State:
    assert state.turned is not None
    table = (*state.table, state.turned)
    full = len(table) == state.rules.keeps
    return state._replace(phase=Phase.OPEN if full else Phase.TURN, turned=None, table=table)


def _discard(state: State) -> State:
    assert state.turned is not None
    return state._replace(phase=Phase.DRAW, turned=None, out=(*state.out, state.turned))


def _draws(state: State) -> tuple[tuple[int, Seat], ...]:
    """The position that each seat draws, in the order of drawing."""
    assert state.bets_winner is not None
    first = state.bets_winner if state.rules.draw_order == "winner" else 0
    return tuple((state.top + i, (first + i) % state.seats) for i in range(state.seats))


def _drawn(state: State) -> State:
    drawn = {seat: pos for pos, seat in _draws(state)}
    return state._replace(
        phase=Phase.TURN,
        top=state.top + state.seats,
        hands=tuple((*hand, drawn[seat]) for seat, hand in enumerate(state.hands)),
    )


def _opened(state: State) -> State:
    """The hand is scored, its deck is done with, and the game may be over."""
    table = state.table_cards
    hands = tuple(state.cards(hand) for hand in state.hands)
    points = score_hands(state.rules, table, hands)
    won = winner_of(state.rules, points, hands)
    wins = tuple(count + (seat == won) for seat, count in enumerate(state.wins))
    return State(
        rules=state.rules,
        seats=state.seats,
        phase=Phase.OVER if wins[won] == state.target else Phase.SHUFFLE,
        wins=wins,
        points=tuple(a + b for a, b in zip(state.points, points, strict=True)),
        last=HandResult(table, hands, points, won),
        deck=state.deck,
    )


_AFTER_SHOW: dict[Phase, Callable[[State], State]] = {
    Phase.DEAL: _dealt,
    Phase.TURN: _turned,
    Phase.REVEAL: _revealed,
    Phase.DRAW: _drawn,
    Phase.OPEN: _opened,
}


def _over(state: State) -> Over:
    """Scores are wins. Ranks go by wins, then by points over all hands, and are else shared."""
    merits = [
        (wins, points if state.rules.points_break_ties else 0)
        for wins, points in zip(state.wins, state.points, strict=True)
    ]
    return Over(
        score=state.wins,
        rank=tuple(1 + sum(other > merit for other in merits) for merit in merits),
    )
