"""Referees who deal by links other than those of their chain."""

from dataclasses import dataclass
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.chain import Chain
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.match.referee import Referee
from tests.fakes.forging import FakeDecks
from tests.fakes.keys import secret


@dataclass
class OtherLinks:
    """A chain whose tip is the real one and whose links are drawn at will."""

    chain: Chain

    @property
    def tip(self) -> bytes:
        return self.chain.tip

    def link(self, k: int) -> bytes:
        return secret(f"drawn anew for {k}")


def drawing_anew(opening: pb.MatchOpen, key: PrivateKey, stored: bytes) -> Referee:
    """A referee who draws each link when it has those of the seats. For ``Script``."""
    referee = Referee(opening, key, stored)
    other: Any = OtherLinks(referee._chain)
    referee._chain = other
    # It does not look at its own link when it opens a deck.
    referee.fold.decks = FakeDecks(referee.fold.terms, other.link, lambda deck: deck.order)
    return referee
