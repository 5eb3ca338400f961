"""What of an end's record goes to owners: the reason, and of what a referee says the beginning."""

from typing import Any

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_server.store.ends import LONGEST, Out, out_in
from tests.fakes.keys import key
from tests.fakes.leaves import signed


def out_of(**payload: Any) -> Out | None:
    event = pb.Event(match=bytes(32), sequence=5, **payload)
    return out_in(signed("event", event, key("referee")))


def test_a_seat_that_went_out_is_told_with_what_it_owed() -> None:
    seat = pb.SeatOut(seat=1, phase=pb.PHASE_MOVE, asked=4, rule="10 s had passed")
    seat.timing.wait_us = 10_000_000
    assert out_of(seat_out=seat) == Out(1, "move", 4, 10_000_000, "10 s had passed")


def test_a_seat_whose_connection_was_gone_is_told_for_how_long() -> None:
    out = out_of(seat_out=pb.SeatOut(away_us=15_200_000, rule="so it is out"))
    assert out is not None
    assert out.text == "its connection was gone for 15.2 s; so it is out"


def test_of_a_long_text_the_beginning_is_kept() -> None:
    for out in (
        out_of(seat_out=pb.SeatOut(rule="x" * 1_000)),
        out_of(stopped=pb.Stopped(text="x" * 1_000)),
    ):
        assert out is not None
        assert out.text == "x" * LONGEST


def test_what_is_no_end_is_none() -> None:
    assert out_of() is None
    assert out_of(shuffle=3) is None
