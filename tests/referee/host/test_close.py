"""The close: asked of everybody who is there, and made in time without the others."""

from functools import partial

import pytest
import trio

from aboveboard_protos.bridge import memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.envelope import parse_signed
from tests.fakes.hosting import SWEEP, Match, play
from tests.fakes.robots import (
    REFEREE,
    Act,
    Robot,
    after,
    hang_up,
    nothing,
    opening,
    resign,
    sends,
    sign_close,
    up,
    vanish,
)

PROTOCOL = 5.0
"""Seconds that the clock of ``hosting`` gives for the signature."""


def closing(sign: Act, seat: int = 0, both: bool = False) -> tuple[Match, list[Robot], set[str]]:
    """A short match at whose end a seat does something else than to sign; who has signed."""
    terms = opening()
    robots = [Robot(terms, 0, instead=resign), Robot(terms, 1)]
    robots[seat].sign = sign
    if both:
        robots[1 - seat].sign = sign
    match = play(*robots)
    assert match.reasons == [pb.END_REASON_RESIGNED, pb.END_REASON_UNSPECIFIED]
    names = {REFEREE.public.raw: "referee"}
    names |= {robot.key.public.raw: f"seat {robot.seat}" for robot in robots}
    signed = parse_signed(match.records[-1])
    return match, robots, {names[signer] for signer, _ in signed.signatures}


@pytest.mark.parametrize("seat", [0, 1])
def test_a_signature_that_does_not_come_is_waited_for_no_longer_than_the_limit(seat: int) -> None:
    match, robots, signers = closing(nothing, seat)
    assert signers == {"referee", f"seat {1 - seat}"}
    assert match.seconds == pytest.approx(PROTOCOL, abs=SWEEP)
    assert [robot.ending for robot in robots] == ["in order", "in order"]


def test_a_close_that_no_seat_signs_stands_with_the_referees_signature() -> None:
    match, _, signers = closing(nothing, both=True)
    assert signers == {"referee"}
    assert match.seconds == pytest.approx(PROTOCOL, abs=SWEEP)


BAD = {
    "a bad signature": up(close_signature=bytes(64)),
    "a short signature": up(close_signature=b"\1"),
    "no frame": b"\xff",
    "an empty frame": b"",
    "too long a frame": bytes(9000),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_no_good_signature_costs_nothing_but_the_signature(what: str) -> None:
    match, robots, signers = closing(sends(BAD[what]))
    assert signers == {"referee", "seat 1"}
    assert match.seconds == 0
    assert robots[1].ending == "in order"


def test_a_signature_by_the_other_seat_is_none() -> None:
    terms = opening()
    other = Robot(terms, 1)

    async def others(robot: Robot) -> None:
        await trio.lowlevel.checkpoint()
        signature = other.key.sign(parse_signed(robot.close_data).pae)
        robot.stream.send(up(close_signature=signature))

    _, _, signers = closing(others)
    assert signers == {"referee", "seat 1"}


@pytest.mark.parametrize("leave", [hang_up, vanish])
def test_who_leaves_at_the_close_is_not_waited_for(leave: Act) -> None:
    match, _, signers = closing(leave)
    assert signers == {"referee", "seat 1"}
    assert match.seconds == 0


def test_a_signature_at_the_very_limit_counts() -> None:
    match, _, signers = closing(after(PROTOCOL - 0.01, sign_close))
    assert signers == {"referee", "seat 0", "seat 1"}
    assert match.seconds == PROTOCOL - 0.01


def test_a_signature_after_the_limit_is_not_waited_for() -> None:
    _, _, signers = closing(after(PROTOCOL + 0.1, sign_close))
    assert signers == {"referee", "seat 1"}


def test_answers_and_pings_at_the_close_do_not_stand_for_a_signature() -> None:
    async def chats(robot: Robot) -> None:
        robot.stream.send(up(answer=b"\xff"))
        robot.stream.send(up(ping=service.Ping(number=7)))
        robot.stream.send(up(pong=service.Ping(number=7)))
        await trio.sleep(1)
        await sign_close(robot)

    match, robots, signers = closing(chats)
    assert signers == {"referee", "seat 0", "seat 1"}
    assert [number for _, number in robots[0].pongs] == [7]
    assert match.seconds == 1


def test_a_signature_that_comes_twice_counts_once() -> None:
    async def twice(robot: Robot) -> None:
        await sign_close(robot)
        await sign_close(robot)

    _, _, signers = closing(twice)
    assert signers == {"referee", "seat 0", "seat 1"}


def test_a_seat_that_was_out_is_asked_to_sign_as_well() -> None:
    terms = opening()
    robots = [Robot(terms, 0, instead=nothing), Robot(terms, 1)]
    match = play(*robots)
    assert match.reasons[0] == pb.END_REASON_TIME_OUT
    assert len(parse_signed(match.records[-1]).signatures) == 3


def test_a_seat_that_was_late_has_a_second_to_sign() -> None:
    """It cost the other one its whole limit for a move already."""
    terms = opening()
    silent = Robot(terms, 0, instead=nothing)
    silent.sign = nothing
    match = play(silent, Robot(terms, 1))
    assert match.reasons[0] == pb.END_REASON_TIME_OUT
    assert len(parse_signed(match.records[-1]).signatures) == 2
    patient = play(Robot(terms, 0, instead=nothing), Robot(terms, 1))
    assert match.seconds - patient.seconds == pytest.approx(1.0, abs=2 * SWEEP)


def test_who_does_not_read_the_end_of_the_stream_is_dropped_a_second_later() -> None:
    terms = opening()
    deaf = Robot(terms, 0, instead=_resigns_and_is_deaf, pair=narrow_pair)
    match = play(deaf, Robot(terms, 1))
    assert deaf.ending == "closing it took too long"
    assert match.seconds == pytest.approx(PROTOCOL + 1, abs=SWEEP)


async def _resigns_and_is_deaf(robot: Robot) -> None:
    await resign(robot)
    await trio.sleep(60)


narrow_pair = partial(memory_pair, inbound_messages=1)
