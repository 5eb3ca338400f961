"""The house bot for Nebraska, by its three scorings and for two to seven seats.

``nebraska_outlook`` estimates by sampling what this seat would come to if the turned card
stays and if it goes, for each card that it might bet. It bets the card with the best
balance: what it comes to without that card, the say over the turned card as far as the
bet is likely to win it, and what the card's height may still do later. So a high card
goes only for a large stake and where it matches little; otherwise the card goes that is
missed least. Having won, it keeps the turned card if that is the better side.
"""

from bisect import bisect
from collections.abc import Sequence
from random import Random

from aboveboard_client.bots.nebraska_outlook import outlook
from aboveboard_referee.games.nebraska import Bet, Choice, Move, Phase, State
from aboveboard_referee.match.player import Turn

SAY = 0.6
"""Worth of the say over the card, as a part of what is at stake: without it, another
seat may well decide the same way."""

MODEL = 0.7
"""How far the sampled bets of the others are believed."""

STRENGTH = {"family": 0.06, "expert": 0.02, "poker": 0.1}
"""Cost of betting the strongest of all cards rather than the weakest, for each card that
the table will lack, in wins of the hand. In expert hands hardly tie."""

TIES = 0.2
"""The same for the end of the hand, where the highest card decides a tie."""


class NebraskaHouse:
    """Bets by what is at stake and what the card would cost."""

    games: tuple[str, ...] = ("nebraska",)

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, turn: Turn) -> Move:
        state: State = turn.state
        view = outlook(state, turn.seat, self._rng)
        if state.phase is Phase.DECIDE:
            return Choice.KEEP if view.stays[None] >= view.goes[None] else Choice.DISCARD
        chance = _chances(state, turn.seat, view.bets)
        strength = _worth_of_strength(state, turn.seat)

        def worth(bet: Bet) -> float:
            stays, goes = view.stays[bet.pos], view.goes[bet.pos]
            if not state.can_discard:
                return stays - strength[bet.pos]
            won = chance[bet.pos] * SAY * abs(stays - goes)
            return (stays + goes) / 2 + won - strength[bet.pos]

        bets: tuple[Bet, ...] = turn.legal
        return max(bets, key=worth)


def _chances(state: State, seat: int, bets: Sequence[int]) -> dict[int, float]:
    """By position in the own hand, the chance that all others bet a weaker card.

    A part of it, ``MODEL``, comes from the sampled bets, the rest from bets that may be any
    card at all: nobody is sure to bet as this bot would.
    """
    order = state.rules.orders.card
    unseen = sorted(order[card] for card in state.unseen)
    others = state.seats - 1
    return {
        pos: MODEL * bisect(bets, order[card]) / len(bets)
        + (1 - MODEL) * (bisect(unseen, order[card]) / len(unseen)) ** others
        for pos, card in state.hand(seat).items()
        if card is not None
    }


def _worth_of_strength(state: State, seat: int) -> dict[int, float]:
    """By position in the own hand, what the card's height alone is worth later."""
    order = state.rules.orders.card
    each = STRENGTH[state.rules.scoring] * (state.keeps_left - 1 + TIES) / max(order)
    return {pos: each * order[card] for pos, card in state.hand(seat).items() if card is not None}
