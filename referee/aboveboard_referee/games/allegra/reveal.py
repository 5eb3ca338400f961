"""Faces: which are owed now, and the state once they have been shown to everybody."""

from aboveboard_referee.games.allegra.notation import Move
from aboveboard_referee.games.allegra.state import FaceDown, FaceUp, Lying, Phase, State, Unseen
from aboveboard_referee.games.contract import Card, DealerFault, Grant, Slot


def hidden_slots(state: State, move: Move) -> tuple[Slot, ...]:
    """The slots of the face-down cards that a move names.

    It is carried out only when these have been turned.
    """
    lying = [state.grid[cell.number] for cell in move.cells]
    return tuple([card.slot for card in lying if type(card) is FaceDown])


def owed_slots(state: State) -> tuple[Slot, ...]:
    """The slots whose faces everybody is owed, in the order of their cells; often none."""
    if state.pending is not None:
        return hidden_slots(state, state.pending)
    if state.phase in (Phase.OPEN, Phase.DRAWN):
        return (state.stock.next_slot,)
    if state.phase is Phase.COUNT:
        return tuple(card.slot for card in state.grid if type(card) is FaceDown)
    return ()


def see(
    state: State,
    grants: tuple[Grant, ...],
    faces: tuple[Card | None, ...],
    values: tuple[int, ...],
) -> tuple[Unseen, tuple[FaceUp, ...]]:
    """What remains unseen after faces were shown, and the cards that they are.

    Raises ``DealerFault`` for a face that was withheld, and for one that its deck does
    not hold or has shown already.
    """
    unseen = dict(state.unseen)
    seen = []
    for (slot, _), card in zip(grants, faces, strict=True):
        if card is None:
            raise DealerFault(f"the face of {slot} is owed to everybody and was not shown")
        if card not in unseen[slot.deck]:
            raise DealerFault(f"{slot} cannot be card {card}, which its deck no longer holds")
        unseen[slot.deck] -= {card}
        seen.append(FaceUp(slot, card, values[card]))
    return tuple(unseen.items()), tuple(seen)


def turned_over(state: State, seen: tuple[FaceUp, ...]) -> tuple[Lying | None, ...]:
    """The grid in which the cards just seen lie face up in the cells they are in."""
    by_slot: dict[Slot, Lying] = {card.slot: card for card in seen}
    return tuple(
        [
            by_slot.get(lying.slot, lying) if type(lying) is FaceDown else lying
            for lying in state.grid
        ]
    )
