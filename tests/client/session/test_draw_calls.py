"""A bot gives its link for a draw when nothing else that the draw is made of can change."""

from collections.abc import Sequence

import pytest
import trio

from aboveboard_client.errors import OutsideFailure, VerdictAgainst
from aboveboard_client.public_log.trust import Trust
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.chain import fits
from aboveboard_referee.fairplay.envelope import parse_signed
from tests.fakes.draw_calls import before
from tests.fakes.keys import key
from tests.fakes.logs import FakeLog
from tests.fakes.referees import LOG, signed
from tests.fakes.sessions import (
    EVENT,
    FINISHED,
    GREETING,
    IDENTITY,
    Played,
    Server,
    fake_log,
    frame,
    session,
)
from tests.fakes.watched import WITNESSES

ENTRIES, TABLE = before(1), before(2)
FORGED = signed("standings", pb.Standings(tournament=EVENT.id, round=1), key("a forger"))


def call(number: int, index: int, leaf: bytes) -> service.DrawCall:
    return service.DrawCall(round=number, index=index, leaf=leaf)


def drawn(
    *calls: service.DrawCall, leaves: Sequence[bytes] = (ENTRIES, TABLE)
) -> tuple[BaseException | None, list[pb.DrawLink]]:
    """What came of these calls to entrant 3, whose log has these leaves after the manifest."""

    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        stream.send(frame(welcome=service.Welcome(entrant=3, epoch=1)))
        await stream.receive()
        for made in calls:
            stream.send(frame(draw_call=made))
        await trio.testing.wait_all_tasks_blocked()
        stream.send(FINISHED)

    played = session(script=script, log=fake_log(*leaves))
    links = [parse_signed(frame.draw_link) for frame in played.sent if frame.draw_link]
    assert all(link.signatures[0][0] == IDENTITY.key.public.raw for link in links)
    return played.error, [decode(pb.DrawLink, link.body) for link in links]


def test_a_call_for_a_round_is_answered_with_its_link_of_the_entrys_chain() -> None:
    error, (first, second) = drawn(call(1, 1, ENTRIES), call(2, 2, TABLE))
    assert error is None
    assert (first.tournament, first.entrant, first.round) == (EVENT.id, 3, 1)
    entry = decode(pb.Entry, parse_signed(IDENTITY.entry(EVENT)).body)
    me = IDENTITY.key.public.raw
    assert fits(EVENT.id, me, 1, first.link, 0, entry.tip)
    assert fits(EVENT.id, me, 2, second.link, 1, first.link)


@pytest.mark.parametrize(
    ("calls", "rounds"),
    [
        pytest.param([call(1, 1, ENTRIES)], [1], id="one"),
        pytest.param([call(1, 1, ENTRIES), call(2, 2, TABLE)], [2], id="the next"),
    ],
)
def test_a_link_is_given_once_enough_witnesses_saw_what_it_follows(
    calls: Sequence[service.DrawCall], rounds: Sequence[int]
) -> None:
    log = FakeLog(LOG, [EVENT.signed, ENTRIES, TABLE], WITNESSES)
    trust = Trust(witnesses=log.vkeys(), needed=2)
    early: list[int] = []

    async def script(stream: Server, played: Played) -> None:
        stream.send(GREETING)
        log.witnesses = WITNESSES[:1]
        stream.send(frame(welcome=service.Welcome(entrant=3, epoch=1)))
        for made in calls:
            stream.send(frame(draw_call=made))
        await trio.testing.wait_all_tasks_blocked()
        early.extend(len(up.draw_link) for up in played.sent)
        log.witnesses = WITNESSES
        stream.tell()
        stream.tell()
        await trio.testing.wait_all_tasks_blocked()
        stream.send(FINISHED)

    played = session(script=script, log=log, trust=trust)
    assert played.error is None
    assert not any(early)
    links = [parse_signed(up.draw_link).body for up in played.sent if up.draw_link]
    assert [decode(pb.DrawLink, link).round for link in links] == rounds


@pytest.mark.parametrize("number", [0, 3])
def test_a_round_that_there_is_not_is_no_call(number: int) -> None:
    error, links = drawn(call(number, 1, ENTRIES))
    assert isinstance(error, OutsideFailure)
    assert links == []


@pytest.mark.parametrize(
    ("made", "leaves"),
    [
        pytest.param(call(1, 1, ENTRIES), (), id="not in the log"),
        pytest.param(call(1, 2, ENTRIES), (ENTRIES, TABLE), id="elsewhere in the log"),
        pytest.param(call(1, 2, TABLE), (ENTRIES, TABLE), id="a table for the first round"),
        pytest.param(call(2, 1, ENTRIES), (ENTRIES, TABLE), id="entries for the second"),
        pytest.param(call(2, 1, FORGED), (FORGED,), id="not by the organiser"),
        pytest.param(call(2, 2**40, TABLE), (ENTRIES, TABLE), id="beyond the log"),
    ],
)
def test_no_link_is_given_before_all_else_is_in_the_log(
    made: service.DrawCall, leaves: Sequence[bytes]
) -> None:
    error, links = drawn(made, leaves=leaves)
    assert isinstance(error, VerdictAgainst)
    assert links == []
