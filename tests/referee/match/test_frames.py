"""What a seat sends that is no frame of its stream, or too long to be read."""

from collections.abc import Callable

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from tests.fakes.bad_answers import STANDS, own_key
from tests.fakes.forging import edited, follow
from tests.fakes.keys import key, secret
from tests.fakes.scripted import Script, event_of

MALFORMED = pb.END_REASON_MALFORMED_MESSAGE


@pytest.mark.parametrize("stand", STANDS)
@pytest.mark.parametrize(
    "frame",
    [
        lambda script: b"",
        lambda script: secret("noise"),
        lambda script: bytes(10_000),
        lambda script: script.honest(0),
        lambda script: script.players[0].resign(),
        lambda script: edited(script.honest(0), lambda _: None, key("another")),
        lambda script: script.inputs[0][1] if script.inputs else b"",
        lambda script: script.records[0],
    ],
    ids=[
        "nothing",
        "noise",
        "10,000 bytes",
        "a good answer",
        "a resignation",
        "an answer by another key",
        "an answer that was accepted",
        "the opening",
    ],
)
def test_what_is_no_frame_is_malformed_whatever_is_in_it(
    stand: str, frame: Callable[[Script], bytes]
) -> None:
    script = STANDS[stand]()
    data = frame(script)
    out = event_of(script.garbage(0, data)[0]).seat_out
    assert (out.seat, out.reason) == (0, MALFORMED)
    assert out.evidence == (b"\0" + data)[:4097]
    assert not script.refusals
    script.play()
    assert [seat.half_points for seat in script.finish().seats] == [0, 2]
    follow(script.records)


def test_no_frame_of_a_seat_that_owes_nothing_is_malformed_too() -> None:
    script = STANDS["move"]()
    answer = script.honest(1)
    script.send(1, answer)
    out = event_of(script.garbage(1, answer)[0]).seat_out
    assert (out.seat, out.reason, out.phase) == (1, MALFORMED, pb.PHASE_UNSPECIFIED)
    assert not script.refusals


def test_a_long_message_is_malformed_even_if_its_beginning_is_a_whole_answer() -> None:
    script = STANDS["move"]()
    honest = script.honest(0)
    beginning, text = honest, "x" * 3_700
    while len(beginning) < 4_096:
        text += "x"
        padded = pb.Move(text=text)
        beginning = edited(honest, lambda a: a.move.CopyFrom(padded), own_key(script, 0))  # noqa: B023 - called at once
    assert len(beginning) == 4_096
    out = event_of(script.send(0, beginning + b"\0" * 900)[0]).seat_out
    assert (out.reason, out.evidence) == (MALFORMED, beginning + b"\0")
    assert not script.refusals


def test_nothing_more_is_kept_of_a_seat_that_is_out_or_after_the_end() -> None:
    script = STANDS["move"]()
    script.garbage(0, b"")
    assert script.garbage(0, b"") == ()
    script.play()
    assert script.garbage(1, b"") == ()
