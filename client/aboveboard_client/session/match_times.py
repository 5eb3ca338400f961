"""Where the time of a seat's answers went, as the referee's records say."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed, type_of
from aboveboard_referee.match.result import phase_text

_EVENT = type_of("event")
_PHASES = {
    "accept": "accept",
    "entropy": "entropy",
    "move": "move",
    "commitment": "sealed move",
    "opening": "open",
}
_DECISIONS = ("move", "sealed move")


@dataclass(frozen=True)
class AnswerTime:
    """One answer of a seat, or the wait for one that did not come; all in microseconds.

    ``wait_us`` is the referee's measure from the question to the answer. Of that the bot took
    ``think_us`` by its own, and ``network_us`` is the rest: the way there and back, and
    whatever else either machine did meanwhile; both are None where no answer came, since
    then nobody knows which of the two it was. ``referee_us`` is how late the referee was with
    its own work about then, as it says itself. ``charged_us`` went off the clock, of which
    there was ``left_us`` before.
    """

    asked: int
    phase: str
    answer: str  # the move's notation, where it is open
    wait_us: int
    think_us: int | None
    network_us: int | None
    referee_us: int
    round_trip_us: int
    charged_us: int
    left_us: int

    @property
    def is_decision(self) -> bool:
        """Whether the bot was asked, and not what plays for it."""
        return self.phase in _DECISIONS

    def as_row(self) -> dict[str, Any]:
        """By the columns' names."""
        return asdict(self)


COLUMNS = tuple(AnswerTime.__dataclass_fields__)


def times_of(records: Sequence[bytes], seat: int) -> list[AnswerTime]:
    """Of each answer of a seat, in order, by the records of its match, which were checked."""
    return list(_times(records, seat))


def _times(records: Sequence[bytes], seat: int) -> Iterator[AnswerTime]:
    for record in records[1:]:
        signed = parse_signed(record)
        if signed.type != _EVENT:
            continue
        event = decode(pb.Event, signed.body)
        if event.HasField("answered"):
            answer = decode(pb.Answer, parse_signed(event.answered.answer).body)
            if answer.seat == seat:
                kind = answer.WhichOneof("payload") or ""
                said = answer.move.text if kind == "move" else ""
                said = said or (answer.opening.text if kind == "opening" else "")
                yield _of(
                    answer.asked,
                    _PHASES.get(kind, kind),
                    said,
                    event.answered.timing,
                    answer.thought_us,
                )
        elif event.HasField("seat_out") and event.seat_out.seat == seat:
            out = event.seat_out
            phase = phase_text(out.phase)
            yield _of(out.asked, _PHASES.get(phase, phase), "", out.timing, None)


def _of(asked: int, phase: str, answer: str, timing: pb.Timing, think_us: int | None) -> AnswerTime:
    return AnswerTime(
        asked=asked,
        phase=phase,
        answer=answer,
        wait_us=timing.wait_us,
        think_us=think_us,
        network_us=None if think_us is None else max(0, timing.wait_us - think_us),
        referee_us=timing.lag_us,
        round_trip_us=timing.round_trip_us,
        charged_us=timing.charged_us,
        left_us=timing.left_us,
    )


def summary_of(times: Sequence[AnswerTime]) -> str:
    """The mean and the worst of a match's decisions, in a line; nothing if there was none."""
    asked = [time for time in times if time.is_decision]
    if not asked:
        return ""
    parts = [
        f"{name} {_ms(sum(values) / len(values))} ({_ms(max(values))})"
        for name, values in (
            ("think", [time.think_us for time in asked if time.think_us is not None]),
            ("network", [time.network_us for time in asked if time.network_us is not None]),
            ("referee", [time.referee_us for time in asked]),
            ("charged", [time.charged_us for time in asked]),
        )
        if values
    ]
    without = sum(time.think_us is None for time in asked)
    return (
        f"{len(asked)} move{'s' * (len(asked) > 1)}, ms on average (worst): {', '.join(parts)}"
        + f"; {without} without an answer" * bool(without)
    )


def _ms(us: float) -> str:
    return f"{us / 1000:.1f}"
