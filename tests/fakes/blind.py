"""A referee who deals without ever looking at a card, as one of another tier would."""

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.games.contract import Card, Slot
from aboveboard_referee.match.decks import Decks
from aboveboard_referee.match.referee import Referee


class BlindDecks(Decks):
    """Decks whose dealer can open slots on demand, and never looks at a face itself."""

    @property
    def all_known(self) -> bool:
        return False

    def face(self, slot: Slot) -> Card | None:
        return None


def blind(opening: pb.MatchOpen, signer: PrivateKey, stored: bytes) -> Referee:
    referee = Referee(opening, signer, stored)
    referee.fold.decks = BlindDecks(referee.fold.terms, referee._chain.link)
    return referee
