"""What a bot is given, with types that an editor completes.

Say in ``choose`` which game's turn it takes::

    from aboveboard_client.turns import CribbageTurn

    class MyBot:
        games = ("cribbage",)

        def choose(self, turn: CribbageTurn) -> object:
            return turn.legal[0]

A bot for several games takes a ``Turn`` and looks at the state's type::

    match turn.state:
        case CribbageState() as state: ...

Scoring functions and moves are in ``aboveboard_referee.games``; docs/bots.md has them all.
"""

from typing import Protocol, TypeVar

from aboveboard_referee.games.allegra import AllegraRules
from aboveboard_referee.games.allegra.notation import Move as AllegraMove
from aboveboard_referee.games.allegra.state import State as AllegraState
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.cribbage import CribbageMove, CribbageRules, CribbageState
from aboveboard_referee.games.nebraska import Move as NebraskaMove
from aboveboard_referee.games.nebraska import NebraskaRules
from aboveboard_referee.games.nebraska import State as NebraskaState
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.match.player import Turn

__all__ = [
    "AllegraMove",
    "AllegraRules",
    "AllegraState",
    "AllegraTurn",
    "CribbageMove",
    "CribbageRules",
    "CribbageState",
    "CribbageTurn",
    "NebraskaMove",
    "NebraskaRules",
    "NebraskaState",
    "NebraskaTurn",
    "Turn",
    "TurnOf",
]

State = TypeVar("State", covariant=True)
Move = TypeVar("Move", covariant=True)
Rules = TypeVar("Rules", covariant=True)


class TurnOf(Protocol[State, Move, Rules]):
    """A choice that is the bot's to make. It is not changed by whatever the bot does."""

    @property
    def state(self) -> State:
        """All that this seat knows of the match."""
        ...

    @property
    def legal(self) -> tuple[Move, ...]:
        """What may be answered, sorted by notation; never empty. The first is harmless."""
        ...

    @property
    def seat(self) -> Seat:
        """The bot's own seat, from 0."""
        ...

    @property
    def rules(self) -> Rules:
        """Every choice of the rule set. Scoring functions take it."""
        ...

    @property
    def game(self) -> AnyGame:
        """``name``, such as ``nebraska:poker``; ``encode``, ``decode`` and ``card_text``."""
        ...

    @property
    def left_us(self) -> int:
        """The microseconds that the clock gives for this answer."""
        ...

    @property
    def asked(self) -> int:
        """The number of the match's event that this answers, as ``aboveboard show`` counts."""
        ...


CribbageTurn = TurnOf[CribbageState, CribbageMove, CribbageRules]
"""A turn of ``cribbage`` or ``cribbage:source``."""

NebraskaTurn = TurnOf[NebraskaState, NebraskaMove, NebraskaRules]
"""A turn of ``nebraska:family``, ``nebraska:expert`` or ``nebraska:poker``."""

AllegraTurn = TurnOf[AllegraState, AllegraMove, AllegraRules]
"""A turn of ``allegra``."""
