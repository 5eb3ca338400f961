"""A bot for Nebraska. Change `choose` and see what becomes of it."""

from aboveboard_client.turns import NebraskaMove, NebraskaTurn
from aboveboard_referee.games.nebraska import Choice, card_matches


class Starter:
    games = ("nebraska",)

    def choose(self, turn: NebraskaTurn) -> NebraskaMove:
        """One of `turn.legal`; `turn.state` is all that this seat may know."""
        return max(turn.legal, key=lambda move: worth(turn, move))


def worth(turn: NebraskaTurn, move: NebraskaMove) -> float:
    """Keep what fits the hand; bet what fits the table least, of such cards the strongest."""
    state = turn.state
    hand = {at: card for at, card in state.hand(turn.seat).items() if card is not None}
    assert state.turned_card is not None
    if isinstance(move, Choice):
        fit = sum(card_matches([state.turned_card], card) for card in hand.values())
        return fit - 2.5 if move is Choice.KEEP else 0
    card = hand[move.pos]
    missed = card_matches([*state.table_cards, state.turned_card], card)
    return turn.rules.orders.card[card] / 1000 - missed
