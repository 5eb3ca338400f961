"""What an awkward moment is, and what it is recognised from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.registry import AnyGame


@dataclass(frozen=True)
class Asked:
    """A question to a seat, and what was answered; None while that is open."""

    game: AnyGame
    state: Any
    seat: Seat
    legal: tuple[Any, ...]
    move: Any = None


History = Sequence[Asked]
"""What a seat was asked in a match, oldest first; never empty."""


@dataclass(frozen=True)
class Moment:
    """``name`` is unique in its family; ``told`` says what it is, for a person.

    A moment that is ``at_end`` is recognised by the last question and by the final state as
    everybody sees it, any other by the questions alone.
    """

    family: str
    name: str
    told: str
    met: Callable[[History], bool] = lambda _history: False
    at_end: Callable[[Asked, Any], bool] | None = None
    rule_sets: tuple[str, ...] = ()  # those that know it; empty: all of the family
    fewest: int = 2  # seats that it takes

    def applies(self, game: AnyGame, seats: int) -> bool:
        return (
            game.name.split(":")[0] == self.family
            and (not self.rule_sets or game.name in self.rule_sets)
            and seats >= self.fewest
        )
