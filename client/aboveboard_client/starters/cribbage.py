"""A bot for cribbage. Change `choose` and see what becomes of it."""

from aboveboard_client.turns import CribbageMove, CribbageTurn
from aboveboard_referee.games.cribbage import Discard, Play, score_hand, score_play


class Starter:
    games = ("cribbage",)

    def choose(self, turn: CribbageTurn) -> CribbageMove:
        """One of `turn.legal`; `turn.state` is all that this seat may know."""
        return max(turn.legal, key=lambda move: worth(turn, move))


def worth(turn: CribbageTurn, move: CribbageMove) -> float:
    """The points that a move makes, or may make on average."""
    state = turn.state
    hand = dict(state.hand(turn.seat))  # position -> card
    if isinstance(move, Discard):
        kept = tuple(hand[at] for at in hand if at not in move.positions)
        known = tuple(card for card in kept if card is not None)
        if len(known) < len(kept):
            return 0  # cribbage:source lays away before it looks
        starters = [card for card in range(52) if card not in state.known]
        return sum(score_hand(turn.rules, known, card) for card in starters) / len(starters)
    if isinstance(move, Play):
        card = hand[move.position]
        return 0 if card is None else score_play(turn.rules, (*state.pile, card))
    return 0  # go, which is offered only where no card fits
