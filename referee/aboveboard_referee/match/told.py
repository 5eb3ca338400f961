"""What one seat is asked, told in JSON by what it was sent and by nothing else.

For a bot that has no rules engine the referee follows the match once more, as that bot's
seat: a fold of its own, which is fed the records and private shows that went to the seat and
has no other source. So there is no function that could hand the seat more than it was sent.
``docs/languages.md`` has every duty and field.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.games.contract import Decide, Seat, Slot
from aboveboard_referee.match.fold import Fold
from aboveboard_referee.match.judge import Owed
from aboveboard_referee.match.player import DECISIONS, Turn
from aboveboard_referee.match.result import reason_text
from aboveboard_referee.match.sent import Outbox
from aboveboard_referee.match.terms import read_terms
from aboveboard_referee.match.turn_json import json_bytes, turn_json

CLOSE = "close"

DUTIES: dict[int, str] = {
    pb.PHASE_ACCEPT: "accept",
    pb.PHASE_ENTROPY: "entropy",
    pb.PHASE_MOVE: "move",
    pb.PHASE_COMMITMENT: "sealed-move",
    pb.PHASE_OPENING: "open",
}
"""What a seat that owes an answer of a phase is asked for."""


class Question(NamedTuple):
    """One thing that a seat is asked for: since which event, what, and its turn as JSON."""

    asked: int
    duty: str
    json: bytes


class Told:
    """One seat of one match, as far as it was told of it. ``records`` is how many it had."""

    def __init__(self, seat: Seat) -> None:
        self.records = 0
        self._seat = seat
        self._fold: Fold | None = None

    def take(self, parts: Iterable[Outbox]) -> None:
        """Follow what the seat was sent since its first ``records`` records.

        Nothing of it is in doubt, for this very referee made and signed it.
        """
        for part in parts:
            faces = _faces(part.shows.get(self._seat, ()))
            for record in part.records:
                signed = parse_signed(record)
                if self._fold is None:
                    self._fold = Fold(read_terms(signed), holder=self._seat)
                else:
                    event = decode(pb.Event, signed.body)
                    self._fold.take_event(event, signed.body, faces.get(event.sequence))
                self.records += 1

    def question(self, waited_us: int) -> Question | None:
        """What the seat owes now, of whose time ``waited_us`` are over; ``None``: nothing."""
        fold = self._followed
        owed = fold.owed.get(self._seat)
        if owed is None:
            return None
        left_us = max(0, fold.clocks.left(self._seat, owed.phase) - waited_us)
        return Question(owed.asked, DUTIES[owed.phase], json_bytes(self._turn(owed, left_us)))

    def closing(self, close: pb.MatchClose) -> Question:
        """The close record, which the seat is asked to sign, in words."""
        turn = self._told(close.sequence, (), self._followed.terms.wire.clock.protocol_us)
        turn["result"] = {
            "reason": reason_text(close.reason),
            "seats": [
                {
                    "half_points": seat.half_points,
                    "score": seat.score,
                    "rank": seat.rank,
                    "reason": reason_text(seat.reason) if seat.reason else None,
                }
                for seat in close.seats
            ],
        }
        return Question(close.sequence, CLOSE, json_bytes(turn))

    @property
    def _followed(self) -> Fold:
        assert self._fold is not None, "nobody is asked before the opening"
        return self._fold

    def _turn(self, owed: Owed, left_us: int) -> dict[str, Any]:
        fold = self._followed
        legal: tuple[Any, ...] = ()
        if owed.phase in DECISIONS:
            assert isinstance(fold.need, Decide)
            legal = fold.need.of(self._seat)
        turn = self._told(owed.asked, legal, left_us)
        if owed.phase == pb.PHASE_ENTROPY:
            turn["shuffle"] = fold.shuffle
        return turn

    def _told(self, asked: int, legal: tuple[Any, ...], left_us: int) -> dict[str, Any]:
        fold = self._followed
        return turn_json(Turn(fold.terms.game, fold.state, self._seat, legal, left_us, asked))


def _faces(shows: Sequence[bytes]) -> dict[int, dict[Slot, pb.Face]]:
    """The faces of private shows, by the number of the event that each belongs to."""
    made = (decode(pb.PrivateShow, parse_signed(show).body) for show in shows)
    return {
        show.sequence: {Slot(face.deck, face.position): face for face in show.faces}
        for show in made
    }
