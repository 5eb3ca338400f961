"""Counting a hand or the crib with the starter.

Every distinct combination counts: each set of cards that adds up to 15, each pair,
each longest run (so a double run is two runs, without the shorter ones inside it).
"""

from functools import cache
from typing import NamedTuple

from aboveboard_referee.games.contract import Card
from aboveboard_referee.games.cribbage.cards import JACK, RANK, RANKS, SUIT, SUITS, TOP_VALUE
from aboveboard_referee.games.cribbage.rules import CribbageRules

SHORTEST_RUN = 3


class HandPoints(NamedTuple):
    """The points of one hand by what they are for; their sum is the hand's score."""

    fifteens: int
    pairs: int
    runs: int
    flush: int
    nobs: int


def score_hand(
    rules: CribbageRules, hand: tuple[Card, ...], starter: Card, crib: bool = False
) -> int:
    """Points of ``hand`` (four cards; a crib may hold two or three) with the starter."""
    return sum(count_hand(rules, hand, starter, crib))


def count_hand(
    rules: CribbageRules, hand: tuple[Card, ...], starter: Card, crib: bool = False
) -> HandPoints:
    """The same, told apart by what the points are for."""
    cards = (*hand, starter)
    fifteens, pairs, runs = _by_ranks(tuple(sorted([RANK[card] for card in cards])))
    if rules.show_run_suited:
        runs = sum(
            _runs(tuple(sorted(RANK[card] for card in cards if SUIT[card] == suit)))
            for suit in range(len(SUITS))
        )
    return HandPoints(
        fifteens=fifteens * rules.show_fifteen,
        pairs=pairs * rules.pair,
        runs=runs,
        flush=(rules.flush_crib if crib else rules.flush)[_suited(rules, hand, starter)],
        nobs=rules.nobs * _has_nobs(hand, starter),
    )


def _suited(rules: CribbageRules, hand: tuple[Card, ...], starter: Card) -> int:
    """Number of cards of one suit that a flush may be made of."""
    suits = [SUIT[card] for card in hand]
    if rules.flush_any:
        suits.append(SUIT[starter])
        return max(suits.count(suit) for suit in suits)
    if suits.count(suits[0]) < len(suits):
        return 0
    return len(suits) + (SUIT[starter] == suits[0])


def _has_nobs(hand: tuple[Card, ...], starter: Card) -> bool:
    """Whether the jack of the starter's suit is in hand; a jack turned as starter is not."""
    jack = SUIT[starter] * len(RANKS) + JACK
    return jack in hand


@cache  # 6,188 sorted tuples of five ranks, a few more of fewer
def _by_ranks(ranks: tuple[int, ...]) -> tuple[int, int, int]:
    """Number of fifteens, number of pairs and points of runs in any suits."""
    # ways[total] = number of sets among the cards so far that add up to total
    ways = [1] + [0] * 15
    for rank in ranks:
        value = min(rank + 1, TOP_VALUE)
        for total in range(15, value - 1, -1):
            ways[total] += ways[total - value]
    pairs = sum(n * (n - 1) // 2 for n in map(ranks.count, set(ranks)))
    return ways[15], pairs, _runs(ranks)


@cache
def _runs(ranks: tuple[int, ...]) -> int:
    """Points of the longest runs among ``ranks``: length × number of distinct choices."""
    points = length = choices = 0
    for rank in range(len(RANKS) + 1):
        here = ranks.count(rank)
        if here:
            length, choices = length + 1, max(choices, 1) * here
            continue
        if length >= SHORTEST_RUN:
            points += length * choices
        length = choices = 0
    return points
