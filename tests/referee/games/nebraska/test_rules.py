from dataclasses import fields, replace

import pytest

from aboveboard_referee.games import registry
from aboveboard_referee.games.nebraska import (
    EXPERT_RULES,
    FAMILY,
    FAMILY_RULES,
    POKER_RULES,
    Nebraska,
    parse_card,
)

NAMES = ("nebraska:expert", "nebraska:family", "nebraska:poker")


def test_three_rule_sets_can_be_selected_under_no_other_name():
    assert tuple(sorted(FAMILY.variants)) == NAMES
    assert FAMILY.aliases == {}
    assert [registry.game(name).name for name in NAMES] == list(NAMES)


def test_the_three_differ_in_their_scoring_alone():
    assert replace(EXPERT_RULES, scoring="family") == FAMILY_RULES
    assert replace(POKER_RULES, scoring="family") == FAMILY_RULES


def test_targets_fall_with_the_number_of_seats():
    assert list(FAMILY_RULES.seats) == [2, 3, 4, 5, 6, 7]
    assert [FAMILY_RULES.target(seats) for seats in FAMILY_RULES.seats] == [5, 4, 3, 3, 2, 2]


@pytest.mark.parametrize(("seats", "most"), [(2, 9), (3, 10), (4, 9), (5, 11), (6, 7), (7, 8)])
def test_shuffles_are_bounded_by_the_wins_that_can_be_given(seats, most):
    assert registry.game("nebraska:family").max_shuffles(seats) == most


def test_every_field_travels_and_rebuilds_the_same_game():
    for name in NAMES:
        game = registry.game(name)
        travelling = dict(registry.describe(game.rules))
        assert len(travelling) == len(fields(game.rules)) - 1
        assert registry.rebuild(name, 1, travelling) == game


def test_no_field_has_a_default():
    with pytest.raises(TypeError):
        type(FAMILY_RULES)()


def test_rules_of_another_kind_are_refused():
    with pytest.raises(TypeError, match="rules of nebraska:family"):
        FAMILY.build("nebraska:family", object())


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"version": 2}, "version"),
        ({"scoring": "house"}, "scoring"),
        ({"deal_order": "random"}, "deal_order"),
        ({"draw_order": "seat1"}, "draw_order"),
        ({"stock_rule": "reshuffle"}, "stock_rule"),
        ({"suit_order": "HDCSOFT"}, "suit_order"),
        ({"suit_order": "HDCSOFTT"}, "suit_order"),
        ({"suit_order": "HDCSOFTMM"}, "suit_order"),
        ({"targets": ()}, "targets"),
        ({"targets": (1,) * 7}, "targets"),
        ({"targets": (5, 0)}, "targets"),
        ({"targets": (513,)}, "more than 1024 hands"),
        ({"keeps": 0}, "keeps"),
        ({"keeps": 10}, "keeps"),
        ({"dealt": 15}, "take more than the pack"),
        ({"rank_points": ()}, "rank_points"),
        ({"suit_points": (1, 3)}, "suit_points"),
        ({"straight_points": (3, -1)}, "straight_points"),
        ({"straight_points": (1,) * 8}, "straight_points"),
        ({"rank_minimum": 0}, "rank_minimum"),
        ({"suit_minimum": 11}, "suit_minimum"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_by_field(change, complaint):
    with pytest.raises(ValueError, match=complaint):
        FAMILY.build("nebraska:poker", replace(POKER_RULES, **change))


def test_the_longest_match_that_can_be_agreed_has_1024_hands_at_most():
    game = FAMILY.build("nebraska:family", replace(FAMILY_RULES, targets=(512,)))
    assert game.max_shuffles(2) == 1023


@pytest.mark.parametrize("seats", [0, 1, 8])
def test_a_game_is_not_started_with_a_wrong_number_of_seats(seats):
    with pytest.raises(ValueError, match="2 to 7 seats"):
        Nebraska("nebraska:family", FAMILY_RULES).start(seats)


def test_everybody_plays_alone():
    assert Nebraska("nebraska:family", FAMILY_RULES).sides(3) == ((0,), (1,), (2,))


def test_cards_are_ordered_by_rank_and_then_by_suit():
    strength = FAMILY_RULES.orders.card
    line = [
        parse_card(text) for text in ("2M", "2T", "2H", "3M", "TH", "JM", "KH", "AM", "AD", "AH")
    ]
    assert sorted(line, key=strength.__getitem__) == line
    assert len(set(strength)) == 104
