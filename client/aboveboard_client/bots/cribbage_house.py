"""The house bot for cribbage, by both rule sets and for two to four seats.

Laying away (``cribbage_discard``): the mean of what is kept over all unseen starters, and
of the crib over what the others lay away. Near the end of a match the chance to win
decides between the best of these. Where cards are laid away unseen there is nothing to
weigh.

Playing (``cribbage_pegging``): the rest of the play is played out against many hands
that the others may hold; near the end the show is counted as well (``cribbage_board``).
"""

from collections import Counter
from random import Random

from aboveboard_client.bots import cribbage_board, cribbage_pegging
from aboveboard_client.bots.cribbage_crib_table import TABLES
from aboveboard_client.bots.cribbage_discard import Hand, mean_crib, starters_of, worths
from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.cribbage import (
    CribbageMove,
    CribbageRules,
    CribbageState,
    Discard,
    Phase,
    Play,
    score_hand,
)
from aboveboard_referee.match.player import Turn

OWN_CRIB, OTHERS_CRIB = 0.85, 1.3
"""How much a point of the crib counts beside one of the hand. Over 5,000 deals the balance
of both seats was no worse than with 1 and 1: a seat that gives is sure of what it gives."""

WEIGHED = 5
"""Choices of what to lay away, the best by points, of which the chance to win is asked."""


class CribbageHouse:
    """Lays away by expectation and plays by looking ahead."""

    games: tuple[str, ...] = ("cribbage",)

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, turn: Turn) -> CribbageMove:
        state: CribbageState = turn.state
        rules = turn.game.rules
        assert isinstance(rules, CribbageRules)
        moves: tuple[CribbageMove, ...] = turn.legal
        if len(moves) == 1:
            return moves[0]
        if state.phase is Phase.DISCARD:
            hand = {pos: card for pos, card in state.hand(turn.seat) if card is not None}
            if not hand:
                return self._rng.choice(moves)
            away = [move for move in moves if isinstance(move, Discard)]
            return _lay_away(rules, state, turn.seat, hand, away)
        plays = [move for move in moves if isinstance(move, Play)]
        return cribbage_pegging.best(rules, state, turn.seat, plays, self._rng)


def _lay_away(
    rules: CribbageRules,
    state: CribbageState,
    seat: Seat,
    hand: dict[int, Card],
    moves: list[Discard],
) -> Discard:
    choices: dict[Hand, Hand] = {}
    move_of: dict[Hand, Discard] = {}
    for move in moves:
        away = tuple(hand[pos] for pos in move.positions)
        move_of[away] = move
        choices[away] = tuple(card for pos, card in hand.items() if pos not in move.positions)
    own = state.side_of[state.dealer] == state.side_of[seat]
    table = TABLES[2 if len(away) == 2 else max(state.seats, 3), own]
    points = worths(rules, choices, table, OWN_CRIB if own else -OTHERS_CRIB)
    best = sorted(choices, key=points.__getitem__, reverse=True)
    if not cribbage_board.is_near(rules, state):
        return move_of[best[0]]
    starters = starters_of(choices)

    def chance(away: Hand) -> float:
        hands = Counter(score_hand(rules, choices[away], starter) for starter in starters)
        crib = mean_crib(table, away)
        return cribbage_board.chance_with_hand(rules, state, seat, hands, crib)

    return move_of[max(best[:WEIGHED], key=chance)]
