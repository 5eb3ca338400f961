"""From the tickets to the opening: who comes, who does not, and who leaves again."""

import pytest

from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.host.frames import PROTOCOL
from tests.fakes.hosting import SWEEP, play
from tests.fakes.robots import Act, Robot, hang_up, opening, resign, sends, up, vanish

NO_SHOW = pb.END_REASON_NO_SHOW
RESIGNED = pb.END_REASON_RESIGNED
NONE = pb.END_REASON_UNSPECIFIED

EARLY = {
    "an answer": up(answer=b"\x08\x01"),
    "a signature on a close": up(close_signature=bytes(64)),
    "hello again": up(hello=service.Hello(protocol=PROTOCOL)),
    "no frame": b"\xff",
    "an empty frame": b"",
}


@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_that_does_not_come_loses_when_the_start_limit_is_over(seat: int) -> None:
    match = play(Robot(opening(start_us=20_000_000), 1 - seat))
    assert match.reasons[seat] == NO_SHOW
    assert match.half_points == [2 * (index != seat) for index in (0, 1)]
    assert match.seconds == pytest.approx(20, abs=SWEEP)


def test_where_nobody_comes_both_lose() -> None:
    match = play(terms=opening(start_us=5_000_000))
    assert match.reasons == [NO_SHOW, NO_SHOW]
    assert match.half_points == [0, 0]
    assert match.seconds == pytest.approx(5, abs=SWEEP)


def test_a_bot_may_come_until_the_last_moment() -> None:
    terms = opening(start_us=20_000_000)
    match = play(Robot(terms, 0, instead=resign, comes=19.99), Robot(terms, 1))
    assert match.reasons == [RESIGNED, NONE]


def test_a_bot_that_comes_after_the_start_limit_is_refused() -> None:
    terms = opening(start_us=20_000_000)
    late = Robot(terms, 0, comes=20.1)
    match = play(Robot(terms, 1), late)
    assert match.reasons == [NO_SHOW, NONE]
    assert late.refusal.text == "the match is over"


def test_a_match_begins_as_soon_as_both_have_come() -> None:
    terms = opening()
    match = play(Robot(terms, 0, instead=resign, comes=3), Robot(terms, 1, comes=7))
    assert match.seconds == 7


@pytest.mark.parametrize("leave", [hang_up, vanish])
def test_a_bot_that_left_before_the_opening_may_come_back(leave: Act) -> None:
    terms = opening()
    left = Robot(terms, 0, stays=1, leave=leave)
    again = Robot(terms, 0, comes=2, instead=resign)
    match = play(left, again, Robot(terms, 1, comes=3))
    assert match.reasons == [RESIGNED, NONE]
    assert not left.records


@pytest.mark.parametrize("leave", [hang_up, vanish])
def test_a_bot_that_left_before_the_opening_and_stays_away_is_a_no_show(leave: Act) -> None:
    terms = opening(start_us=20_000_000)
    match = play(Robot(terms, 0, stays=1, leave=leave), Robot(terms, 1, comes=2))
    assert match.reasons == [NO_SHOW, NONE]
    assert match.seconds == pytest.approx(20, abs=SWEEP)


@pytest.mark.parametrize("what", EARLY)
def test_a_frame_before_anything_was_asked_costs_the_connection_and_not_the_match(
    what: str,
) -> None:
    terms = opening()
    early = Robot(terms, 0, stays=1, leave=sends(EARLY[what]))
    again = Robot(terms, 0, comes=2, instead=resign)
    match = play(early, again, Robot(terms, 1, comes=3))
    assert early.ending == "nothing was asked yet"
    assert early.ended_at == 1
    assert match.reasons == [RESIGNED, NONE]


def test_a_flood_before_the_opening_costs_the_connection_and_not_the_match() -> None:
    terms = opening()
    flooder = Robot(terms, 0, stays=1, leave=sends(*[up(answer=b"x")] * 50))
    again = Robot(terms, 0, comes=2, instead=resign)
    match = play(flooder, again, Robot(terms, 1, comes=3))
    assert flooder.ending
    assert match.reasons == [RESIGNED, NONE]


def test_who_was_cut_off_before_the_opening_and_stays_away_is_no_player() -> None:
    terms = opening(start_us=20_000_000)
    match = play(Robot(terms, 0, stays=1, leave=sends(b"\xff")), Robot(terms, 1, comes=2))
    assert match.reasons == [NO_SHOW, NONE]
