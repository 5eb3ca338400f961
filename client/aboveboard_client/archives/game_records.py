"""Matches as game records, out of the signed records that a transcript has.

The two are not to be confused: what a referee signed is the proof, a game record is plain
text for people.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType

from aboveboard_client.archives.following import Following
from aboveboard_client.archives.reading import Reading, records
from aboveboard_client.errors import VerdictAgainst, WrongUse
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import Signed, parse_signed
from aboveboard_referee.game_record.record import (
    Dealt,
    Entry,
    Faced,
    GameRecord,
    Made,
    Out,
    Remark,
    Stopped,
)
from aboveboard_referee.games.contract import Slot
from aboveboard_referee.match.deviation import Deviation
from aboveboard_referee.match.fold import EVENT, Fold
from aboveboard_referee.verify.blame import blamed


class UnknownDeck(Exception):
    """The records do not open a deck, so that nothing can be told of what lay in it."""

    def __init__(self, number: int) -> None:
        super().__init__(f"deck {number} was never opened")


class Making:
    """A game record as far as a match's records could be followed.

    ``take_all`` raises ``Deviation`` or ``UnknownDeck`` where they cannot be any further;
    ``record`` has what came before.
    """

    def __init__(
        self,
        signed: Sequence[Signed],
        names: Sequence[str] = (),
        about: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._following = Following(signed)
        self._entries: list[Entry] = []
        self._thoughts: dict[int, str] = {}  # by seat, of the move that it committed to
        wire = self._following.terms.wire
        self._names = tuple(names) or tuple(f"seat {seat}" for seat in range(len(wire.seats)))
        self._about = {**about, "Match": wire.match, "Attempt": str(wire.attempt)}
        if wire.time_us:
            day = datetime.fromtimestamp(wire.time_us / 1e6, UTC)
            self._about["Date"] = day.strftime("%Y.%m.%d")

    @property
    def record(self) -> GameRecord:
        game = self._following.terms.game
        return GameRecord(game, self._names, tuple(self._entries), dict(self._about))

    def take_all(self) -> GameRecord:
        """Follow all records; the whole game."""
        for event in self._following.events():
            self._entries.extend(self._entries_of(self._following.fold, event))
        return self.record

    def _entries_of(self, fold: Fold, event: pb.Event) -> Iterator[Entry]:
        match event.WhichOneof("payload"):
            case "answered":
                yield from self._answered(event)
            case "autopilot":
                yield Made(event.autopilot.seat, event.autopilot.text, "made by autopilot")
            case "deal_root":
                yield _dealt(fold, event)
            case "shown":
                yield Faced()
            case "seat_out":
                out = event.seat_out
                phase = pb.Phase.Name(out.phase).removeprefix("PHASE_").lower()
                rule = out.rule or "its bot never came"
                waited = f"; {times(out.timing)}" if out.timing.wait_us else ""
                yield Out(out.seat, out.reason, f"in the {phase} phase: {rule}{waited}")
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
        told = f"thought {_ms(answer.thought_us)}, {times(timing)}" if timed else ""
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


def times(timing: pb.Timing) -> str:
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


# --- Whole files ----------------------------------------------------------------------------


def record_of_transcript(
    path: str,
    data: bytes,
    names: Sequence[str] = (),
    about: Mapping[str, str] = MappingProxyType({}),
) -> GameRecord:
    """The game of a finished match's transcript.

    Raises ``WrongUse`` for what is none or has no end, and ``VerdictAgainst`` for records
    that do not follow from each other.
    """
    signed = records(path, data)
    if signed[-1].type == EVENT:
        raise WrongUse(f"{path}: the match is not over, and a game record needs its result")
    try:
        return Making(signed, names, about).take_all()
    except Deviation as deviation:
        raise VerdictAgainst(f"{path}: {blamed(deviation, data)}") from deviation
    except UnknownDeck as error:
        raise VerdictAgainst(f"{path}: {error}") from error


def records_of_archive(reading: Reading, match: str | None = None) -> Iterator[GameRecord]:
    """The games of a tournament, in order; or the one of a match."""
    for number, name in reading.matches() if match is None else [(reading.round_of(match), match)]:
        if match is None and not reading.last_attempt(name):
            continue
        players = reading.players(name)
        path, data = reading.transcript(name)
        yield record_of_transcript(path, data, players, about_match(reading, number))


def about_match(reading: Reading, round_number: int) -> dict[str, str]:
    """The tags that a tournament has for its matches."""
    tags = {"Event": reading.manifest.title}
    return {**tags, "Round": str(round_number)} if round_number else tags
