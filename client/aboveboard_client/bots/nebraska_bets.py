"""What the others may be expected to bet at Nebraska, by their hands.

They are taken to weigh what each card is worth at the end of the hand, its matches so far
and those still to be expected, and to bet a card that they can spare: a high one if much
is at stake for them.
"""

from collections.abc import Sequence

from aboveboard_client.bots.nebraska_counts import RANK, SUIT, counts
from aboveboard_referee.games.contract import Card
from aboveboard_referee.games.nebraska import State

SAY = 0.6
"""Worth of the say, as a part of what is at stake."""

STRENGTH = {"family": 0.3, "expert": 0.09, "poker": 0.3}
"""Cost of the strongest of all cards in points, for each card that the table will lack."""


class Bettor:
    """A seat that holds cards this holder has not seen, while a card lies turned."""

    def __init__(self, state: State) -> None:
        assert state.turned_card is not None
        lacks = state.keeps_left
        order = state.rules.orders.card
        self._stays = _worths(state, (*state.table_cards, state.turned_card), lacks - 1)
        self._goes = _worths(state, state.table_cards, lacks)
        self._order = order
        self._held = state.rules.dealt - state.rules.keeps
        top = max(order)
        cost = STRENGTH[state.rules.scoring] * (lacks - 1) / top
        self._height = [cost * strength for strength in order]
        self._chance = [(strength / top) ** (state.seats - 1) for strength in order]
        unseen = state.unseen
        gains = [self._stays[card] - self._goes[card] for card in unseen]
        self._usual = self._held * sum(gains) / len(gains)
        self._say = SAY if state.can_discard else 0.0

    def bet(self, hand: Sequence[Card]) -> int:
        """The strength of the card that it bets of this hand."""
        stays, goes, held = self._stays, self._goes, self._held
        if_stays = sorted([stays[card] for card in hand], reverse=True)
        if_goes = sorted([goes[card] for card in hand], reverse=True)
        stake = sum(if_stays[:held]) - sum(if_goes[:held]) - self._usual
        say = self._say * abs(stake)
        spare_stays, spare_goes = sum(if_stays[held : held + 1]), sum(if_goes[held : held + 1])
        chance, height = self._chance, self._height

        def worth(card: Card) -> float:
            cost = max(stays[card] - spare_stays, 0.0) + max(goes[card] - spare_goes, 0.0)
            return chance[card] * say - cost / 2 - height[card]

        return self._order[max(hand, key=worth)]


def _worths(state: State, table: Sequence[Card], lacks: int) -> list[float]:
    """By card, its expected points on a full table of these and ``lacks`` more cards."""
    ranks, suits = counts(table)
    unseen_ranks, unseen_suits = counts(state.unseen)
    number = sum(unseen_ranks)
    worths = []
    for rank, suit in zip(RANK, SUIT):
        matches = ranks[rank] + suits[suit]
        chance = (unseen_ranks[rank] + unseen_suits[suit]) / number
        if state.rules.scoring == "family":
            worths.append(1.0 if matches else 1 - (1 - chance) ** lacks)
        else:
            worths.append(matches + chance * lacks)
    return worths
