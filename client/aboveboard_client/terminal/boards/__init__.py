"""Positions and what happens in them as lines of text, for people; one file a game.

Pure: a state goes in and plain lines come out. What is shown is what the state's holder
knows: a card that it was not shown is ``??``, whoever holds it.
"""

from collections.abc import Sequence

from aboveboard_client.terminal.boards import allegra, cribbage, nebraska
from aboveboard_client.terminal.boards.text import Board, Event
from aboveboard_client.terminal.boards.unknown import Unknown
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.games.registry import AnyGame

__all__ = ["Event", "happening", "move_words", "position"]

_BOARDS: dict[str, Board] = {
    "allegra": allegra.AllegraBoard(),
    "cribbage": cribbage.CribbageBoard(),
    "nebraska": nebraska.NebraskaBoard(),
}


def position(game: AnyGame, state: object, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The position as its holder sees it; ``names`` are the seats', ``seat 0`` without."""
    return _board(game).position(game, state, names)


def happening(
    game: AnyGame, before: object, event: Event, after: object, names: Sequence[str] = ()
) -> tuple[str, ...]:
    """What a step of the game brought, from the state before it to the one after it.

    One line for each thing worth telling, such as ``ada plays 5H, count 15, 2 points``;
    none where nothing is.
    """
    return _board(game).happening(game, before, event, after, names)


def move_words(game: AnyGame, state: object, seat: Seat, move: object) -> str:
    """A move's notation and, where it moves cards, which: ``discard 4 9 (5H 9C)``.

    ``state`` is the one in which it is made.
    """
    cards = _board(game).cards_of(game, state, move)
    return f"{game.encode(move)} ({cards})" if cards else game.encode(move)


def _board(game: AnyGame) -> Board:
    return _BOARDS.get(game.name.partition(":")[0], Unknown())
