"""The laws of notation and of rules that travel, for every registered rule set."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_referee.games import registry
from aboveboard_referee.games.contract import Malformed, Shuffle
from aboveboard_referee.games.step import step
from tests.fakes.matches import NAMES, TABLES, played, some
from tests.fakes.table import SPECTATOR

every_game = pytest.mark.parametrize("name", NAMES)
every_table = pytest.mark.parametrize(("name", "seats"), TABLES)

# --- Notation and rules ----------------------------------------------------------------------


@every_table
def test_every_legal_move_has_one_notation_and_comes_back_from_it(name: str, seats: int) -> None:
    game = registry.game(name)
    for text, move in met_moves(name, seats).items():
        assert game.decode(text) == move
        assert text.isascii()
        assert text.isprintable()
        assert 0 < len(text) <= 64


@every_table
def test_altered_notation_is_refused(name: str, seats: int) -> None:
    game = registry.game(name)
    for text in some(list(met_moves(name, seats)), 200):
        for altered in (f" {text}", f"{text} ", f"{text}\n", f"\n{text}", f"{text}\0", f"{text}\t"):
            with pytest.raises(Malformed):
                game.decode(altered)
        wide = "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in text)
        altered_texts = [text.swapcase(), wide, text.replace(" ", "  "), text[:-1], text[1:]]
        altered_texts += [text[:i] + "0" + text[i:] for i in range(len(text) + 1)]
        for altered in altered_texts:
            assert_canonical_or_malformed(name, altered)


@cache
def met_moves(name: str, seats: int) -> dict[str, Any]:
    """Every move that was legal for anybody at any time of the match, by its notation."""
    game = registry.game(name)
    moves = {
        move
        for needs in played(name, seats).decisions
        for need in needs.values()
        for _, legal in need.legal
        for move in legal
    }
    return {game.encode(move): move for move in sorted(moves, key=game.encode)}


def assert_canonical_or_malformed(name: str, text: str) -> None:
    game = registry.game(name)
    try:
        move = game.decode(text)
    except Malformed:
        return
    assert game.encode(move) == text


@every_game
@settings(derandomize=True, deadline=None, max_examples=100)
@given(data=st.data())
def test_no_other_text_is_taken_for_a_move(name: str, data: st.DataObject) -> None:
    seats = registry.game(name).seats[0]
    letters = st.sampled_from(sorted({c for text in met_moves(name, seats) for c in text}))
    assert_canonical_or_malformed(name, data.draw(st.text() | st.text(letters)))


@every_game
@pytest.mark.parametrize("text", ["", " ", "\n", "0", "-1", "a" * 65, "é", "{}", "None"])
def test_text_that_is_no_move_of_any_game_is_malformed(name: str, text: str) -> None:
    with pytest.raises(Malformed):
        registry.game(name).decode(text)


@every_game
def test_a_game_is_rebuilt_from_the_rules_that_travel(name: str) -> None:
    game = registry.game(name)
    again = registry.rebuild(name, game.rules.version, dict(registry.describe(game.rules)))
    assert again.rules == game.rules
    assert again.name == game.name == name
    assert again.seats == game.seats


@every_table
def test_a_rebuilt_game_plays_the_same_match(name: str, seats: int) -> None:
    game = registry.game(name)
    again = registry.rebuild(name, game.rules.version, dict(registry.describe(game.rules)))
    table = played(name, seats).table
    state = again.start(seats)
    for event in table.happened[SPECTATOR]:
        state = step(again, state, event)
    assert again.need(state) == played(name, seats).end


@every_table
def test_every_card_of_a_deck_has_its_own_text(name: str, seats: int) -> None:
    game = registry.game(name)
    for _, _, need in played(name, seats).states:
        if isinstance(need, Shuffle):
            assert all(game.card_text(card).isascii() for card in need.cards)
