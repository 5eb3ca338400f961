"""What the others may be expected to bet at Nebraska, by their hands.

They are taken to weigh what each card is worth at the end of the hand, its matches so far
and those still to be expected, and to bet a card that they can spare: a high one if much
is at stake for them.
"""

from collections.abc import Sequence

from aboveboard_referee.games.contract import Card
from aboveboard_referee.games.nebraska import State
from aboveboard_referee.games.nebraska.cards import CARDS, RANKS, SUITS, rank_of, suit_of

SAY = 0.6
"""Worth of the say, as a part of what is at stake."""

STRENGTH = {"family": 0.3, "expert": 0.09, "poker": 0.3}
"""Cost of the strongest of all cards in points, for each card that the table will lack."""

_RANK = tuple(map(rank_of, range(CARDS)))
_SUIT = tuple(map(suit_of, range(CARDS)))


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
    ranks, suits = _counts(table)
    unseen_ranks, unseen_suits = _counts(state.unseen)
    number = sum(unseen_ranks)
    worths = []
    for rank, suit in zip(_RANK, _SUIT):
        matches = ranks[rank] + suits[suit]
        chance = (unseen_ranks[rank] + unseen_suits[suit]) / number
        if state.rules.scoring == "family":
            worths.append(1.0 if matches else 1 - (1 - chance) ** lacks)
        else:
            worths.append(matches + chance * lacks)
    return worths


def _counts(cards: Sequence[Card]) -> tuple[list[int], list[int]]:
    """How many of the cards are of each rank, and of each suit."""
    ranks, suits = [0] * len(RANKS), [0] * len(SUITS)
    for card in cards:
        ranks[_RANK[card]] += 1
        suits[_SUIT[card]] += 1
    return ranks, suits
