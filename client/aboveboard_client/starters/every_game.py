"""A bot for every game. Change what `worth` says and see what becomes of it."""

from aboveboard_client.turns import AllegraState, CribbageState, NebraskaState, Turn
from aboveboard_referee.games.allegra.notation import Move as AllegraMove
from aboveboard_referee.games.cribbage import Discard, Play, score_hand, score_play
from aboveboard_referee.games.nebraska import Bet, Choice, card_matches


class Starter:
    games = ()  # all of them; or name those it plays, e.g. ("cribbage",)

    def choose(self, turn: Turn) -> object:
        """One of `turn.legal`; `turn.state` is all that this seat may know."""
        return max(turn.legal, key=lambda move: worth(turn, move))


def worth(turn: Turn, move: object) -> float:
    """How good a move is. Among equals the first is played, which is a harmless one."""
    match turn.state:
        case CribbageState() as state:
            return cribbage(turn, state, move)
        case NebraskaState() as state:
            return nebraska(turn, state, move)
        case AllegraState() as state:
            return allegra(state, move)
    return 0


def cribbage(turn: Turn, state: CribbageState, move: object) -> float:
    """The points that a move makes, or may make on average."""
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


def nebraska(turn: Turn, state: NebraskaState, move: object) -> float:
    """Keep what fits the hand; bet what fits the table least, of such cards the strongest."""
    hand = {at: card for at, card in state.hand(turn.seat).items() if card is not None}
    assert state.turned_card is not None
    if isinstance(move, Choice):
        fit = sum(card_matches([state.turned_card], card) for card in hand.values())
        return fit - 2.5 if move is Choice.KEEP else 0
    assert isinstance(move, Bet)
    card = hand[move.pos]
    missed = card_matches([*state.table_cards, state.turned_card], card)
    strength: int = turn.rules.orders.card[card]
    return strength / 1000 - missed


def allegra(state: AllegraState, move: object) -> float:
    """What a swap or take saves, as an unseen card is worth about 5."""
    assert isinstance(move, AllegraMove)
    card = state.drawn or state.top  # the drawn card, or the one that may be taken
    if move.verb not in ("swap", "take"):
        return 2.5
    lying = state.faces[move.cells[0].number]  # None: face down
    return (5 if lying is None else lying) - card.value
