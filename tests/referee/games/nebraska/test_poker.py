import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.games.nebraska import POKER_RULES, category_points, parse_cards
from aboveboard_referee.games.nebraska.cards import RANKS, SUITS
from aboveboard_referee.games.nebraska.poker import (
    longest_straight,
    most_of_a_rank,
    most_of_a_suit,
)

PLACE = {rank: place for place, rank in enumerate(RANKS, start=1)}


def of_ranks(line):
    """Different cards of these ranks."""
    return parse_cards(" ".join(rank + SUITS[i % 8] for i, rank in enumerate(line.split())))


@pytest.mark.parametrize(
    ("ranks", "length", "top"),
    [
        ("A Q 3 9 T K J 6 8 T", 7, "A"),
        ("A 2 3 9 T K 4 6 8 T", 4, "4"),
        ("K A 2 9 T 5 6 3 8 Q", 3, "A"),
        ("2 4 6 8 T Q 2 4 6 8", 1, "Q"),
        ("A 3 5 7 9 J A 3 5 7", 1, "A"),
        ("A 2 3 4 5 6 7 8 9 T", 10, "T"),
        ("5 6 7 8 9 T J Q K A", 10, "A"),
        ("A 2 K Q 7 7 7 9 9 5", 3, "A"),
        ("5 5 5 6 6 6 7 7 7 7", 3, "7"),
    ],
)
def test_longest_straights_have_the_right_length_and_top(ranks, length, top):
    assert longest_straight(POKER_RULES, of_ranks(ranks))[:2] == (length, PLACE[top])


def test_a_low_ace_can_be_forbidden():
    rules = replace(POKER_RULES, ace_both_ways=False)
    cards = of_ranks("A 2 3 9 T K 4 6 8 T")
    assert longest_straight(POKER_RULES, cards)[:2] == (4, PLACE["4"])
    assert longest_straight(rules, cards)[:2] == (3, PLACE["T"])


def test_an_ace_ranked_low_can_still_top_a_straight():
    rules = replace(POKER_RULES, ace_high=False)
    cards = of_ranks("Q K A 3 5 7 9 3 5 7")
    assert longest_straight(rules, cards)[:2] == (3, 13)
    assert longest_straight(replace(rules, ace_both_ways=False), cards)[:2] == (2, PLACE["K"])


def test_a_straight_of_all_ranks_counts_its_ace_once():
    assert longest_straight(POKER_RULES, of_ranks(" ".join(RANKS)))[:2] == (13, PLACE["A"])


def test_a_straight_is_broken_off_by_the_best_suit_at_its_top():
    # T is the top; held in stars and in diamonds, and hearts lie below it.
    cards = parse_cards("8H 9H TT TD 2M")
    assert longest_straight(POKER_RULES, cards) == (3, PLACE["T"], 6)


def test_the_best_rank_is_the_commonest_then_the_higher():
    cards = parse_cards("8H 8M KT KD AH 2S")
    # King: diamonds are the second suit (6), stars the seventh (1).
    assert most_of_a_rank(POKER_RULES, cards) == (2, PLACE["K"], 6, 1)


def test_the_best_suit_is_the_commonest_then_that_of_the_higher_cards():
    cards = parse_cards("QM 9M QH 8H AD")
    assert most_of_a_suit(POKER_RULES, cards) == (2, PLACE["Q"], PLACE["9"], 0)


@pytest.mark.parametrize(
    ("table", "better", "worse"),
    [
        # more of a rank beats a higher rank
        ("2H 2D 9C", "2C 3O", "AH AD"),
        # as many: the higher rank
        ("4H 9C JM", "4D 3O", "3H 3D"),
        # as many of one rank: the higher suits, from the top
        ("4H 9C JM", "4D 3O", "4C KD"),
        ("4C 9C JM", "4H 3O", "4D KD"),
        # as many of one rank, the best suit on the table: the next suit
        ("4H 9C JM", "4F 2O", "4T KD"),
        # all of it on the table: the highest hand card by rank, then by suit
        ("4H 4D 4C", "AM 2O", "KH QH"),
        ("4H 4D 4C", "AH 2O", "AM KO"),
    ],
)
def test_ranks_are_compared_by_count_rank_suits_and_the_highest_hand_card(table, better, worse):
    assert _category(0, table, worse, better) == [1, 3]


@pytest.mark.parametrize(
    ("table", "better", "worse"),
    [
        # more of a suit beats higher cards
        ("2M 4M 9C", "3M 5O", "AH KH"),
        # as many: the higher cards, from the top
        ("2M 9C JO", "8M 5H", "7D 6D"),
        ("2M AM JO", "8M 5H", "7M 6D"),
        # as many of the same ranks: the higher suit
        ("9O JF", "QC 7C", "QT 7T"),
        # all of it on the table: the highest hand card
        ("2M 4M 9M", "KO QF", "KT QC"),
    ],
)
def test_suits_are_compared_by_count_ranks_suit_and_the_highest_hand_card(table, better, worse):
    assert _category(1, table, worse, better) == [1, 3]


@pytest.mark.parametrize(
    ("table", "better", "worse"),
    [
        # longer beats higher
        ("3H 4D 9C", "5O 2S", "TF JS"),
        # as long: the higher top
        ("3H 4D 9C", "TF JS", "5O 7H"),
        # ace low: the top is the three, which loses to a run up to the four
        ("3H 9D JC", "4O 2F", "2S AH"),
        # ace high is the highest top
        ("QH KD 7C", "AO 2F", "JS 2H"),
        # as long and as high: the better suit at the top, wherever below
        ("3M 4M 9C", "5D 2S", "5O 2H"),
        # all of it on the table: the highest hand card
        ("3H 4D 5C", "AO 8F", "KH QH"),
    ],
)
def test_straights_are_compared_by_length_top_suit_and_the_highest_hand_card(table, better, worse):
    assert _category(2, table, worse, better) == [1, 3]


def _category(category, table, *hands):
    points = category_points(POKER_RULES, parse_cards(table), [parse_cards(h) for h in hands])
    return [seat[category] for seat in points]


def test_only_the_best_and_the_second_score():
    hands = [parse_cards(hand) for hand in ("2S 3S", "AH KH", "QD JD", "9O 7O")]
    points = category_points(POKER_RULES, parse_cards("5T 5M"), hands)
    for category in zip(*points, strict=True):
        assert sorted(category) == [0, 0, 1, 3]


def test_a_category_can_have_a_minimum_and_its_own_points():
    rules = replace(
        POKER_RULES,
        rank_minimum=3,
        suit_points=(5, 2, 1),
        straight_points=(0,),
    )
    hands = [parse_cards(hand) for hand in ("5H 3S", "AH KH", "QD JD", "9O 7O")]
    points = category_points(rules, parse_cards("5T 5M"), hands)
    ranks, suits, straights = zip(*points, strict=True)
    assert ranks == (3, 0, 0, 0)
    assert suits == (0, 5, 2, 1)
    assert straights == (0, 0, 0, 0)


TENS = st.integers(0, 2**32).map(lambda seed: random.Random(seed).sample(range(104), 10))


@settings(derandomize=True, deadline=None, max_examples=200)
@given(TENS)
def test_straights_agree_with_trying_every_run(cards):
    held = {RANKS[card % 13] for card in cards}
    ladder = "A" + RANKS
    runs = [
        (to - start, to - 1)
        for start in range(len(ladder))
        for to in range(start + 1, len(ladder) + 1)
        if to - start <= 13 and set(ladder[start:to]) <= held
    ]
    assert longest_straight(POKER_RULES, cards)[:2] == max(runs)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(TENS)
def test_counts_agree_with_counting_each_rank_and_suit(cards):
    assert most_of_a_rank(POKER_RULES, cards)[0] == max(
        sum(card % 13 == rank for card in cards) for rank in range(13)
    )
    assert most_of_a_suit(POKER_RULES, cards)[0] == max(
        sum(card // 13 == suit for card in cards) for suit in range(8)
    )
