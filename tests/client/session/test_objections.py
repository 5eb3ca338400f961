"""What a bot objects to: what does not follow, and a verdict of late that its own clock denies."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
import trio

from aboveboard_client.session.desk import Choice
from aboveboard_client.session.objecting import LONGEST, SPARE_US, against_late, objection
from aboveboard_client.session.reconnect import Patience
from aboveboard_protos.bridge import Broken, Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.referee import Measured, Outbox, Referee
from tests.fakes.keys import secret
from tests.fakes.referees import NOW, OneSeatReferee, ticket
from tests.fakes.seats import at_once
from tests.fakes.sessions import (
    EVENT,
    FINISHED,
    GREETING,
    IDENTITY,
    WELCOME,
    Played,
    Server,
    session,
    ticket_frame,
    until_the_match_ends,
)

TICKET = ticket(EVENT)
HEAD = secret("head")
LIMIT_US = EVENT.manifest.clock.move_us


def sent(played: Played) -> list[pb.Objection]:
    """The objections that went up, each by the entry key."""
    found = [parse_signed(frame.objection) for frame in played.sent if frame.objection]
    for signed in found:
        verify_sole(signed, "objection", IDENTITY.key.public)
    return [decode(pb.Objection, signed.body) for signed in found]


# --- A verdict of late ---------------------------------------------------------------------------


@dataclass
class Impatient(OneSeatReferee):
    """Says of the bot's first move, or of its accepting, that it came too late."""

    phase: int = pb.PHASE_MOVE
    waits: float = 0  # before it says so, reading nothing that comes
    cuts: int = 0  # times that it cuts the line first

    async def _await_answer(self, stream: Stream, referee: Referee, seat: int) -> Outbox:
        if referee.owed[seat].phase != self.phase:
            return await super()._await_answer(stream, referee, seat)
        if self.cuts:
            self.cuts -= 1
            stream.abort("cable cut")
            raise Broken("cable cut")
        with trio.move_on_after(self.waits):
            while True:
                await self._frame(stream)
        return referee.overdue(seat, Measured(NOW, wait_us=LIMIT_US + 1))


def judged_late(thinks: float = 0.0, **fields: object) -> Played:
    async def slowly(choose: Callable[[], Choice]) -> Choice:
        await trio.sleep(thinks)
        return choose()

    return session(
        script=until_the_match_ends,
        new_referee=lambda: Impatient(EVENT, IDENTITY, **fields),  # type: ignore[arg-type]
        think=slowly if thinks else at_once,
        patience=Patience(),
    )


def test_a_bot_that_answered_at_once_objects_to_a_verdict_of_late() -> None:
    (body,) = sent(judged_late())
    assert (body.match, body.attempt, body.seat, body.step) == ("r1-b1", 1, 0, Step.CLOCK)
    assert body.sequence > 0
    assert len(body.head) == 32
    assert body.expected.startswith(f"an answer after 0 us of {LIMIT_US} us, to event ")
    assert body.found == f"late after {LIMIT_US + 1} us"


@pytest.mark.parametrize(
    ("thinks", "objects"),
    [(58.0, True), (59.5, False), (100.0, False)],
    ids=["well in time", "within the spare second", "too late"],
)
def test_its_own_thinking_time_decides_whether_it_objects(thinks: float, objects: bool) -> None:
    played = judged_late(thinks, waits=60.0)
    assert bool(sent(played)) == objects


def test_a_bot_that_still_thinks_objects_if_the_verdict_came_too_early() -> None:
    (body,) = sent(judged_late(100.0, waits=5.0))
    assert body.expected.startswith("an answer after 5000000 us")


def test_a_bot_that_was_not_there_all_the_time_cannot_tell() -> None:
    played = judged_late(waits=1.0, cuts=1)
    assert played.reports.ends[0].own is not None
    assert played.reports.ends[0].own.reason == pb.END_REASON_TIME_OUT
    assert sent(played) == []


@pytest.mark.parametrize("own_us", [0, LIMIT_US - SPARE_US - 1])
def test_only_verdicts_of_late_are_weighed(own_us: int) -> None:
    out = pb.SeatOut(reason=pb.END_REASON_TIME_OUT, timing=pb.Timing(left_us=LIMIT_US))
    assert against_late(TICKET, 7, out, HEAD, own_us) is not None
    out.reason = pb.END_REASON_ILLEGAL_MOVE
    assert against_late(TICKET, 7, out, HEAD, own_us) is None


# --- What does not follow ------------------------------------------------------------------------


def bend_opening(outbox: Outbox) -> Outbox:
    opening = parse_signed(outbox.records[0])
    return Outbox(
        (type(opening)(opening.type, opening.body + b"x", opening.signatures).to_bytes(),)
    )


@dataclass
class Bending:
    """Changes what is sent from some number of records on."""

    after: int
    sent: int = field(default=0)

    def __call__(self, outbox: Outbox) -> Outbox:
        self.sent += len(outbox.records)
        if self.sent <= self.after:
            return outbox
        last = parse_signed(outbox.records[-1])
        event = decode(pb.Event, last.body)
        event.previous = secret("another head")
        bent = type(last)(last.type, event.SerializeToString(), last.signatures)
        return Outbox((*outbox.records[:-1], bent.to_bytes()), outbox.shows)


@pytest.mark.parametrize(
    ("tamper", "step", "knows_head"),
    [(bend_opening, Step.OPENING, False), (Bending(9), Step.CHAIN, True)],
    ids=["the opening", "an event"],
)
def test_records_that_do_not_hold_are_objected_to(tamper, step: Step, knows_head: bool) -> None:
    played = session(
        script=until_the_match_ends,
        new_referee=lambda: OneSeatReferee(EVENT, IDENTITY, tamper=tamper),
    )
    (body,) = sent(played)
    assert body.step == step
    assert bool(body.head) == knows_head
    (deviation, _) = played.reports.deviations[0]
    assert (body.sequence, body.expected) == (deviation.sequence, deviation.expected)


def test_an_objection_waits_for_a_connection() -> None:
    @dataclass
    class Silent(OneSeatReferee):
        def _prove(self, stream: object) -> None:
            return

    async def gone(stream: Server, played: Played) -> None:
        for data in (GREETING, WELCOME, ticket_frame()):
            stream.send(data)
        await played.reports.until("r1-b1 begins")
        stream.abort("cable cut")

    async def back(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        stream.send(WELCOME)
        await stream.receive()
        await stream.receive()
        stream.send(FINISHED)

    played = session(
        script=gone,
        again=[*[None] * 20, back],
        patience=Patience(),
        new_referee=lambda: Silent(EVENT, IDENTITY),
    )
    assert [body.step for body in sent(played)] == [Step.OPENING]
    assert [bool(frame.objection) for frame in played.connections[-1]] == [False, True]


# --- Texts ---------------------------------------------------------------------------------------


def test_texts_are_short_and_ascii() -> None:
    body = objection(TICKET, Step.MOVE, 1, HEAD, "é\x1b\n" * 1000, "")
    assert len(body.expected) == LONGEST
    assert body.expected.isascii()
    assert body.expected.isprintable()
