"""Who may take a seat, and what everybody else is told."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import trio

from aboveboard_protos.bridge import Broken, Stream, memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.host.frames import PROTOCOL
from aboveboard_referee.host.host import ADMISSION_SECONDS
from aboveboard_referee.match.local import certificate
from tests.fakes.hosting import events, make_host, play, run, sweeping
from tests.fakes.keys import key, secret
from tests.fakes.robots import Robot, door, entry_key, hello, nothing, opening, resign, up

Knock = Callable[[Robot, Stream], Awaitable[None]]


class Refused(Exception):
    """What the host said, how the stream ended, and when."""

    def __init__(self, refusal: service.Refusal, ending: str, at: float) -> None:
        super().__init__(refusal.text)
        self.code = refusal.code
        self.text = refusal.text
        self.ending = ending
        self.at = at


def turned_away(knock: Knock) -> Refused:
    """Somebody knocks at seat 0; both seats' bots then play undisturbed."""
    terms = opening()
    told: list[Refused] = []

    async def main() -> None:
        host = make_host()
        robots = [Robot(terms, 0, instead=resign, comes=35), Robot(terms, 1, comes=35)]
        terms.clock.start_us = 40_000_000
        async with sweeping(host) as doors, trio.open_nursery() as nursery:
            for robot in robots:
                nursery.start_soon(robot.play, host, doors)
            nursery.start_soon(host.play, terms)
            await trio.testing.wait_all_tasks_blocked()
            mine, theirs = memory_pair()
            doors.start_soon(door, host, theirs)
            told.append(await _knock(knock, Robot(terms, 0), mine))
            assert not doors.child_tasks
        assert robots[0].player.fold.outs == {0: pb.END_REASON_RESIGNED}

    run(main)
    return told[0]


async def _knock(knock: Knock, robot: Robot, stream: Stream) -> Refused:
    refusal, ending = service.Refusal(), ""
    try:
        await knock(robot, stream)
        while True:
            frame = decode(service.MatchDown, await stream.receive())
            if frame.HasField("refusal"):
                refusal = frame.refusal
    except trio.EndOfChannel:
        ending = "in order"
    except Broken as error:
        ending = str(error)
    await trio.testing.wait_all_tasks_blocked()
    return Refused(refusal, ending, trio.current_time())


def says(*frames: bytes) -> Knock:
    async def knock(_: Robot, stream: Stream) -> None:
        await trio.lowlevel.checkpoint()
        for frame in frames:
            stream.send(frame)

    return knock


def enters(certificate_: Any = None, by: Any = None, **fields: Any) -> Knock:
    """Says hello to seat 0 and enters with something that is not right."""

    async def knock(robot: Robot, stream: Stream) -> None:
        stream.send(hello(robot.opening, 0))
        challenge = decode(service.MatchDown, await stream.receive()).challenge.challenge
        stream.send(
            up(
                entrance=service.Entrance(
                    certificate=robot.certificate if certificate_ is None else certificate_,
                    admission=robot.admission(fields.pop("challenge", challenge), by, **fields),
                )
            )
        )

    return knock


def certified(by: str = "entry 0", **fields: Any) -> bytes:
    return certificate(key(by), Robot(opening(), 0).match_key(**fields))


TERMS = opening()

BAD_PROOF = service.REFUSAL_CODE_BAD_PROOF
MALFORMED = service.REFUSAL_CODE_MALFORMED

NEWER = (
    f"the server speaks protocol {PROTOCOL} and the bot protocol {PROTOCOL + 1}: "
    "upgrade this server"
)

REFUSALS: dict[str, tuple[Knock, "service.RefusalCode", str]] = {
    "a newer protocol": (
        says(hello(TERMS, 0, protocol=PROTOCOL + 1)),
        service.REFUSAL_CODE_PROTOCOL,
        NEWER,
    ),
    "no protocol": (
        says(hello(TERMS, 0, protocol=0)),
        service.REFUSAL_CODE_PROTOCOL,
        f"the server speaks protocol {PROTOCOL} and the bot protocol 0: upgrade the bot",
    ),
    "another match": (
        says(hello(TERMS, 0, match="r1-b9")),
        service.REFUSAL_CODE_NOT_HERE,
        "no such match is played here",
    ),
    "another attempt": (
        says(hello(TERMS, 0, attempt=2)),
        service.REFUSAL_CODE_NOT_HERE,
        "no such match is played here",
    ),
    "another tournament": (
        says(hello(TERMS, 0, tournament=bytes(32))),
        service.REFUSAL_CODE_NOT_HERE,
        "no such match is played here",
    ),
    "a seat that the match does not have": (
        says(hello(TERMS, 2)),
        BAD_PROOF,
        "the match has no such seat",
    ),
    "a certificate by another entry key": (
        enters(certified(by="entry 1")),
        BAD_PROOF,
        f"no signature by {entry_key(0).public.fingerprint()}",
    ),
    "a certificate for another match": (
        enters(certified(match="r1-b2")),
        BAD_PROOF,
        "the certificate is for another seat or match",
    ),
    "a certificate for the other seat": (
        enters(certified(seat=1)),
        BAD_PROOF,
        "the certificate is for another seat or match",
    ),
    "a certificate for another attempt": (
        enters(certified(attempt=2)),
        BAD_PROOF,
        "the certificate is for another seat or match",
    ),
    "a certificate for another tournament": (
        enters(certified(tournament=bytes(32))),
        BAD_PROOF,
        "the certificate is for another seat or match",
    ),
    "the entry key as match key": (
        enters(certified(key=entry_key(0).public.raw), by=entry_key(0)),
        BAD_PROOF,
        "the entry key itself cannot be a match key",
    ),
    "a match key that is none": (
        enters(certified(key=bytes(32))),
        BAD_PROOF,
        "",
    ),
    "no certificate": (enters(b""), BAD_PROOF, ""),
    "a certificate of rubbish": (enters(b"\xff" * 40), BAD_PROOF, "the body is no Signed"),
    "an admission by another key": (enters(by=key("stranger")), BAD_PROOF, "no signature by "),
    "an admission by the entry key": (enters(by=entry_key(0)), BAD_PROOF, "no signature by "),
    "an admission for another connection": (
        enters(challenge=secret("another challenge")),
        BAD_PROOF,
        "the admission is for another seat, match or connection",
    ),
    "an admission for the other seat": (
        enters(seat=1),
        BAD_PROOF,
        "the admission is for another seat, match or connection",
    ),
    "an admission for another match": (
        enters(match="r1-b2"),
        BAD_PROOF,
        "the admission is for another seat, match or connection",
    ),
    "an admission for another attempt": (
        enters(attempt=2),
        BAD_PROOF,
        "the admission is for another seat, match or connection",
    ),
    "an admission to another referee": (
        enters(referee_key=key("stranger").public.raw),
        BAD_PROOF,
        "the admission names another referee",
    ),
    "a first frame of rubbish": (says(b"GET / HTTP/1.1"), MALFORMED, "the body is no MatchUp"),
    "an empty first frame": (says(b""), MALFORMED, "an empty frame"),
    "a first frame that is too long": (
        says(b"\x0a" * 8193),
        MALFORMED,
        "the body has 8193 bytes, more than 8192",
    ),
    "an answer before all else": (
        says(up(answer=b"x")),
        MALFORMED,
        "answer where hello was expected",
    ),
    "hello twice": (
        says(hello(TERMS, 0), hello(TERMS, 0)),
        MALFORMED,
        "hello where entrance was expected",
    ),
    "a ping in place of the entrance": (
        says(hello(TERMS, 0), up(ping=service.Ping(number=1))),
        MALFORMED,
        "ping where entrance was expected",
    ),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_a_bot_that_may_not_have_the_seat_is_told_why(what: str) -> None:
    knock, code, text = REFUSALS[what]
    refused = turned_away(knock)
    assert refused.code == code
    assert refused.text.startswith(text)
    assert refused.text
    assert refused.text.isprintable()
    assert (refused.ending, refused.at) == ("in order", 0)


@pytest.mark.parametrize("knock", [says(), says(hello(TERMS, 0))], ids=["all", "after hello"])
def test_who_stays_silent_is_cut_off_after_half_a_minute(knock: Knock) -> None:
    refused = turned_away(knock)
    assert refused.ending == "took too long to say who it is"
    assert refused.at == ADMISSION_SECONDS == 30


@pytest.mark.parametrize("wait", [29.9, 15.0])
def test_half_a_minute_is_for_the_whole_introduction(wait: float) -> None:
    async def knock(robot: Robot, stream: Stream) -> None:
        await trio.sleep(wait)
        stream.send(hello(robot.opening, 0))
        await stream.receive()
        await trio.sleep(wait)

    refused = turned_away(knock)
    assert refused.ending == "took too long to say who it is"


def test_a_bot_that_hangs_up_at_the_door_leaves_nothing_behind() -> None:
    async def knock(robot: Robot, stream: Stream) -> None:
        stream.send(hello(robot.opening, 0))
        await stream.receive()
        stream.abort()

    assert turned_away(knock).code == service.REFUSAL_CODE_UNSPECIFIED


def test_every_connection_gets_a_challenge_of_its_own() -> None:
    terms = opening()
    robots = [Robot(terms, 0, instead=resign), Robot(terms, 1)]
    play(*robots)
    challenges = [decode(service.MatchDown, robot.got[0][1]).challenge for robot in robots]
    assert challenges[0].challenge != challenges[1].challenge
    assert {len(challenge.challenge) for challenge in challenges} == {32}


def test_a_newer_connection_takes_the_seat_of_one_that_waits() -> None:
    terms = opening()
    first = Robot(terms, 0, instead=resign)
    second = Robot(terms, 0, comes=1)
    match = play(first, second, Robot(terms, 1, comes=2))
    assert first.refusal == service.Refusal(
        code=service.REFUSAL_CODE_REPLACED, text="a newer connection has come for this seat"
    )
    assert (first.ending, first.ended_at) == ("in order", 1)
    assert match.reasons == [pb.END_REASON_PLAYED_OUT] * 2


def test_a_newer_connection_goes_on_where_an_older_one_was() -> None:
    terms = opening()
    first = Robot(terms, 0, instead=nothing)
    second = Robot(terms, 0, comes=1)
    match = play(first, Robot(terms, 1), second)
    assert first.refusal.code == service.REFUSAL_CODE_REPLACED
    assert match.reasons == [pb.END_REASON_PLAYED_OUT] * 2
    assert not [e for e in events(match.records) if e.HasField("seat_lost")]


def test_another_match_key_takes_no_seat_once_the_match_has_begun() -> None:
    terms = opening()
    second = Robot(terms, 0, comes=1)
    second.key = key("a new one")
    second.certificate = certificate(second.entry, second.match_key())
    play(Robot(terms, 0, thinks=5), Robot(terms, 1), second)
    assert second.refusal == service.Refusal(
        code=service.REFUSAL_CODE_BAD_PROOF,
        text="the match has begun with another match key in this seat",
    )


def test_a_match_that_is_over_has_no_seats() -> None:
    terms = opening()
    late = Robot(terms, 0)

    async def main() -> None:
        host = make_host()
        async with sweeping(host) as doors:
            doors.start_soon(Robot(terms, 0, instead=resign).play, host, doors)
            doors.start_soon(Robot(terms, 1).play, host, doors)
            await host.play(terms)
            await late.play(host, doors)

    run(main)
    assert late.refusal == service.Refusal(
        code=service.REFUSAL_CODE_MATCH_OVER, text="the match is over"
    )


def test_who_does_not_read_the_refusal_is_dropped_a_second_later() -> None:
    terms = opening()
    ended: list[float] = []

    async def main() -> None:
        host = make_host()
        mine, theirs = memory_pair(inbound_messages=1)
        async with sweeping(host):
            mine.send(hello(terms, 0, protocol=9))
            theirs.send(b"something that fills the stream")
            await host.admit(theirs)
            ended.append(trio.current_time())

    run(main)
    assert ended == [1]
