"""Rule sets, what they allow, and the bounds that they give."""

import dataclasses
from typing import Any

import pytest

from aboveboard_referee.games import registry
from aboveboard_referee.games.cribbage import (
    ACC,
    FAMILY,
    SOURCE,
    CribbageRules,
    card_text,
    parse_card,
    parse_cards,
    skunks,
)
from aboveboard_referee.games.cribbage.cards import DECK


def test_both_rule_sets_and_the_alias_can_be_selected() -> None:
    assert registry.game("cribbage").rules is ACC
    assert registry.game("cribbage:source").rules is SOURCE
    assert registry.game("cribbage:acc").name == "cribbage"
    assert registry.canonical("cribbage:acc") == "cribbage"


@pytest.mark.parametrize(
    ("name", "bounds"), [("cribbage", (241, 361, 241)), ("cribbage:source", (100, 100, 100))]
)
def test_a_match_has_a_proven_bound_of_deals(name: str, bounds: tuple[int, ...]) -> None:
    game = registry.game(name)
    assert tuple(map(game.max_shuffles, game.seats)) == bounds


@pytest.mark.parametrize(
    "change",
    [
        {"dealt": (6, 5)},
        {"dealt": (7, 5, 5)},
        {"dealt": (4, 5, 5), "crib_each": (0, 1, 1)},
        {"crib_stock": (0, 2, 0)},
        {"crib_stock": (0, -1, 0)},
        {"flush": (0, 0, 0, 0, 4)},
        {"flush_crib": ()},
        {"nobs": -1},
        {"target": 0},
        {"deal_cap": -1},
        {"last_card": 0},
        {"play_thirty_one": 0},
        {"target": 1000},
        {"target": 1000, "deal_cap": 1024},
    ],
    ids=repr,
)
def test_rules_that_cannot_be_played_or_need_not_end_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        dataclasses.replace(ACC, **change)
    travelling = {**dict(registry.describe(ACC)), **change}
    with pytest.raises(registry.UnknownGame, match="cannot be played"):
        registry.rebuild("cribbage", 1, travelling)


def test_a_cap_of_deals_bounds_a_match_without_points_for_a_last_card() -> None:
    rules = dataclasses.replace(ACC, last_card=0, deal_cap=50)
    assert FAMILY.build("cribbage", rules).max_shuffles(2) == 50
    rules = dataclasses.replace(ACC, deal_cap=50)
    assert FAMILY.build("cribbage", rules).max_shuffles(2) == 50


def test_only_rules_of_cribbage_make_a_game_of_it() -> None:
    with pytest.raises(TypeError):
        FAMILY.build("cribbage", object())


@pytest.mark.parametrize(
    ("score", "skunked"),
    [
        ((121, 91), (0, 0)),
        ((121, 90), (0, 1)),
        ((61, 125), (1, 0)),
        ((60, 125), (2, 0)),
        ((121, 90, 60), (0, 1, 2)),
    ],
)
def test_a_skunk_is_recorded(score: tuple[int, ...], skunked: tuple[int, ...]) -> None:
    assert skunks(ACC, score) == skunked
    assert skunks(SOURCE, score) == (0,) * len(score)


def test_those_who_share_the_highest_score_are_not_skunked() -> None:
    assert skunks(ACC, (50, 50)) == (0, 0)


def test_every_field_of_the_rules_is_explicit_and_travels() -> None:
    for field in dataclasses.fields(CribbageRules):
        assert field.default is field.default_factory is dataclasses.MISSING
    assert [name for name, _ in registry.describe(ACC)] == [
        field.name for field in dataclasses.fields(CribbageRules) if field.name != "version"
    ]


def test_cards_are_written_rank_first() -> None:
    assert [card_text(card) for card in (0, 4, 9, 12, 13, 26, 39, 51)] == [
        *("AH", "5H", "TH", "KH", "AD", "AC", "AS", "KS")
    ]
    assert tuple(parse_card(card_text(card)) for card in DECK) == DECK
    assert parse_cards("5H 5C") == (4, 30)


@pytest.mark.parametrize("text", ["", "5", "5h", "10H", "H5", " 5H", "5H ", "1H", "AHAH"])
def test_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        parse_card(text)


@pytest.mark.parametrize("card", [-1, 52])
def test_an_id_that_is_no_card_is_refused(card: int) -> None:
    with pytest.raises(ValueError, match="no card has the id"):
        card_text(card)
