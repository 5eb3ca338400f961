"""A game played to its end over decks of a known order, for measuring alone.

No chain, commitment or signature is made, so it costs a fraction of a match. Each bot
still sees what its seat would be sent and no more.
"""

from collections.abc import Callable, Sequence
from typing import Any

from aboveboard_client.bot import Bot
from aboveboard_referee.games.contract import (
    Card,
    Decide,
    Foul,
    Moved,
    Over,
    Seat,
    Show,
    Shuffle,
    Shuffled,
    Slot,
)
from aboveboard_referee.games.registry import AnyGame
from aboveboard_referee.games.step import step
from aboveboard_referee.match.player import Turn

Orders = Callable[[int, tuple[Card, ...]], tuple[Card, ...]]
"""The order, top first, in which deck k (from 1) of these ascending cards is dealt."""

MOVE_US = 60_000_000
"""What a bot is told that it has for each move; nobody holds it to that."""


MOST_STEPS = 20_000
"""Deals, shows and moves of a game, far above what any has. Rules of a stranger's may have one
that hardly ends."""


class TooLong(Exception):
    """The game had not ended after ``MOST_STEPS``."""


def play_out(
    game: AnyGame, bots: Sequence[Bot], orders: Orders, most_steps: int = MOST_STEPS
) -> Over:
    """The end of a game of these bots, by seat. A function of its arguments.

    Raises ``TooLong``. Whatever a bot raises comes through, and so does ``Illegal`` for a move
    that is none.
    """
    seats = len(bots)
    states: dict[Seat | None, Any] = {None: game.start(seats)}  # None sees every card
    states.update((seat, game.start(seats)) for seat in range(seats))
    decks: list[tuple[Card, ...]] = []
    steps = 0
    while not isinstance(need := game.need(states[None]), Over):
        assert not isinstance(need, Foul), "a move out of the exact legal ones was a foul"
        steps += 1
        if steps > most_steps:
            raise TooLong(f"{game.name} did not end in {most_steps} steps")
        if isinstance(need, Shuffle):
            decks.append(orders(len(decks) + 1, need.cards))
            event = Shuffled(need.cards)
            states = {holder: step(game, state, event) for holder, state in states.items()}
        elif isinstance(need, Show):
            faces = [_face(decks, slot) for slot, _ in need.grants]
            states = {
                holder: step(game, state, need.seen(faces, holder))
                for holder, state in states.items()
            }
        else:
            moves = Moved(_moves(game, need, states, bots, steps))
            states = {holder: step(game, state, moves) for holder, state in states.items()}
    return need


def _moves(
    game: AnyGame,
    need: Decide[Any],
    states: dict[Seat | None, Any],
    bots: Sequence[Bot],
    asked: int,
) -> tuple[tuple[Seat, Any], ...]:
    moves = []
    for seat in need.seats:
        own = game.need(states[seat])
        assert isinstance(own, Decide), "every holder of a game expects the same"
        legal = own.of(seat)
        turn = Turn(game, states[seat], seat, legal, MOVE_US, asked)
        moves.append((seat, bots[seat].choose(turn)))
    return tuple(moves)


def _face(decks: Sequence[tuple[Card, ...]], slot: Slot) -> Card:
    return decks[slot.deck - 1][slot.pos]
