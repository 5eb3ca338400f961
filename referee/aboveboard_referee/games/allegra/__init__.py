"""Allegra: everybody turns and swaps cards in an area that overlaps a neighbour's.

Everything on the table is public, knocks for a drawn card are sealed, and the lowest
total over three rounds wins.
"""

from typing import Any

from aboveboard_referee.games.allegra.game import Allegra
from aboveboard_referee.games.allegra.rules import AllegraRules
from aboveboard_referee.games.contract import Family, Game

__all__ = ["FAMILY", "Allegra", "AllegraRules", "build"]


def build(name: str, rules: object) -> Game[Any, Any]:
    """The game for ``rules``, which ``AllegraRules`` has found to be playable."""
    if not isinstance(rules, AllegraRules):
        raise ValueError(f"{name} cannot be played by {type(rules).__name__}")
    return Allegra(name, rules)


FAMILY = Family(
    name="allegra",
    rules_type=AllegraRules,
    variants={"allegra": AllegraRules()},
    aliases={},
    build=build,
)
