"""A game that has no board of its own: its moves by their notation."""

from collections.abc import Sequence
from typing import Any

from aboveboard_client.terminal.boards.text import Event, name_of
from aboveboard_referee.games.contract import Moved
from aboveboard_referee.games.registry import AnyGame


class Unknown:
    """See ``text.Board``."""

    def position(self, game: AnyGame, state: Any, names: Sequence[str]) -> tuple[str, ...]:
        return ()

    def happening(
        self, game: AnyGame, before: Any, event: Event, after: Any, names: Sequence[str]
    ) -> tuple[str, ...]:
        if not isinstance(event, Moved):
            return ()
        return tuple(f"{name_of(names, seat)}: {game.encode(move)}" for seat, move in event.moves)

    def cards_of(self, game: AnyGame, state: Any, move: Any) -> str:
        return ""
