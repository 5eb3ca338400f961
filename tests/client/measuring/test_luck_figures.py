"""How much taking luck out narrows, where docs/ratings.md says that it does."""

import pytest

from tests.fakes.luck_figures import figures


@pytest.mark.slow
def test_luck_taken_out_narrows_cribbage_between_careless_bots() -> None:
    lines = {line.players: line for line in figures("cribbage", 60)}
    narrowing = lines["careless", "careless"].narrowing
    assert narrowing is not None
    assert narrowing > 0.05


@pytest.mark.slow
def test_luck_taken_out_narrows_nebraska_between_house_bots() -> None:
    lines = {line.players: line for line in figures("nebraska:family", 60)}
    narrowing = lines["house", "house"].narrowing
    assert narrowing is not None
    assert narrowing > 0.05
