"""The decks of a finished match, as its transcript opens them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aboveboard_client.archives.following import Following
from aboveboard_referee.fairplay.envelope import Signed
from aboveboard_referee.games.contract import Card, Slot
from aboveboard_referee.games.registry import AnyGame


@dataclass(frozen=True)
class OpenDecks:
    """What was dealt in a match: each deck top first, by its number from 1.

    ``head0`` names the match. A deck that was never opened is left out.
    """

    head0: bytes
    game: AnyGame
    seats: int
    orders: Mapping[int, tuple[Card, ...]]


def open_decks(records: Sequence[Signed]) -> OpenDecks:
    """The decks of the match that these records are. Raises ``Deviation`` at a record that
    does not follow from those before it.
    """
    following = Following(records)
    fold, terms = following.fold, following.terms
    sizes: dict[int, int] = {}
    for event in following.events():
        if event.WhichOneof("payload") == "deal_root":
            sizes[event.shuffle] = event.deal_root.cards
    orders = {}
    for k, size in sizes.items():
        faces = [fold.decks.face(Slot(k, pos)) for pos in range(size)]
        known = tuple(face for face in faces if face is not None)
        if len(known) == size:
            orders[k] = known
    return OpenDecks(terms.head0, terms.game, len(terms.wire.seats), orders)
