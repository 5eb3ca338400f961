"""The points that a card makes as it is played."""

from collections.abc import Sequence

from aboveboard_referee.games.contract import Card
from aboveboard_referee.games.cribbage.cards import RANK, SUIT, VALUE
from aboveboard_referee.games.cribbage.rules import CribbageRules
from aboveboard_referee.games.cribbage.show import SHORTEST_RUN

LIMIT = 31
"""The count never goes above it and starts anew once it is reached."""


def score_play(rules: CribbageRules, cards: Sequence[Card]) -> int:
    """Points of the last of ``cards``, all those played since the count last started.

    Fifteen or thirty-one, pairs and a run add up. Points for a go or for the deal's
    last card are not in it, since they depend on what the seats still hold.
    """
    total = sum([VALUE[card] for card in cards])
    points = 0
    if total == 15:
        points += rules.play_fifteen
    elif total == LIMIT:
        points += rules.play_thirty_one
    alike = _alike(cards)
    if alike > 1:
        return points + rules.pair * (alike * (alike - 1) // 2)
    return points + _run(cards, suited=rules.play_run_suited)


def _alike(cards: Sequence[Card]) -> int:
    """How many cards at the end, the last one included, are of the last one's rank."""
    rank = RANK[cards[-1]]
    alike = 0
    for card in reversed(cards):
        if RANK[card] != rank:
            break
        alike += 1
    return alike


def _run(cards: Sequence[Card], *, suited: bool) -> int:
    """Length of the longest run that the last cards form in any order, else 0."""
    longest = 0
    low = high = RANK[cards[-1]]
    seen = set()
    for length, card in enumerate(reversed(cards), start=1):
        rank = RANK[card]
        if rank in seen or (suited and SUIT[card] != SUIT[cards[-1]]):
            break
        seen.add(rank)
        low, high = min(low, rank), max(high, rank)
        if length >= SHORTEST_RUN and high - low == length - 1:
            longest = length
    return longest
