"""Autopilot moves in a match, and a referee that makes others than it must."""

from collections.abc import Iterator
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.fairplay.keys import PrivateKey
from aboveboard_referee.match.decks import Decks
from aboveboard_referee.match.fold import Fold
from aboveboard_referee.match.referee import Referee
from aboveboard_referee.match.terms import read_terms
from tests.fakes.scripted import Script


def replay(script: Script) -> Iterator[tuple[Fold, pb.Event]]:
    """Each event, and the match before it as somebody who knows all cards sees it."""
    opening, *records = map(parse_signed, script.records)
    fold = Fold(read_terms(opening), referee_link=script.referee._chain.link)
    for record in records:
        if record.type.endswith("/event/v1"):
            event = pb.Event.FromString(record.body)
            yield fold, event
            fold.take(record)


def autopilots(script: Script) -> list[pb.Autopilot]:
    return [event.autopilot for event in script.events() if event.HasField("autopilot")]


class Lenient(Decks):
    """Decks that do not make their holder exact."""

    @property
    def all_known(self) -> bool:
        return False


class Highest(Referee):
    """Moves the highest in place of the lowest."""

    def _emit(self, now_us: int, **payload: Any) -> None:
        pilot = payload.get("autopilot")
        if pilot is not None:
            pilot.text = self.fold.terms.game.encode(self.fold.need.of(pilot.seat)[-1])
        super()._emit(now_us, **payload)


def highest(opening: pb.MatchOpen, signer: PrivateKey, stored: bytes) -> Referee:
    """A referee that moves so, and does not hold itself to what it knows."""
    referee = Highest(opening, signer, stored)
    referee.fold.decks = Lenient(referee.fold.terms, referee._chain.link)
    return referee
