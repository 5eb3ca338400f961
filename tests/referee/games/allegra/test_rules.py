"""The rule set, what cannot be one, and the bound on shuffles."""

from dataclasses import replace

import pytest

from aboveboard_referee.games import registry
from aboveboard_referee.games.allegra import FAMILY, AllegraRules, build
from aboveboard_referee.games.allegra.cards import card_values
from aboveboard_referee.games.allegra.rules import first_seat

RULES = AllegraRules()


def counts(**of_value: int) -> tuple[int, ...]:
    """Counts by value, written ``v0=60``; no cards of any other value."""
    return tuple(of_value.get(f"v{value}", 0) for value in range(-1, 12))


def test_there_are_120_cards_most_of_them_of_middle_values() -> None:
    values = card_values(RULES.counts)
    assert len(values) == 120
    assert list(values) == sorted(values)
    assert values[:6] == (-1,) * 6
    assert values[6:13] == (0,) * 7
    assert values[13] == 1
    assert [values.count(value) for value in range(-1, 12)] == list(RULES.counts)


def test_a_card_is_written_as_its_value() -> None:
    game = registry.game("allegra")
    assert [game.card_text(card) for card in (0, 6, 119)] == ["-1", "0", "11"]


def test_the_rule_set_is_found_under_its_one_name() -> None:
    assert registry.canonical("allegra") == "allegra"
    assert registry.game("allegra").name == "allegra"
    assert list(FAMILY.variants) == ["allegra"]
    assert dict(FAMILY.aliases) == {}


def test_rules_survive_their_travel() -> None:
    rules = replace(RULES, trigger="actor", tie_is_lowest=False, knock_min_seats=3)
    fields = dict(registry.describe(rules))
    assert registry.rebuild("allegra", 1, fields).rules == rules


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("version", 2, "version 2"),
        ("counts", (120,), "instead of 13"),
        ("counts", (-1, 121, *[0] * 11), "negative"),
        ("counts", counts(v0=25), "not within 26 to 1000"),
        ("counts", counts(v0=1001), "not within 26 to 1000"),
        ("rounds", 0, "rounds"),
        ("rounds", 1024, "rounds"),
        ("first_step", -1, "first_step"),
        ("first_step", 6, "first_step"),
        ("knock_min_seats", 1, "knock_min_seats"),
        ("knock_min_seats", 8, "knock_min_seats"),
        ("turn_cap", 0, "turn_cap"),
        ("trigger", "nobody", "holder, actor"),
        ("doubling", "", "positive, any, never"),
    ],
)
def test_rules_that_contradict_themselves_are_refused(field: str, value: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(RULES, **{field: value})
    fields = dict(registry.describe(RULES)) | {field: value}
    version = fields.pop("version", 1)
    with pytest.raises(registry.UnknownGame):
        registry.rebuild("allegra", version, fields)


def test_rules_that_could_need_too_many_shuffles_are_refused() -> None:
    replace(RULES, rounds=3, counts=counts(v3=26))  # 303 with two seats
    with pytest.raises(ValueError, match="shuffles with 2 seats: 1111 "):
        replace(RULES, rounds=11, counts=counts(v3=26))


def test_rules_of_another_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be played by str"):
        build("allegra", "rules")


def test_two_to_six_seats_can_play_with_the_whole_deck() -> None:
    game = registry.game("allegra")
    assert list(game.seats) == [2, 3, 4, 5, 6]
    for seats in (0, 1, 7):
        with pytest.raises(ValueError, match="cannot be played"):
            game.start(seats)


def test_a_small_deck_admits_fewer_seats() -> None:
    def seats(cards: int) -> list[int]:
        return list(build("allegra", replace(RULES, counts=counts(v4=cards), rounds=1)).seats)

    assert seats(26) == [2]
    assert seats(61) == [2, 3, 4]
    assert seats(62) == [2, 3, 4, 5]
    assert seats(73) == [2, 3, 4, 5]
    assert seats(74) == [2, 3, 4, 5, 6]


def test_few_shuffles_are_ever_needed() -> None:
    game = registry.game("allegra")
    assert [game.max_shuffles(seats) for seats in game.seats] == [6, 6, 9, 15, 21]


def test_everybody_plays_alone() -> None:
    assert registry.game("allegra").sides(3) == ((0,), (1,), (2,))


def test_the_first_seat_moves_on_by_one_each_round() -> None:
    assert [first_seat(RULES, round_, 2) for round_ in range(3)] == [0, 1, 0]
    assert [first_seat(RULES, round_, 6) for round_ in range(3)] == [0, 1, 2]
    stays = replace(RULES, first_step=0)
    assert [first_seat(stays, round_, 4) for round_ in range(3)] == [0, 0, 0]
