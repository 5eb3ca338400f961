"""The log's service: what everybody may read there, and what it costs to ask too much."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest
import trio

from aboveboard_client.errors import WrongUse
from aboveboard_client.public_log.log_link import LogLink, begin
from aboveboard_protos.bridge import Broken, Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.log.tree import Tree, leaf_hash
from aboveboard_server.log import log_desk
from aboveboard_server.log.log_desk import (
    ANSWER_BYTES,
    ASK,
    ASK_LIMIT,
    BURST,
    IDLE_SECONDS,
    LEAVES,
    QUESTIONS_A_SECOND,
)
from tests.fakes.entrants import signed
from tests.fakes.lobbies import Hall, enter, in_hall
from tests.fakes.referees import ORGANISER
from tests.fakes.robots import entry_key
from tests.fakes.snapshots import Slow

T = TypeVar("T")


def ask(**question: Any) -> bytes:
    return wire.LogAsk(**question).SerializeToString()


async def said(stream: Stream, question: bytes) -> wire.LogSaid:
    stream.send(question)
    return decode(wire.LogSaid, await stream.receive())


def at_desk(
    main: Callable[[Hall, Stream], Awaitable[T]], entrants: int = 3, hall: Hall | None = None
) -> T:
    """Run with a stream to the log of a tournament that so many have entered."""

    async def opened(hall: Hall) -> T:
        for number in range(entrants):
            await enter(hall, number)
        return await main(hall, await hall.network.dial(ASK))

    return in_hall(opened, hall)


def leaves_of(hall: Hall) -> list[bytes]:
    return [event.body for event in hall.store.events("log")]


# --- Reading -----------------------------------------------------------------------------------


def test_whoever_reads_gets_every_leaf_and_what_proves_it() -> None:
    """With the client that people use, which checks all of it."""

    async def main(hall: Hall, stream: Stream) -> None:
        link: LogLink = await begin(stream, ORGANISER.public)
        early = await link.checkpoint()
        await enter(hall, 3)
        signed, ledger, leaves = await link.history()
        assert leaves == leaves_of(hall)
        assert ledger.field.names == ("bot-0", "bot-1", "bot-2", "bot-3")
        assert await link.consistency(early, signed)

    at_desk(main)


def test_a_part_of_the_leaves_is_read_by_itself() -> None:
    async def main(hall: Hall, stream: Stream) -> None:
        answer = await said(stream, ask(leaves=wire.LogRead(start=1, end=3)))
        assert answer.leaves == wire.LogLeaves(start=1, leaves=leaves_of(hall)[1:3])
        answer = await said(stream, ask(leaves=wire.LogRead(start=2, end=1000)))
        assert list(answer.leaves.leaves) == leaves_of(hall)[2:]

    at_desk(main)


def test_a_leaf_is_not_shown_before_a_checkpoint_covers_it() -> None:
    async def main(hall: Hall, stream: Stream) -> None:
        await hall.log.covering(0)
        late = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(enter, hall, 0)
            await trio.sleep(1.5)
            assert len(leaves_of(hall)) == 2
            answer = await said(stream, ask(leaves=wire.LogRead(start=1, end=2)))
            assert answer.refusal.text == "no leaves 1 to 2 in a log of 1"
            answer = await said(stream, ask(consistency=wire.LogProof(old_size=1, size=2)))
            assert answer.refusal.text == "no proof from 1 to 2 in a log of 1"
            await trio.sleep(1)
        assert trio.current_time() == late + 2.5
        answer = await said(stream, ask(leaves=wire.LogRead(start=1, end=2)))
        assert list(answer.leaves.leaves) == leaves_of(hall)[1:]

    at_desk(main, entrants=0, hall=Hall(Slow()))


def test_the_manifest_says_whose_log_it_is() -> None:
    async def main(hall: Hall, stream: Stream) -> None:
        answer = await said(stream, ask(manifest=True))
        assert list(answer.leaves.leaves) == [hall.log.ledger.signed_manifest]

    at_desk(main, entrants=0)


def test_the_newest_checkpoint_is_the_one_that_was_shown_last() -> None:
    async def main(hall: Hall, stream: Stream) -> None:
        answer = await said(stream, ask(checkpoint=True))
        assert answer.checkpoint == hall.log.note
        assert hall.log.size == len(leaves_of(hall))

    at_desk(main)


def test_consistency_is_proved_between_all_sizes() -> None:
    async def main(hall: Hall, stream: Stream) -> None:
        tree = Tree(map(leaf_hash, leaves_of(hall)))
        for new in range(tree.size + 1):
            for old in range(new + 1):
                question = ask(consistency=wire.LogProof(old_size=old, size=new))
                answer = await said(stream, question)
                assert list(answer.path.path) == tree.consistency(old, new)

    at_desk(main, entrants=6)


# --- Questions that are none -------------------------------------------------------------------


QUESTIONS: dict[str, tuple[bytes, str]] = {
    "rubbish": (b"\xff\xff", "the body"),
    "nothing": (b"", "an empty question"),
    "too much": (ask(submit=bytes(ASK_LIMIT)), f"the body has {ASK_LIMIT + 4} bytes"),
    "something behind it": (ask(checkpoint=True) + b"\x7a\x01x", "the body is not the canonical"),
    "no leaves": (ask(leaves=wire.LogRead(start=1, end=1)), "no leaves 1 to 1 in a log of 4"),
    "leaves backwards": (ask(leaves=wire.LogRead(start=3, end=1)), "no leaves 3 to 1"),
    "leaves that are not there": (ask(leaves=wire.LogRead(start=4, end=9)), "no leaves 4 to 9"),
    "a size that is not there": (
        ask(consistency=wire.LogProof(old_size=1, size=2**63)),
        "no proof from 1 to 9223372036854775808 in a log of 4",
    ),
    "sizes backwards": (ask(consistency=wire.LogProof(old_size=3, size=2)), "no proof from 3 to 2"),
}


@pytest.mark.parametrize("what", QUESTIONS)
def test_what_cannot_be_answered_is_refused_in_a_line_and_the_next_is_answered(what: str) -> None:
    question, text = QUESTIONS[what]

    async def main(hall: Hall, stream: Stream) -> None:
        answer = await said(stream, question)
        assert answer.refusal.text.startswith(text)
        assert (await said(stream, ask(checkpoint=True))).checkpoint == hall.log.note

    at_desk(main)


# --- Limits ------------------------------------------------------------------------------------


def test_an_answer_is_bounded_in_leaves_and_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (LEAVES, ANSWER_BYTES) == (1000, 64 * 1024)
    monkeypatch.setattr(log_desk, "LEAVES", 2)

    async def main(hall: Hall, stream: Stream) -> None:
        answer = await said(stream, ask(leaves=wire.LogRead(start=0, end=4)))
        assert list(answer.leaves.leaves) == leaves_of(hall)[:2]
        monkeypatch.setattr(log_desk, "ANSWER_BYTES", 1)
        answer = await said(stream, ask(leaves=wire.LogRead(start=1, end=4)))
        assert list(answer.leaves.leaves) == leaves_of(hall)[1:2]

    at_desk(main)


def test_a_leaf_that_is_longer_than_a_message_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_desk, "LONGEST", 400)

    async def main(hall: Hall, stream: Stream) -> None:
        assert [len(leaf) > 400 for leaf in leaves_of(hall)] == [True, False, False, False]
        answer = await said(stream, ask(leaves=wire.LogRead(start=0, end=4)))
        assert answer.refusal.text == "leaf 0 is too long to be sent; the archive has it"
        answer = await said(stream, ask(leaves=wire.LogRead(start=1, end=4)))
        assert len(answer.leaves.leaves) == 3

    at_desk(main)


def test_whoever_asks_too_fast_is_answered_at_the_pace_of_everybody() -> None:
    questions = BURST + 3 * QUESTIONS_A_SECOND

    async def main(_: Hall, stream: Stream) -> float:
        start = trio.current_time()
        for _ in range(questions):
            await said(stream, ask(checkpoint=True))
        return trio.current_time() - start

    assert at_desk(main) == pytest.approx(3, abs=0.1)


def test_a_stream_has_so_many_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_desk, "QUESTIONS", 3)

    async def main(_: Hall, stream: Stream) -> None:
        for _ in range(3):
            await said(stream, ask(checkpoint=True))
        with pytest.raises(Broken, match="3 questions were answered; open another stream"):
            await stream.receive()

    at_desk(main)


def test_a_stream_without_questions_is_ended_after_a_minute() -> None:
    async def main(_: Hall, stream: Stream) -> float:
        start = trio.current_time()
        with pytest.raises(Broken, match="nothing was asked or read for 60 s"):
            await stream.receive()
        return trio.current_time() - start

    assert at_desk(main) == IDLE_SECONDS == 60


def test_a_reader_that_hangs_up_is_no_trouble() -> None:
    async def main(_: Hall, stream: Stream) -> None:
        stream.send(ask(checkpoint=True))
        stream.abort()

    at_desk(main)


# --- Bringing ----------------------------------------------------------------------------------


def withdrawal(hall: Hall, entrant: int, by: int) -> bytes:
    body = pb.Withdraw(tournament=hall.log.ledger.tournament, entrant=entrant, round=1)
    return signed("withdraw", body, entry_key(by))


def test_what_signs_for_itself_is_a_leaf_and_proved_to_be_one() -> None:
    async def main(hall: Hall, stream: Stream) -> None:
        link = await begin(stream, ORGANISER.public)
        data = withdrawal(hall, 1, by=1)
        receipt = await link.submit(data)
        assert leaves_of(hall)[receipt.index] == data
        assert (await link.submit(data)).index == receipt.index

    at_desk(main)


def test_what_is_not_legal_is_refused_with_the_reason_and_leaves_nothing() -> None:
    async def main(hall: Hall, stream: Stream) -> None:
        link = await begin(stream, ORGANISER.public)
        with pytest.raises(WrongUse, match="the log refuses: expected a good withdraw"):
            await link.submit(withdrawal(hall, 1, by=0))
        assert len(leaves_of(hall)) == 4

    at_desk(main)


def test_entries_are_not_brought_here() -> None:
    async def main(hall: Hall, stream: Stream) -> wire.Refusal:
        return (await said(stream, ask(submit=leaves_of(hall)[1]))).refusal

    refusal = at_desk(main)
    assert refusal.code == wire.REFUSAL_CODE_BAD_PROOF
    assert refusal.text.startswith("expected one of bye-request, key-revoke, key-rotate, objection")
