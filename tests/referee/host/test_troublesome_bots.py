"""What bots do to their connections: it costs them the match, and the other seat nothing."""

from functools import partial

import pytest
import trio

from aboveboard_protos.bridge import Rate, Stream, memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import encode
from aboveboard_referee.fairplay.envelope import sign, type_of
from aboveboard_referee.host.frames import PROTOCOL
from tests.fakes.hosting import play
from tests.fakes.keys import key
from tests.fakes.robots import (
    Act,
    Robot,
    answer,
    hang_up,
    hello,
    honest,
    opening,
    resign,
    sends,
    up,
    vanish,
)

NONE = pb.END_REASON_UNSPECIFIED
DISCONNECTED = pb.END_REASON_DISCONNECTED
MALFORMED = pb.END_REASON_MALFORMED_MESSAGE

PHASES = [pb.PHASE_ACCEPT, pb.PHASE_ENTROPY, pb.PHASE_COMMITMENT, pb.PHASE_OPENING, pb.PHASE_MOVE]
"""Those of Nebraska, which has them all."""


# --- Gone ----------------------------------------------------------------------------------


@pytest.mark.parametrize("leave", [hang_up, vanish])
@pytest.mark.parametrize("phase", PHASES, ids=pb.Phase.Name)
def test_a_bot_that_leaves_in_any_phase_loses_at_once(phase: "pb.Phase", leave: Act) -> None:
    terms = opening(game="nebraska:family")
    leaver = Robot(terms, 1, instead=leave, phase=phase)
    if phase == pb.PHASE_MOVE:
        # Whoever has won the bidding is asked alone, so whichever it is leaves.
        match = play(Robot(terms, 0, instead=leave, phase=phase), leaver)
    else:
        match = play(Robot(terms, 0), leaver)
    assert sorted(match.reasons) == [NONE, DISCONNECTED]
    assert sorted(match.half_points) == [0, 2]
    assert match.seconds == 0


def test_where_both_leave_both_lose() -> None:
    terms = opening()
    match = play(*[Robot(terms, seat, instead=vanish) for seat in (0, 1)])
    assert match.reasons == [DISCONNECTED, DISCONNECTED]
    assert match.half_points == [0, 0]


def test_a_bot_that_leaves_while_it_owes_nothing_loses_as_well() -> None:
    terms = opening()

    async def answers_and_leaves(robot: Robot) -> None:
        await answer(robot)
        await trio.sleep(1)
        await vanish(robot)

    match = play(Robot(terms, 0, thinks=5), Robot(terms, 1, instead=answers_and_leaves))
    assert match.reasons == [NONE, DISCONNECTED]
    assert match.out.phase == pb.PHASE_UNSPECIFIED
    assert match.seconds == 5  # seat 0 is asked already, and its answer is waited for


# --- Frames that are none, or not now --------------------------------------------------------

BAD_FRAMES = {
    "no frame": b"GET / HTTP/1.1",
    "nothing": b"",
    "an empty answer": up(answer=b""),
    "an answer of rubbish": up(answer=b"\xff" * 100),
    "a long answer": up(answer=b"\x0a" * 5000),
    "a frame that is too long": up(answer=bytes(9000)),
    "a frame with something behind it": up(ping=service.Ping(number=1)) + b"\x38\x01",
    "hello": hello(opening(), 0),
    "another entrance": up(entrance=service.Entrance(have=3)),
    "a signature on no close": up(close_signature=bytes(64)),
    "a message of the control stream": service.ControlUp(
        join=service.Join(protocol=PROTOCOL, login=b"x")
    ).SerializeToString(),
}


@pytest.mark.parametrize("what", BAD_FRAMES)
def test_a_malformed_frame_loses_the_match(what: str) -> None:
    terms = opening()
    match = play(Robot(terms, 0, instead=sends(BAD_FRAMES[what])), Robot(terms, 1))
    assert match.reasons == [MALFORMED, NONE]
    assert match.out.rule
    assert len(match.out.evidence) <= 4097
    assert match.seconds == 0


def test_a_signed_answer_that_is_sent_bare_is_no_frame() -> None:
    terms = opening()

    async def bare(robot: Robot) -> None:
        robot.stream.send(await honest(robot))

    match = play(Robot(terms, 0, instead=bare), Robot(terms, 1))
    assert match.reasons == [MALFORMED, NONE]
    assert match.out.evidence[:1] == b"\0"


def test_an_answer_by_another_key_loses_by_its_signature() -> None:
    terms = opening()

    async def forged(robot: Robot) -> None:
        owed = robot.player.owed
        assert owed is not None
        body = pb.Answer(
            match=robot.player.fold.terms.head0,
            seat=robot.seat,
            asked=owed.asked,
            head=owed.head,
            move=pb.Move(text="go"),
        )
        data = sign(type_of("answer"), encode(body), key("stranger")).to_bytes()
        robot.stream.send(up(answer=data))
        await trio.lowlevel.checkpoint()

    match = play(Robot(terms, 0, instead=forged), Robot(terms, 1))
    assert match.reasons == [pb.END_REASON_BAD_SIGNATURE, NONE]


def test_an_answer_that_nobody_asked_for_loses_the_match() -> None:
    terms = opening()

    async def twice(robot: Robot) -> None:
        await answer(robot)
        robot.stream.send(up(answer=robot.player.resign()))

    match = play(Robot(terms, 0, thinks=5), Robot(terms, 1, instead=twice))
    assert match.reasons == [NONE, MALFORMED]
    assert match.out.rule == "nothing was asked of this seat"


def test_a_pong_is_no_trouble() -> None:
    terms = opening()

    async def pongs(robot: Robot) -> None:
        robot.stream.send(up(pong=service.Ping(number=1)))
        await resign(robot)

    match = play(Robot(terms, 0, instead=pongs), Robot(terms, 1))
    assert match.reasons == [pb.END_REASON_RESIGNED, NONE]


# --- Floods, and bots that do not read -------------------------------------------------------


@pytest.mark.parametrize("frames", [8, 60])
def test_a_flood_costs_the_connection(frames: int) -> None:
    terms = opening()
    ping = up(ping=service.Ping(number=1))
    flooder = Robot(terms, 0, instead=sends(*[ping] * frames))
    match = play(flooder, Robot(terms, 1))
    assert match.reasons == [DISCONNECTED, NONE]
    assert flooder.ending == "too many messages that were not asked for"
    assert match.seconds == 0


def test_a_stream_that_is_cut_off_for_its_rate_has_lost_its_connection() -> None:
    terms = opening()
    ping = up(ping=service.Ping(number=1))
    narrow = partial(memory_pair, rate=Rate(frames=3, bytes=10**6))
    flooder = Robot(terms, 0, instead=sends(*[ping] * 6), pair=narrow)
    match = play(flooder, Robot(terms, 1))
    assert match.reasons == [DISCONNECTED, NONE]
    assert flooder.ending == "it sends more than 3 frames or 1000000 bytes a second"


def test_a_few_pings_at_once_are_no_flood() -> None:
    terms = opening()
    pings = [up(ping=service.Ping(number=number)) for number in range(1, 7)]

    async def pings_and_resigns(robot: Robot) -> None:
        await sends(*pings)(robot)
        await trio.sleep(1)
        await resign(robot)

    robot = Robot(terms, 0, instead=pings_and_resigns)
    match = play(robot, Robot(terms, 1))
    assert match.reasons == [pb.END_REASON_RESIGNED, NONE]
    assert [number for _, number in robot.pongs] == [1, 2, 3, 4, 5, 6]


def test_a_flood_in_mid_match_does_not_delay_the_other_seat() -> None:
    terms = opening()

    async def floods(robot: Robot) -> None:
        for _ in range(2000):
            robot.stream.send(up(ping=service.Ping(number=1)))
            await trio.lowlevel.checkpoint()

    other = Robot(terms, 1, thinks=2)
    match = play(Robot(terms, 0, instead=floods, after=1), other)
    assert match.reasons[0] != NONE
    assert match.half_points == [0, 2]
    assert match.seconds <= 2 * sum(other.answered.values())


def narrow_pair() -> tuple[Stream, Stream]:
    return memory_pair(inbound_messages=1, outbound_messages=4)


def test_a_bot_that_does_not_read_loses_its_connection_and_the_other_seat_no_time() -> None:
    terms = opening(move_us=600_000_000, bank_us=0)

    async def deaf(robot: Robot) -> None:
        """Answers what it has heard of, and pings; reads nothing any more."""
        await answer(robot)
        for _ in range(20):
            await trio.sleep(1)
            robot.stream.send(up(ping=service.Ping(number=1)))

    robot = Robot(terms, 0, instead=deaf, pair=narrow_pair)
    other = Robot(terms, 1, thinks=30)
    match = play(robot, other)
    assert match.reasons == [DISCONNECTED, NONE]
    assert robot.ending == "it does not read what it is sent"
    assert match.seconds == 30
    assert [time for time, _ in other.got][-1] == 30
