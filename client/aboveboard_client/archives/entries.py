"""A match's events as the entries of a game record."""

from collections.abc import Iterator

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.game_record.record import (
    Dealt,
    Entry,
    Faced,
    Made,
    Out,
    Remark,
    Stopped,
)
from aboveboard_referee.games.contract import Slot
from aboveboard_referee.match.fold import Fold
from aboveboard_referee.match.result import phase_text


class UnknownDeck(Exception):
    """The records do not open a deck, so that nothing can be told of what lay in it."""

    def __init__(self, number: int) -> None:
        super().__init__(f"deck {number} was never opened")


class Entries:
    """Makes the entries of a match that ``fold`` follows, event by event."""

    def __init__(self, fold: Fold) -> None:
        self._fold = fold
        self._thoughts: dict[int, str] = {}  # by seat, of the move that it committed to

    def of(self, event: pb.Event) -> Iterator[Entry]:
        """What the newest event is to a game record, once the fold has taken it.

        Raises ``UnknownDeck`` where the fold does not know the referee's link of a deck.
        """
        match event.WhichOneof("payload"):
            case "answered":
                yield from self._answered(event)
            case "autopilot":
                yield Made(event.autopilot.seat, event.autopilot.text, "made by autopilot")
            case "deal_root":
                yield _dealt(self._fold, event)
            case "shown":
                yield Faced()
            case "seat_out":
                out = event.seat_out
                rule = out.rule or "its bot never came"
                waited = f"; {_times(out.timing)}" if out.timing.wait_us else ""
                yield Out(
                    out.seat, out.reason, f"in the {phase_text(out.phase)} phase: {rule}{waited}"
                )
            case "stopped":
                yield Stopped(event.stopped.reason, event.stopped.text)
            case "seat_lost":
                yield Remark(f"the connection of seat {event.seat_lost.seat} broke")
            case "seat_back":
                back = event.seat_back
                yield Remark(f"seat {back.seat} is back after {_ms(back.away_us)}")
            case "resumed":
                yield Remark(f"the referee goes on after {_ms(event.resumed.away_us)} away")

    def _answered(self, event: pb.Event) -> Iterator[Entry]:
        answer = decode(pb.Answer, parse_signed(event.answered.answer).body)
        timing = event.answered.timing
        # Games that play writes tell no times, so that their seed gives the same bytes again.
        timed = answer.thought_us or timing.wait_us
        told = f"thought {_ms(answer.thought_us)}, {_times(timing)}" if timed else ""
        match answer.WhichOneof("payload"):
            case "move":
                yield Made(answer.seat, answer.move.text, told)
            case "commitment":
                # What it thought about; the opening shows what came of it.
                self._thoughts[answer.seat] = told
            case "opening":
                yield Made(answer.seat, answer.opening.text, self._thoughts.pop(answer.seat, ""))


def _dealt(fold: Fold, event: pb.Event) -> Dealt:
    deck = event.shuffle
    faces = [fold.decks.face(Slot(deck, pos)) for pos in range(event.deal_root.cards)]
    known = tuple(fold.terms.game.card_text(face) for face in faces if face is not None)
    if len(known) < len(faces):
        raise UnknownDeck(deck)
    return Dealt(known)


def _times(timing: pb.Timing) -> str:
    """What the referee measured of an answer."""
    trip = f"round trip {_ms(timing.round_trip_us)}, " if timing.round_trip_us else ""
    return (
        f"wait {_ms(timing.wait_us)}, {trip}referee lag {_ms(timing.lag_us)}, "
        f"charged {_ms(timing.charged_us)}"
    )


def _ms(microseconds: int) -> str:
    if microseconds >= 10_000_000:
        return f"{microseconds / 1e6:.1f} s"
    return f"{microseconds / 1000:.1f} ms"
