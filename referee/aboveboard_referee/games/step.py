"""The one place where it is judged whether an event may happen.

Referee, bots, spectators and verifier all come through ``step``; a game's ``apply``
only carries out what has been judged here.
"""

from typing import TypeVar

from aboveboard_referee.games.contract import (
    DealerFault,
    Decide,
    Foul,
    Game,
    Illegal,
    Moved,
    Over,
    Show,
    Shown,
    Shuffle,
    Shuffled,
)

S = TypeVar("S")
M = TypeVar("M")


def step(
    game: Game[S, M],
    state: S,
    event: Shuffled | Shown | Moved[M],
    need: Shuffle | Show | Decide[M] | Foul | Over | None = None,
) -> S:
    """The state after ``event``, or a refusal that leaves ``state`` as good as before.

    ``need`` is ``game.need(state)``, from a caller who has it already. Raises ``Illegal``
    naming the seat whose move the rules forbid, and ``DealerFault`` where a deck, a batch
    of faces or a set of moves is not the one that is owed. A holder who lacks a seat's
    faces judges by the superset that ``need`` gives it.
    """
    if need is None:
        need = game.need(state)
    if isinstance(event, Moved):
        if not isinstance(need, Decide):
            raise DealerFault(f"moves were made where {_owed(need)} is owed")
        if tuple([seat for seat, _ in event.moves]) != need.seats:
            raise DealerFault("the moves are not those of the seats that were asked")
        for (seat, move), (_, legal) in zip(event.moves, need.legal, strict=True):
            if move not in legal:
                raise Illegal(seat, f"{game.encode(move)} is not among the legal moves")
    elif isinstance(event, Shown):
        if not isinstance(need, Show):
            raise DealerFault(f"faces were shown where {_owed(need)} is owed")
        if event.grants != need.grants or len(event.faces) != len(event.grants):
            raise DealerFault("the faces shown are not those that are owed")
    else:
        if not isinstance(need, Shuffle):
            raise DealerFault(f"a deck was dealt where {_owed(need)} is owed")
        if event.cards != need.cards:
            raise DealerFault("the deck does not hold the cards that are owed")
    return game.apply(state, event)


def _owed(need: object) -> str:
    return {
        "Shuffle": "a shuffle",
        "Show": "a show of faces",
        "Decide": "a decision",
        "Foul": "nothing but the end, after a foul,",
        "Over": "nothing, the game being over,",
    }[type(need).__name__]
