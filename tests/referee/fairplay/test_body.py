"""The strict body profile on real bodies, whose bytes are written here without protobuf."""

import pytest
from google.protobuf import struct_pb2, type_pb2, wrappers_pb2
from google.protobuf.message import Message

from aboveboard_protos.v1 import bodies_pb2, signed_pb2
from aboveboard_referee.fairplay.body import Refused, decode, encode

HASH = b"\xaa" * 32


def varint(n: int) -> bytes:
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def num(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)


def lpf(number: int, *parts: bytes) -> bytes:
    """A length-prefixed field: bytes, text, a message or a packed list."""
    value = b"".join(parts)
    return varint(number << 3 | 2) + varint(len(value)) + value


def answered(timing: bytes) -> bytes:
    """An Event with an answer and these bytes as its timing."""
    return (
        lpf(1, HASH) + num(2, 300) + num(5, 5_000_000) + lpf(6, lpf(1, b"signed"), lpf(2, timing))
    )


def refusal(cls: type[Message], body: bytes) -> str:
    with pytest.raises(Refused) as caught:
        decode(cls, body)
    assert str(caught.value) == caught.value.rule
    return caught.value.rule


NOT_CANONICAL = "not the canonical encoding"

# --- Bodies that are right ----------------------------------------------------------------

EVENT = answered(num(1, 1) + num(4, 2))
OPEN = (
    lpf(1, HASH)
    + lpf(2, b"r1-b1")
    + num(3, 1)
    + lpf(4, lpf(1, b"cribbage"), num(2, 1), lpf(3, lpf(1, b"target"), num(2, 242)))
    + lpf(5, lpf(2, HASH))
    + lpf(5, num(1, 1), lpf(2, HASH))
    + num(6, 1)
    + num(7, 1)
    + lpf(8, num(1, 1_000_000))
)
PAIRINGS = lpf(1, HASH) + num(2, 1) + lpf(4, lpf(1, b"m"), lpf(2, b"\x00\x07")) + lpf(5, b"\x03")


def test_an_event_is_read_from_its_bytes_and_written_to_them() -> None:
    event = decode(bodies_pb2.Event, EVENT)
    assert (event.match, event.sequence, event.time_us) == (HASH, 300, 5_000_000)
    assert event.answered.answer == b"signed"
    assert (event.answered.timing.wait_us, event.answered.timing.charged_us) == (1, 2)
    assert encode(event) == EVENT


def test_a_match_open_is_read_from_its_bytes_and_written_to_them() -> None:
    opened = decode(bodies_pb2.MatchOpen, OPEN)
    assert opened.game.rules[0].number == 121
    assert [seat.entrant for seat in opened.seats] == [0, 1]
    assert opened.clock.move_us == 1_000_000
    assert encode(opened) == OPEN


def test_packed_lists_are_read_from_their_bytes_and_written_to_them() -> None:
    pairings = decode(bodies_pb2.Pairings, PAIRINGS)
    assert list(pairings.pairings[0].entrants) == [0, 7]
    assert list(pairings.byes) == [3]
    assert encode(pairings) == PAIRINGS


def test_an_empty_body_is_a_message_of_defaults() -> None:
    assert decode(bodies_pb2.Event, b"") == bodies_pb2.Event()
    assert encode(bodies_pb2.Event()) == b""


def test_an_empty_payload_tells_which_payload_it_is() -> None:
    body = lpf(1, HASH) + lpf(11)
    assert decode(bodies_pb2.Answer, body).WhichOneof("payload") == "resignation"


def test_empty_elements_of_a_list_are_elements() -> None:
    body = lpf(2, b"") + lpf(2, b"x")
    assert list(decode(bodies_pb2.EntriesClosed, body).entries) == [b"", b"x"]


# --- Bodies that are refused --------------------------------------------------------------

EXTRA = num(99, 1)
Cases = dict[str, tuple[type[Message], bytes]]

UNKNOWN_FIELDS: Cases = {
    "top": (bodies_pb2.Event, EVENT + EXTRA),
    "top-text": (bodies_pb2.Event, EVENT + lpf(99, b"x")),
    "top-fixed": (bodies_pb2.Event, EVENT + varint(99 << 3 | 1) + bytes(8)),
    "top-group": (bodies_pb2.Event, EVENT + varint(99 << 3 | 3) + varint(99 << 3 | 4)),
    "alone": (bodies_pb2.Event, EXTRA),
    "in-empty-message": (bodies_pb2.Answer, lpf(11, EXTRA)),
    "depth-2": (bodies_pb2.Event, lpf(6, lpf(1, b"signed"), EXTRA)),
    "depth-3": (bodies_pb2.Event, answered(num(1, 1) + EXTRA)),
    "depth-4": (bodies_pb2.Event, lpf(8, lpf(1, num(1, 1), lpf(4, num(1, 1), EXTRA)))),
    "first-of-list": (bodies_pb2.MatchOpen, lpf(5, num(1, 1), EXTRA) + lpf(5, num(1, 1))),
    "last-of-list": (bodies_pb2.MatchOpen, lpf(5, num(1, 1)) + lpf(5, num(1, 1), EXTRA)),
    "list-in-message": (bodies_pb2.MatchOpen, lpf(4, lpf(3, lpf(1, b"target"), EXTRA))),
    "signature": (signed_pb2.Signed, lpf(3, lpf(1, HASH), EXTRA)),
}

OTHER_ENCODINGS: Cases = {
    "long-value": (bodies_pb2.Event, lpf(1, HASH) + b"\x10\x85\x00"),
    "long-tag": (bodies_pb2.Event, lpf(1, HASH) + b"\x90\x00\x05"),
    "long-length": (bodies_pb2.Event, b"\x0a\xa0\x00" + HASH),
    "long-value-below": (bodies_pb2.Event, answered(b"\x08\x85\x00")),
    "long-length-below": (bodies_pb2.Event, lpf(6, b"\x0a\x81\x00x")),
    "long-packed-value": (bodies_pb2.Pairings, lpf(5, b"\x83\x00")),
    "too-large-for-uint32": (bodies_pb2.Event, num(2, 1 << 32 | 5)),
    "boolean-2": (bodies_pb2.Entry, num(4, 2)),
    "twice": (bodies_pb2.Event, num(2, 5) + num(2, 5)),
    "twice-other": (bodies_pb2.Event, num(2, 4) + num(2, 5)),
    "twice-below": (bodies_pb2.Event, answered(num(1, 5) + num(1, 5))),
    "message-twice": (bodies_pb2.MatchOpen, lpf(8, num(1, 1)) + lpf(8, num(2, 1))),
    "two-payloads": (bodies_pb2.Answer, lpf(8, lpf(1, b"go")) + lpf(11)),
    "order": (bodies_pb2.Event, num(2, 5) + lpf(1, HASH)),
    "order-below": (bodies_pb2.Event, answered(num(2, 5) + num(1, 5))),
    "order-of-payload": (bodies_pb2.Event, lpf(6, lpf(1, b"x")) + num(2, 5)),
    "split-list": (bodies_pb2.MatchOpen, lpf(5, num(1, 1)) + num(6, 1) + lpf(5, num(1, 1))),
    "unpacked": (bodies_pb2.Pairings, num(5, 3)),
    "unpacked-below": (bodies_pb2.Pairings, lpf(4, num(2, 0) + num(2, 7))),
    "packed-twice": (bodies_pb2.Pairings, lpf(5, b"\x03") + lpf(5, b"\x04")),
    "packed-empty": (bodies_pb2.Pairings, lpf(5)),
    "default-number": (bodies_pb2.Event, num(2, 0)),
    "default-bytes": (bodies_pb2.Event, lpf(1)),
    "default-text": (bodies_pb2.Entry, lpf(2)),
    "default-boolean": (bodies_pb2.Entry, num(4, 0)),
    "default-enum": (bodies_pb2.MatchOpen, num(6, 0)),
    "default-below": (bodies_pb2.Event, answered(num(1, 0))),
    "other-wire-type": (bodies_pb2.Event, lpf(2, b"\x05")),
}

NO_MESSAGE: Cases = {
    "cut-tag": (bodies_pb2.Event, b"\x80"),
    "cut-value": (bodies_pb2.Event, b"\x10\x80"),
    "cut-length": (bodies_pb2.Event, b"\x0a"),
    "cut-bytes": (bodies_pb2.Event, EVENT[:-1]),
    "cut-below": (bodies_pb2.Event, lpf(6, b"\x0a\x05abc")),
    "length-beyond": (bodies_pb2.Event, b"\x0a\xff\xff\xff\xff\x0f"),
    "eleven-byte-varint": (bodies_pb2.Event, b"\x10" + b"\x80" * 10 + b"\x01"),
    "field-0": (bodies_pb2.Event, b"\x00\x01"),
    "wire-type-6": (bodies_pb2.Event, b"\x0e"),
    "end-of-no-group": (bodies_pb2.Event, b"\x0c"),
    "open-group": (bodies_pb2.Event, varint(99 << 3 | 3)),
    "deep-groups": (bodies_pb2.Event, varint(99 << 3 | 3) * 10_000),
    "bad-utf8": (bodies_pb2.Entry, lpf(2, b"\xff")),
    "overlong-utf8": (bodies_pb2.Entry, lpf(2, b"\xc0\x80")),
    "surrogate-utf8": (bodies_pb2.Entry, lpf(2, b"\xed\xa0\x80")),
    "bad-utf8-below": (bodies_pb2.Answer, lpf(8, lpf(1, b"\x80"))),
    "bad-utf8-in-list": (bodies_pb2.TournamentManifest, lpf(12, b"wins") + lpf(12, b"\xff")),
    "text": (bodies_pb2.Event, b"hello"),
}

UNKNOWN_VALUES: dict[str, tuple[type[Message], bytes, str]] = {
    "top": (bodies_pb2.MatchOpen, num(6, 3), "MatchOpen.first"),
    "second-of-two": (bodies_pb2.MatchOpen, num(6, 1) + num(7, 9), "MatchOpen.tier"),
    "negative": (bodies_pb2.MatchOpen, num(6, (1 << 64) - 1), "MatchOpen.first"),
    "gap": (bodies_pb2.MatchClose, num(2, 2), "MatchClose.reason"),
    "in-payload": (bodies_pb2.Event, lpf(10, num(2, 99)), "SeatOut.reason"),
    "in-other-payload": (bodies_pb2.Event, lpf(11, num(1, 99)), "Stopped.reason"),
    "in-list": (bodies_pb2.MatchClose, lpf(3, num(4, 1)) + lpf(3, num(4, 99)), "SeatResult.reason"),
}


@pytest.mark.parametrize("case", UNKNOWN_FIELDS)
def test_an_unknown_field_is_refused_at_any_depth(case: str) -> None:
    assert NOT_CANONICAL in refusal(*UNKNOWN_FIELDS[case])


@pytest.mark.parametrize("case", OTHER_ENCODINGS)
def test_another_encoding_of_a_message_is_refused(case: str) -> None:
    cls, body = OTHER_ENCODINGS[case]
    cls.FromString(body)  # a lax reader takes it
    assert NOT_CANONICAL in refusal(cls, body)


@pytest.mark.parametrize("case", NO_MESSAGE)
def test_bytes_that_are_no_such_message_are_refused(case: str) -> None:
    cls, body = NO_MESSAGE[case]
    assert refusal(cls, body) == f"the body is no {cls.DESCRIPTOR.name}"


@pytest.mark.parametrize("case", UNKNOWN_VALUES)
def test_an_unknown_enum_value_is_refused_at_any_depth(case: str) -> None:
    cls, body, place = UNKNOWN_VALUES[case]
    assert cls.FromString(body).SerializeToString(deterministic=True) == body
    assert refusal(cls, body) == f"{place} holds an unknown value"


def test_a_body_over_its_limit_is_refused_before_it_is_parsed() -> None:
    assert decode(bodies_pb2.Event, EVENT, limit=len(EVENT)).sequence == 300
    with pytest.raises(Refused, match="more than"):
        decode(bodies_pb2.Event, EVENT, limit=len(EVENT) - 1)
    assert "1048577 bytes, more than 1048576" in refusal(bodies_pb2.Event, b"\xff" * (2**20 + 1))


def test_nothing_is_written_that_a_reader_refuses() -> None:
    hidden = bodies_pb2.Event.FromString(answered(EXTRA))
    with pytest.raises(Refused, match=NOT_CANONICAL):
        encode(hidden)
    with pytest.raises(Refused, match="unknown value"):
        encode(bodies_pb2.MatchClose(reason=99))  # type: ignore[arg-type]  # what is tested
    with pytest.raises(Refused, match="more than 5"):
        encode(decode(bodies_pb2.Event, EVENT), limit=5)


@pytest.mark.parametrize(
    "cls", [struct_pb2.Struct, type_pb2.Option, wrappers_pb2.DoubleValue, wrappers_pb2.FloatValue]
)
def test_a_schema_with_maps_floats_or_any_is_no_schema_of_bodies(cls: type[Message]) -> None:
    with pytest.raises(TypeError, match="bodies do not have"):
        decode(cls, b"")
