"""How the house bot sees a turned card of Nebraska: what is at stake, what bets cost.

Family and expert: each card has an expected worth at the end of the hand: its matches
so far and, for each card that the table still lacks, the part of the unseen cards that
it matches. A hand is worth its best cards, as many as are held at the end.

Poker: a seat is worth the points that it would get in the three categories against
sampled hands of the others, were the hand scored now.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from aboveboard_referee.games.contract import Card, Seat
from aboveboard_referee.games.nebraska import NebraskaRules, State
from aboveboard_referee.games.nebraska.cards import CARDS, RANKS, SUITS, rank_of, suit_of
from aboveboard_referee.games.nebraska.poker import (
    Key,
    longest_straight,
    most_of_a_rank,
    most_of_a_suit,
)

SAMPLES = 14
"""Sampled deals of the others' hands."""

Cards = Sequence[Card]
Hands = Sequence[Cards]


class Outlook(NamedTuple):
    """Both in points, as the rules score them."""

    stake: float  # lead over the others if the turned card stays, less that if it goes
    costs: Mapping[int, float]  # by position in the own hand, what the hand loses with it


def outlook(state: State, seat: Seat, rng: Random) -> Outlook:
    """The view of ``seat`` while a card lies turned."""
    hand = {pos: card for pos, card in state.hand(seat).items() if card is not None}
    others = [_sample(state, seat, rng) for _ in range(SAMPLES)]
    look = _poker if state.rules.scoring == "poker" else _matching
    return look(state, hand, others)


def _sample(state: State, seat: Seat, rng: Random) -> Hands:
    """Hands that the other seats may hold."""
    sizes = [len(hand) for other, hand in enumerate(state.hands) if other != seat]
    cards = rng.sample(state.unseen, sum(sizes))
    return [[cards.pop() for _ in range(size)] for size in sizes]


def _tables(state: State) -> tuple[Cards, Cards]:
    """The table if the turned card stays, and if it goes."""
    assert state.turned_card is not None
    return (*state.table_cards, state.turned_card), state.table_cards


def _without_each(hand: Mapping[int, Card]) -> dict[int, Cards]:
    """By position, the hand without the card there."""
    return {pos: [card for other, card in hand.items() if other != pos] for pos in hand}


# --- Family and expert ------------------------------------------------------------------


def _matching(state: State, hand: Mapping[int, Card], others: Sequence[Hands]) -> Outlook:
    with_it, without = _tables(state)
    stays = _worths(state, with_it, state.keeps_left - 1)
    goes = _worths(state, without, state.keeps_left)
    held = state.rules.dealt - state.rules.keeps

    def worth(worths: Sequence[float], cards: Cards) -> float:
        return sum(sorted([worths[card] for card in cards])[-held:])

    own = tuple(hand.values())
    if_stays, if_goes = worth(stays, own), worth(goes, own)
    gains = [worth(stays, cards) - worth(goes, cards) for hands in others for cards in hands]
    costs = {
        pos: (if_stays - worth(stays, rest) + if_goes - worth(goes, rest)) / 2
        for pos, rest in _without_each(hand).items()
    }
    return Outlook(if_stays - if_goes - sum(gains) / len(gains), costs)


def _worths(state: State, table: Cards, lacks: int) -> list[float]:
    """By card, its expected points on a full table of these and ``lacks`` more cards."""
    unseen = state.unseen
    matched, matchable = _counts(table), _counts(unseen)
    worths = []
    for card in range(CARDS):
        rank, suit = rank_of(card), suit_of(card)
        matches = matched[0][rank] + matched[1][suit]
        chance = (matchable[0][rank] + matchable[1][suit]) / len(unseen)
        if state.rules.scoring == "family":
            worths.append(1.0 if matches else 1 - (1 - chance) ** lacks)
        else:
            worths.append(matches + chance * lacks)
    return worths


def _counts(cards: Cards) -> tuple[list[int], list[int]]:
    """How many of the cards are of each rank, and of each suit."""
    ranks, suits = [0] * len(RANKS), [0] * len(SUITS)
    for card in cards:
        ranks[rank_of(card)] += 1
        suits[suit_of(card)] += 1
    return ranks, suits


# --- Poker ------------------------------------------------------------------------------


def _poker(state: State, hand: Mapping[int, Card], others: Sequence[Hands]) -> Outlook:
    with_it, without = _tables(state)
    rules = state.rules
    if_stays = [[_keys(rules, with_it, cards) for cards in hands] for hands in others]
    if_goes = [[_keys(rules, without, cards) for cards in hands] for hands in others]

    def points(cards: Cards) -> tuple[float, float]:
        return (
            _mean_points(rules, _keys(rules, with_it, cards), if_stays),
            _mean_points(rules, _keys(rules, without, cards), if_goes),
        )

    stays, goes = points(tuple(hand.values()))
    costs = {
        pos: (stays + goes - sum(points(rest))) / 2 for pos, rest in _without_each(hand).items()
    }
    return Outlook(stays - goes, costs)


def _keys(rules: NebraskaRules, table: Cards, hand: Cards) -> tuple[Key, Key, Key]:
    """The best of a seat in each category; a hand has at least one card."""
    cards = (*table, *hand)
    return (
        most_of_a_rank(rules, cards),
        most_of_a_suit(rules, cards),
        longest_straight(rules, cards),
    )


def _mean_points(
    rules: NebraskaRules, own: tuple[Key, Key, Key], others: Sequence[Sequence[tuple[Key, ...]]]
) -> float:
    """Points for the own places among the others', on average over the samples."""
    total = 0
    for category, places in enumerate(
        (rules.rank_points, rules.suit_points, rules.straight_points)
    ):
        for hands in others:
            better = sum(keys[category] > own[category] for keys in hands)
            total += places[better] if better < len(places) else 0
    return total / len(others)
