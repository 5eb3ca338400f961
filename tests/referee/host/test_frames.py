"""Frames that are put together and taken apart by hand are those that protobuf makes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.host.frames import FRAME_LIMIT, plain_answer, read_frame, records_frame

LENGTHS = (0, 1, 126, 127, 128, 129, 130, 131, 300, 4096, 8188, 8189)
"""Around each length at which an answer's own length takes a byte more, and the limit."""

BODIES = st.lists(
    st.one_of(
        st.binary(max_size=6), st.sampled_from((127, 128, 16_383, 16_384, 70_000)).map(bytes)
    ),
    max_size=4,
)


def read(data: bytes) -> bytes | None:
    """The answer as the parser sees it."""
    try:
        frame = read_frame(data)
    except Refused:
        return None
    return frame.answer if frame.WhichOneof("frame") == "answer" else None


@settings(max_examples=200, deadline=None, derandomize=True)
@given(records=BODIES, shows=BODIES, past=st.booleans())
def test_a_frame_of_records_is_what_protobuf_makes_of_it(
    records: list[bytes], shows: list[bytes], past: bool
) -> None:
    wire = service.MatchDown(records=service.Records(records=records, shows=shows, past=past))
    assert records_frame(records, shows, past=past) == wire.SerializeToString(deterministic=True)


@pytest.mark.parametrize("length", LENGTHS)
def test_an_answer_of_any_length_is_taken_out_without_a_parser(length: int) -> None:
    data = service.MatchUp(answer=bytes(length)).SerializeToString()
    assert len(data) <= FRAME_LIMIT
    assert plain_answer(data) == read(data) == bytes(length)


def test_an_answer_too_long_for_a_frame_is_not_taken_out() -> None:
    data = service.MatchUp(answer=bytes(FRAME_LIMIT - 2)).SerializeToString()
    assert len(data) == FRAME_LIMIT + 1
    assert plain_answer(data) is None
    assert read(data) is None


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_frame_that_differs_from_an_answers_is_the_parsers(length: int, at: int) -> None:
    data = bytearray(service.MatchUp(answer=bytes(length)).SerializeToString() + b"\1")
    for byte in {0, 1, 0x1A, 0x7F, 0x80, 0x81, 0xFF, data[min(at, len(data) - 1)] ^ 4}:
        changed = bytes(data[:at]) + bytes((byte,)) + bytes(data[at + 1 :])
        for frame in (changed, changed[:-1], changed[: at + 1]):
            assert plain_answer(frame) == read(frame)


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        service.MatchUp(ping=service.Ping(number=7)).SerializeToString(),
        service.MatchUp(close_signature=bytes(64)).SerializeToString(),
        service.MatchUp(hello=service.Hello(match="m")).SerializeToString(),
    ],
    ids=["nothing", "a ping", "a signature", "a hello"],
)
def test_other_frames_have_no_answer_in_them(frame: bytes) -> None:
    assert plain_answer(frame) is None
