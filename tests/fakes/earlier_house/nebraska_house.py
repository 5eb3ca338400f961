"""The house bot for Nebraska, by its three scorings and for two to seven seats.

For the turned card it asks two things. What is at stake: how much better off is this
seat than the others if the card stays than if it goes? And what would each bet cost:
how much does the hand lose with that card? ``nebraska_outlook`` estimates both from
what this seat has seen, the others' hands by sampling.

It then bets the card with the best balance of chance to win × stake − cost. The chance
is that of all others betting weaker cards out of those unseen. So a high card goes only
for a large stake and where it matches little; otherwise the card goes that matches
least. What a high card is worth later, for bets and for ties, is a small cost of its
own. Having won, it keeps the card if that is the better side of the stake.
"""

from bisect import bisect
from random import Random

from aboveboard_referee.games.nebraska import Bet, Choice, Move, Phase, State
from aboveboard_referee.match.player import Turn
from tests.fakes.earlier_house.nebraska_outlook import outlook

SAY = 0.6
"""Worth of the say over the card, as a part of what is at stake: without it, another
seat may well decide the same way."""

STRENGTH = 0.3
"""Cost of betting the strongest of all cards rather than the weakest, for each card that
the table will lack; in points of the family scoring."""

TIES = 0.15
"""Cost of betting the highest card of the hand, which would decide a tie; the same."""

SCALE = {"family": 1.0, "expert": 0.3, "poker": 2.0}
"""By scoring, what the height of a card is worth as a multiple of that in family. There
hands often tie at four or five points; in expert, with up to 25, they hardly do."""


class NebraskaHouse:
    """Bets by what is at stake and what the card would cost."""

    games: tuple[str, ...] = ("nebraska",)

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, turn: Turn) -> Move:
        state: State = turn.state
        view = outlook(state, turn.seat, self._rng)
        if state.phase is Phase.DECIDE:
            return Choice.KEEP if view.stake >= 0 else Choice.DISCARD
        say = SAY * abs(view.stake) if state.can_discard else 0.0
        chance = _chances(state, turn.seat)
        strength = _worth_of_strength(state, turn.seat)
        bets: tuple[Bet, ...] = turn.legal
        return max(
            bets, key=lambda bet: chance[bet.pos] * say - view.costs[bet.pos] - strength[bet.pos]
        )


def _chances(state: State, seat: int) -> dict[int, float]:
    """By position in the own hand, the chance that all others bet a weaker card."""
    order = state.rules.orders.card
    unseen = sorted(order[card] for card in state.unseen)
    return {
        pos: (bisect(unseen, order[card]) / len(unseen)) ** (state.seats - 1)
        for pos, card in state.hand(seat).items()
        if card is not None
    }


def _worth_of_strength(state: State, seat: int) -> dict[int, float]:
    """By position in the own hand, what the card's height alone is worth later."""
    rules = state.rules
    order = rules.orders.card
    strengths = {pos: order[card] for pos, card in state.hand(seat).items() if card is not None}
    highest, strongest = max(strengths.values()), max(order)
    scale = SCALE[rules.scoring]
    to_come = STRENGTH * (state.keeps_left - 1)
    return {
        pos: scale * (to_come * strength / strongest + TIES * (strength == highest))
        for pos, strength in strengths.items()
    }
