"""What a rule was found to be is repeated in an error, but not all of it."""

import pytest

from aboveboard_referee.games import registry
from aboveboard_referee.games.registry import UnknownGame
from aboveboard_referee.match.wire import game_from_wire, game_to_wire


@pytest.mark.parametrize("name", registry.names())
def test_the_error_for_a_rule_of_any_text_is_short(name: str) -> None:
    rules = game_to_wire(registry.game(name))
    for rule in rules.rules:
        if rule.text:
            before, rule.text = rule.text, "9" * 100_000
            with pytest.raises(UnknownGame) as error:
                game_from_wire(rules)
            assert len(str(error.value)) < 1000
            rule.text = before
