"""Why matches ended before they were played out, as the events of their records say."""

from dataclasses import dataclass

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.result import phase_text

LONGEST = 300
"""Most characters of what a referee says of an end."""

_SEAT_OUT = pb.Event.DESCRIPTOR.fields_by_name["seat_out"].number
_STOPPED = pb.Event.DESCRIPTOR.fields_by_name["stopped"].number
_FIRST_PAYLOAD = pb.Event.DESCRIPTOR.oneofs_by_name["payload"].fields[0].number


@dataclass(frozen=True, slots=True)
class Out:
    """A seat that went out, or with the seat ``None`` the service that could not go on."""

    seat: int | None
    phase: str  # what was owed, such as "move"; empty: nothing
    asked: int
    wait_us: int
    text: str


def out_in(record: bytes) -> Out | None:
    """What an event's record says of an end, if it is of one. Most are not, and not decoded."""
    if _payload(record) not in (_SEAT_OUT, _STOPPED):
        return None
    event = decode(pb.Event, parse_signed(record).body)
    if event.HasField("stopped"):
        return Out(None, "", 0, 0, event.stopped.text[:LONGEST])
    out = event.seat_out
    text = out.rule
    if out.away_us:
        text = f"its connection was gone for {out.away_us / 1e6:.1f} s" + (text and f"; {text}")
    phase = phase_text(out.phase) if out.phase else ""
    return Out(out.seat, phase, out.asked, out.timing.wait_us, text[:LONGEST])


def _payload(record: bytes) -> int:
    """The number of the field of an event that says what happened, found without a parser."""
    at = 2 + record[1] + 1  # behind the type of the envelope, and the tag of its body
    _, at = _varint(record, at)
    end = len(record)
    # A server that starts does so for every record that it has: most numbers are of one byte,
    # and of those that say nothing here only the length counts.
    while at < end:
        tag, at = (record[at], at + 1) if record[at] < 0x80 else _varint(record, at)
        if tag >> 3 >= _FIRST_PAYLOAD:
            return tag >> 3
        if tag & 7 == 2:
            length, at = (record[at], at + 1) if record[at] < 0x80 else _varint(record, at)
            at += length
        else:
            while record[at] >= 0x80:
                at += 1
            at += 1
    return 0


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while data[at] >= 0x80:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return value | data[at] << shift, at + 1
