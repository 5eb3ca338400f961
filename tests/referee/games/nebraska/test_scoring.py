import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.games.nebraska import (
    EXPERT_RULES,
    FAMILY_RULES,
    POKER_RULES,
    card_matches,
    category_points,
    parse_card,
    parse_cards,
    score_hands,
    winner,
)

RULES = {"family": FAMILY_RULES, "expert": EXPERT_RULES, "poker": POKER_RULES}
CASES = json.loads((Path(__file__).parents[3] / "vectors" / "nebraska.json").read_text("utf-8"))

TABLE = parse_cards("5H 9C KC 2O 7M")
HANDS = tuple(parse_cards(line) for line in ("5C KD 9O 3T AH", "6F 8C TC QM AO", "4S 6D 8H 7H KM"))


@pytest.mark.parametrize("scoring", RULES)
def test_points_agree_with_the_independent_cases(scoring):
    assert len(CASES) == 120
    for case in CASES:
        table = parse_cards(case["table"])
        hands = [parse_cards(hand) for hand in case["hands"]]
        assert list(score_hands(RULES[scoring], table, hands)) == case[scoring], case


@pytest.mark.parametrize("scoring", RULES)
def test_winners_agree_with_the_independent_cases(scoring):
    for case in CASES:
        table = parse_cards(case["table"])
        hands = [parse_cards(hand) for hand in case["hands"]]
        assert winner(RULES[scoring], table, hands) == case["winner"][scoring], case


def test_the_three_hands_of_the_rules_score_as_printed_there():
    assert score_hands(FAMILY_RULES, TABLE, HANDS) == (4, 4, 3)
    assert score_hands(EXPERT_RULES, TABLE, HANDS) == (7, 6, 5)
    assert score_hands(POKER_RULES, TABLE, HANDS) == (4, 6, 2)
    assert category_points(POKER_RULES, TABLE, HANDS) == ((3, 1, 0), (0, 3, 3), (1, 0, 1))


def test_the_three_hands_of_the_rules_are_won_as_printed_there():
    assert [winner(RULES[scoring], TABLE, HANDS) for scoring in RULES] == [0, 0, 1]


def test_a_five_of_clubs_meeting_two_clubs_and_a_five_scores_3_as_expert_and_1_as_family():
    table = parse_cards("9C KC 5H 2O 7M")
    hand = [parse_cards("5C")]
    assert score_hands(EXPERT_RULES, table, hand) == (3,)
    assert score_hands(FAMILY_RULES, table, hand) == (1,)
    assert card_matches(table, parse_card("5C")) == 3


def test_equal_points_go_to_the_highest_hand_card_by_rank():
    # Nobody meets the table; the ace of the lowest suit beats the king of the highest.
    table = parse_cards("2S 3S 4S 5S 6S")
    hands = [parse_cards("KH 9H"), parse_cards("7M AM"), parse_cards("KD QD")]
    assert score_hands(FAMILY_RULES, table, hands) == (0, 0, 0)
    assert winner(FAMILY_RULES, table, hands) == 1


def test_equal_points_and_equal_highest_ranks_go_to_the_higher_suit():
    table = parse_cards("2S 3S 4S 5S 6S")
    hands = [parse_cards(f"A{suit} 7{suit}") for suit in "MTFOCDH"]
    for last in range(len(hands)):
        assert winner(EXPERT_RULES, table, hands[: last + 1]) == last


def test_the_highest_card_never_outweighs_a_point():
    table = parse_cards("2S 3S 4S 5S 6S")
    hands = [parse_cards("AH KH"), parse_cards("2M 7M")]
    assert winner(FAMILY_RULES, table, hands) == 1


def test_another_suit_order_moves_the_tie():
    table = parse_cards("2S 3S 4S 5S 6S")
    hands = [parse_cards("AH 7H"), parse_cards("AM 7M")]
    assert winner(FAMILY_RULES, table, hands) == 0
    assert winner(replace(FAMILY_RULES, suit_order="MTFOSCDH"), table, hands) == 1


def test_a_low_ace_loses_the_tie():
    table = parse_cards("2S 3S 4S 5S 6S")
    hands = [parse_cards("AH 8H"), parse_cards("7M 9M")]
    assert winner(FAMILY_RULES, table, hands) == 0
    assert winner(replace(FAMILY_RULES, ace_high=False), table, hands) == 1


@st.composite
def deals(draw):
    """A table of five and hands of five for 2 to 7 seats."""
    seats = draw(st.integers(2, 7))
    cards = random.Random(draw(st.integers(0, 2**32))).sample(range(104), 5 * (seats + 1))
    rows = [tuple(cards[i : i + 5]) for i in range(0, len(cards), 5)]
    return rows[0], tuple(rows[1:])


@settings(derandomize=True, deadline=None, max_examples=100)
@given(deals())
def test_points_stay_within_their_bounds(deal):
    table, hands = deal
    assert all(0 <= points <= 5 for points in score_hands(FAMILY_RULES, table, hands))
    assert all(0 <= points <= 25 for points in score_hands(EXPERT_RULES, table, hands))
    assert sum(score_hands(POKER_RULES, table, hands)) == 3 * (3 + 1)


@settings(derandomize=True, deadline=None, max_examples=100)
@given(deals())
def test_expert_points_are_the_sum_of_what_each_card_meets(deal):
    table, hands = deal
    assert score_hands(EXPERT_RULES, table, hands) == tuple(
        sum(card_matches(table, card) for card in hand) for hand in hands
    )


@settings(derandomize=True, deadline=None, max_examples=100)
@given(deals(), st.sampled_from(sorted(RULES)))
def test_the_winner_is_the_same_hand_wherever_it_sits(deal, scoring):
    table, hands = deal
    won = hands[winner(RULES[scoring], table, hands)]
    turned = hands[1:] + hands[:1]
    assert turned[winner(RULES[scoring], table[::-1], turned)] == won
