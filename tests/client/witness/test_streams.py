"""A witness over gRPC: one question a stream, in bounded time."""

import pytest
import trio

from aboveboard_client.errors import OutsideFailure
from aboveboard_client.witness.exchange import Said
from aboveboard_client.witness.service import ASK_SECONDS, serve_stream
from aboveboard_protos.bridge import memory_pair
from aboveboard_protos.v1 import service_pb2 as wire
from tests.fakes.hosting import run


async def echo(body: bytes) -> Said:
    return Said(200, b"echo " + body)


def ask(*messages: bytes, places: int = 1) -> list[wire.WitnessSaid]:
    """What a stream says to these messages, when it ends after them."""

    async def main() -> list[wire.WitnessSaid]:
        mine, theirs = memory_pair()
        room = trio.Semaphore(places)
        for message in messages:
            mine.send(message)
        if messages:
            await mine.aclose()
        await serve_stream(theirs, echo, room)
        assert room.value == places
        await theirs.aclose()
        said = []
        while True:
            try:
                said.append(wire.WitnessSaid.FromString(await mine.receive()))
            except trio.EndOfChannel:
                return said

    return run(main)


def test_a_question_is_answered_and_the_stream_ends() -> None:
    question = wire.WitnessAsk(body=b"hello").SerializeToString()
    assert ask(question) == [wire.WitnessSaid(status=200, body=b"echo hello")]


def test_a_second_question_on_a_stream_is_not_heard() -> None:
    question = wire.WitnessAsk(body=b"hello").SerializeToString()
    assert len(ask(question, question)) == 1


@pytest.mark.parametrize("message", [b"\xff", b"\x0a\x05abc", b"\x0a\x00", b"\x12\x01x"])
def test_what_is_no_question_is_refused(message: bytes) -> None:
    assert ask(message) == [wire.WitnessSaid(status=400)]


def test_an_empty_question_is_one() -> None:
    assert ask(b"") == [wire.WitnessSaid(status=200, body=b"echo ")]


def test_who_asks_nothing_is_told_that_it_took_too_long() -> None:
    assert ask() == [wire.WitnessSaid(status=408)]


def test_where_there_is_no_room_it_says_so() -> None:
    assert ask(places=0) == [wire.WitnessSaid(status=503)]


def test_who_goes_disturbs_nobody() -> None:
    async def main() -> None:
        mine, theirs = memory_pair()
        mine.abort()
        await serve_stream(theirs, echo, trio.Semaphore(1))

    run(main)


def test_who_goes_while_it_is_answered_disturbs_nobody() -> None:
    async def main() -> None:
        mine, theirs = memory_pair()

        async def answer(body: bytes) -> Said:
            mine.abort()
            return await echo(body)

        mine.send(wire.WitnessAsk(body=b"hello").SerializeToString())
        await serve_stream(theirs, answer, trio.Semaphore(1))

    run(main)


def test_a_state_that_cannot_be_kept_comes_out() -> None:
    async def main() -> None:
        mine, theirs = memory_pair()

        async def answer(_: bytes) -> Said:
            raise OutsideFailure("the disk is full")

        mine.send(b"")
        await serve_stream(theirs, answer, trio.Semaphore(1))

    with pytest.raises(OutsideFailure):
        run(main)


def test_a_stream_is_served_for_a_bounded_time() -> None:
    async def main() -> float:
        mine, theirs = memory_pair()
        begin = trio.current_time()
        await serve_stream(theirs, echo, trio.Semaphore(1))
        mine.abort()
        return trio.current_time() - begin

    assert run(main) == pytest.approx(ASK_SECONDS)
