"""When a tournament begins: with enough entrants, at a time, or at the organiser's word."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from aboveboard_client.errors import AboveboardError
from aboveboard_protos import bridge
from aboveboard_protos.bridge import Stream, memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.host.frames import PROTOCOL
from aboveboard_server.commands.start import give_order
from aboveboard_server.lobby import CONTROL
from aboveboard_server.streams import control
from tests.fakes.entrants import ORGANISER, Entrant, signed, up
from tests.fakes.keys import key, secret
from tests.fakes.lobbies import Hall, Visitor, enter, in_hall, visit
from tests.fakes.network import Network
from tests.fakes.office import Office, office
from tests.fakes.orders import order
from tests.fakes.robots import NOW
from tests.fakes.serving import Served, config, serve


def ordered(frame: Callable[[wire.Greeting], bytes], entrants: int = 2) -> tuple[Hall, Visitor]:
    """A lobby with so many entrants, and somebody who gives an order there."""

    async def main(hall: Hall) -> Visitor:
        for number in range(entrants):
            await enter(hall, number)
        visitor = await visit(hall)
        await visitor.says(frame(visitor.greeting))
        return visitor

    hall = Hall()
    return hall, in_hall(main, hall)


def test_the_organisers_word_is_taken_and_answered_when_it_is_done() -> None:
    async def main(hall: Hall) -> Visitor:
        for number in range(2):
            await enter(hall, number)
        visitor = await visit(hall)
        await visitor.says(order(visitor.greeting))
        assert hall.lobby.order.is_set()
        assert visitor.frames == []
        hall.lobby.begun.set()
        await visitor.listen()
        return visitor

    visitor = in_hall(main)
    assert [frame.notice.text for frame in visitor.frames] == ["the tournament begins"]
    assert visitor.ending == "in order"


ORDERS: dict[str, tuple[Callable[[wire.Greeting], bytes], str]] = {
    "by a stranger": (lambda g: order(g, key("stranger")), "no signature by "),
    "by an entrant": (lambda g: order(g, Entrant(0).key), "no signature by "),
    "of another connection": (
        lambda g: order(g, challenge=secret("earlier")),
        "an order for another connection",
    ),
    "for another tournament": (
        lambda g: order(g, tournament=bytes(32)),
        "that of another tournament",
    ),
    "of another kind": (
        lambda g: up(
            start=wire.Start(start=signed("login", pb.Login(challenge=g.challenge), ORGANISER))
        ),
        "aboveboard/start/v1 is expected here, not aboveboard/login/v1",
    ),
    "of rubbish": (lambda g: up(start=wire.Start(start=b"\xff")), "the body is no Signed"),
}


@pytest.mark.parametrize("what", ORDERS)
def test_an_order_that_is_not_the_organisers_for_this_moment_is_refused(what: str) -> None:
    frame, text = ORDERS[what]
    hall, visitor = ordered(frame)
    assert not hall.lobby.order.is_set()
    assert visitor.refusal.code == wire.REFUSAL_CODE_BAD_PROOF
    assert visitor.refusal.text.startswith(text)
    assert visitor.ending == "in order"


@pytest.mark.parametrize("entrants", [0, 1])
def test_an_order_before_two_have_entered_is_refused(entrants: int) -> None:
    hall, visitor = ordered(order, entrants)
    assert not hall.lobby.order.is_set()
    assert visitor.refusal.text == f"{entrants} entered so far; a tournament needs two"


def test_an_order_after_the_beginning_is_refused() -> None:
    async def main(hall: Hall) -> Visitor:
        await enter(hall, 0)
        await enter(hall, 1)
        await hall.lobby.close_entries()
        visitor = await visit(hall)
        await visitor.says(order(visitor.greeting))
        return visitor

    visitor = in_hall(main)
    assert visitor.refusal == wire.Refusal(
        code=wire.REFUSAL_CODE_ENTRIES_CLOSED, text="it has begun already"
    )


def test_an_order_during_a_pause_is_refused_at_once_with_the_reason(tmp_path: Path) -> None:
    texts: list[str] = []

    async def beside(network: Network) -> None:
        await office(partial(act, network))(network)

    async def act(network: Network, desk: Office) -> None:
        await desk.when(lambda ledger: len(ledger.field) == 2)
        await desk.rule(paused=pb.Pause())
        answer = await asks_to_begin(network)
        texts.append(answer.refusal.text)
        await desk.rule(resumed=pb.Resumption())
        await trio.sleep(5)
        assert not (await desk.look()).closed  # what was refused is not done later
        answer = await asks_to_begin(network)
        texts.append(answer.notice.text)

    bots = Entrant(0), Entrant(1)
    served = serve(config(tmp_path, rounds=1), *bots, beside=beside)
    assert served.failure is None
    assert texts == [
        "the tournament is paused; aboveboard resume first, then start",
        "the tournament begins",
    ]


# --- The command -------------------------------------------------------------------------------


def answered(monkeypatch: pytest.MonkeyPatch, *frames: bytes, ends: bool = False) -> str:
    """What the command fails with at a server that greets it and sends these frames."""
    mine, theirs = memory_pair()
    manifest = Hall().log.ledger.signed_manifest
    greeting = wire.Greeting(protocol=PROTOCOL, challenge=secret("challenge"), manifest=manifest)

    class Channel:
        async def open(self, _method: str) -> Stream:
            return mine

    @asynccontextmanager
    async def connect(_address: str) -> AsyncIterator[Channel]:
        yield Channel()

    async def main() -> str:
        for frame in (control(greeting=greeting), *frames):
            theirs.send(frame)
        async with trio.open_nursery() as nursery:
            if ends:
                nursery.start_soon(hang_up)
            with pytest.raises(AboveboardError) as caught:
                await give_order("here:1", ORGANISER)
        return str(caught.value)

    async def hang_up() -> None:
        await theirs.receive()
        await theirs.aclose()

    monkeypatch.setattr(bridge, "connect", connect)
    return trio.run(main, clock=MockClock(autojump_threshold=0))


def test_the_command_says_that_a_server_is_silent_or_has_hung_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = answered(monkeypatch)
    assert said == "no answer from here:1 within 30 s: the order may have been taken"
    said = answered(monkeypatch, ends=True)
    assert said == "no answer from here:1: it ended the connection"


def test_the_command_says_that_a_refusal_gives_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = wire.Refusal(code=wire.REFUSAL_CODE_BAD_PROOF, text=" ")
    said = answered(monkeypatch, control(refusal=refusal))
    assert said == "the order is refused: it gives no reason"


# --- The server at large -----------------------------------------------------------------------


async def asks_to_begin(network: Network) -> wire.ControlDown:
    """Give the organiser's order; the answer."""
    stream = await network.dial(CONTROL)
    greeting = decode(wire.ControlDown, await stream.receive()).greeting
    stream.send(order(greeting))
    return decode(wire.ControlDown, await stream.receive())


async def gives_the_order(network: Network) -> None:
    """Ten seconds after the server listens."""
    await network.listening.wait()
    await trio.sleep(10)
    await asks_to_begin(network)


def begun_at(served: Served) -> float:
    """Seconds after the server was started."""
    assert served.failure is None
    closed = next(event for event in served.store.events() if event.kind == "entries-closed")
    return (decode(pb.EntriesClosed, parse_signed(closed.body).body).time_us - NOW) / 1e6


def test_a_tournament_begins_as_soon_as_enough_have_entered(tmp_path: Path) -> None:
    served = serve(config(tmp_path, entrants=2, rounds=1), Entrant(0), Entrant(1))
    assert begun_at(served) == 0
    assert served.report().good


def test_a_tournament_begins_at_its_time_with_whoever_is_there(tmp_path: Path) -> None:
    event = config(tmp_path, start_at_us=NOW + 30_000_000, rounds=1)
    served = serve(event, *[Entrant(number) for number in range(3)])
    assert begun_at(served) == pytest.approx(30.5, abs=0.5)
    assert served.report().counts.entries == 3


def test_a_time_that_has_passed_waits_for_two_entrants(tmp_path: Path) -> None:
    event = config(tmp_path, start_at_us=NOW - 1, rounds=1)
    served = serve(event, Entrant(0), Entrant(1))
    assert begun_at(served) <= 1
    assert served.report().counts.entries == 2


def test_a_tournament_without_a_number_or_a_time_waits_for_the_organisers_word(
    tmp_path: Path,
) -> None:
    event = config(tmp_path, rounds=1)
    served = serve(event, *[Entrant(n) for n in range(3)], beside=gives_the_order)
    assert begun_at(served) == 10
    said = "begins at the organiser's word: aboveboard start 127.0.0.1:50051 --key KEY"
    assert said in served.lines
    assert served.report().good


@pytest.mark.parametrize("given", [{"entrants": 8}, {"start_at_us": NOW + 3_600_000_000}])
def test_the_organisers_word_is_enough_whatever_the_file_waits_for(
    tmp_path: Path, given: dict[str, int]
) -> None:
    event = config(tmp_path, rounds=1, **given)
    served = serve(event, Entrant(0), Entrant(1), beside=gives_the_order)
    assert begun_at(served) == 10
    assert served.report().good
