"""One seat of one match: what the bot's side does with an honest referee, and with others."""

import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
import trio
from trio.testing import MockClock

from aboveboard_client.bot import Bot, load
from aboveboard_client.greeting import Tournament
from aboveboard_client.identity import Identity
from aboveboard_client.match_session import Choice, Desk, in_thread, play_seat
from aboveboard_client.reports import MatchEnd
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.deviation import Step
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.referee import Outbox, Referee
from aboveboard_referee.match.transcript import join, split
from aboveboard_referee.verify.match import verify_match
from tests.fakes.keys import key, secret
from tests.fakes.referees import (
    NOW,
    REFEREE,
    OneSeatReferee,
    Tamper,
    down,
    signed,
    terms,
    ticket,
    tournament,
)
from tests.fakes.reporting import Recorded
from tests.fakes.streams import MemoryStream

IDENTITY = Identity("me", key("my entry"), secret("my stored"))
EVENT = tournament("cribbage")
SEALED = tournament("nebraska:poker")


async def at_once(choose: Callable[[], Choice]) -> Choice:
    """Without a thread, so that nothing depends on the scheduler."""
    await trio.lowlevel.checkpoint()
    return choose()


def desk(bot: Bot | None = None, evidence: Path | None = None) -> Desk:
    return Desk(
        identity=IDENTITY,
        bot=bot or load("random", bytes(32)),
        reports=Recorded(),
        new_key=lambda: key("my match key"),
        evidence=evidence,
        run_choice=at_once,
    )


T = TypeVar("T")


def run(main: Callable[[], Awaitable[T]]) -> T:
    return trio.run(main, clock=MockClock(autojump_threshold=0))


def play(desk: Desk, referee: OneSeatReferee, seat: int = 0, then_gone: bool = False) -> MatchEnd:
    """A match over a stream in memory. ``then_gone``: the bot leaves before its end."""

    async def main() -> MatchEnd:
        mine, theirs = MemoryStream.pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(referee.serve, theirs)
            end = await play_seat(mine, ticket(referee.event, seat=seat), desk)
            if then_gone:
                nursery.cancel_scope.cancel()
        return end

    return run(main)


def talk(desk: Desk, *frames: bytes, ends: str = "") -> MatchEnd:
    """A referee who sends just these frames, whatever it is told, and then ends or aborts."""

    async def main() -> MatchEnd:
        mine, theirs = MemoryStream.pair()
        for frame in frames:
            theirs.send(frame)
        if ends == "in order":
            await theirs.aclose()
        elif ends:
            theirs.abort(ends)
        return await play_seat(mine, ticket(EVENT), desk)

    return run(main)


def recorded(desk: Desk) -> Recorded:
    assert isinstance(desk.reports, Recorded)
    return desk.reports


# --- An honest referee -----------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("event", [EVENT, SEALED], ids=["cribbage", "poker"])
def test_a_match_is_played_to_its_signed_close(event: Tournament, seat: int) -> None:
    referee = OneSeatReferee(event, IDENTITY)
    mine = desk()
    end = play(mine, referee, seat)
    assert end.close == referee.close
    assert end.own is not None
    assert end.own.reason == pb.END_REASON_PLAYED_OUT
    assert not end.deviated
    assert not end.bot_failed
    verified = verify_match(join(referee.records))
    assert verified.unsigned_by == ()
    assert recorded(mine).told == []


def test_the_match_key_is_certified_by_the_entry_key_and_is_not_it() -> None:
    referee = OneSeatReferee(EVENT, IDENTITY)
    play(desk(), referee)
    opening = decode(pb.MatchOpen, parse_signed(referee.records[0]).body)
    certificate = parse_signed(opening.seats[0].certificate)
    assert certificate.signatures[0][0] == IDENTITY.key.public.raw
    assert decode(pb.MatchKey, certificate.body).key == key("my match key").public.raw


def test_every_question_is_answered_once() -> None:
    referee = OneSeatReferee(SEALED, IDENTITY)
    play(desk(), referee)
    answers = [
        decode(pb.Answer, parse_signed(frame.answer).body)
        for _, kind, frame in referee.came
        if kind == "answer"
    ]
    questions = [(answer.asked, answer.WhichOneof("payload")) for answer in answers]
    assert len(questions) == len(set(questions))


def test_pings_are_answered_at_once_while_the_bot_thinks() -> None:
    async def slow(choose: Callable[[], Choice]) -> Choice:
        await trio.sleep(5)
        return choose()

    referee = OneSeatReferee(EVENT, IDENTITY, pings=True)
    play(replace(desk(), run_choice=slow), referee)
    answered = [(when, kind) for when, kind, _ in referee.came if kind in ("pong", "answer")]
    thought = [
        (pong, answer)
        for (pong, first), (answer, second) in pairwise(answered)
        if (first, second) == ("pong", "answer") and answer > pong
    ]
    assert thought
    assert all(answer - pong == pytest.approx(5) for pong, answer in thought)


def test_the_bot_thinks_in_a_thread_of_its_own() -> None:
    threads: set[int] = set()

    class Watching:
        games: tuple[str, ...] = ()

        def choose(self, turn: Turn) -> object:
            threads.add(threading.get_ident())
            return turn.legal[0]

    mine = replace(desk(Watching()), run_choice=in_thread)

    async def main() -> MatchEnd:
        left, right = MemoryStream.pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(OneSeatReferee(EVENT, IDENTITY).serve, right)
            return await play_seat(left, ticket(EVENT), mine)

    end = trio.run(main)
    assert end.close is not None
    assert threading.get_ident() not in threads
    assert threads


def test_thinking_is_measured_and_signed() -> None:
    async def slow(choose: Callable[[], Choice]) -> Choice:
        await trio.sleep(0.25)
        return choose()

    referee = OneSeatReferee(EVENT, IDENTITY)
    play(replace(desk(), run_choice=slow), referee)
    thoughts = set()
    for record in referee.records[1:-1]:
        event = decode(pb.Event, parse_signed(record).body)
        if event.WhichOneof("payload") == "answered":
            answer = decode(pb.Answer, parse_signed(event.answered.answer).body)
            if answer.seat == 0 and answer.WhichOneof("payload") == "move":
                thoughts.add(answer.thought_us)
    assert thoughts
    assert all(abs(thought - 250_000) <= 1 for thought in thoughts)


# --- A bot that fails ------------------------------------------------------------------------


class Raising:
    games: tuple[str, ...] = ()

    def choose(self, turn: Turn) -> object:
        raise LookupError("lost in thought")


class Exiting(Raising):
    def choose(self, turn: Turn) -> object:
        raise SystemExit(0)


class Dreaming(Raising):
    def choose(self, turn: Turn) -> object:
        return "castle\nkingside"


@pytest.mark.parametrize(
    ("bot", "what", "error"),
    [
        (Raising(), "raised LookupError", LookupError),
        (Exiting(), "raised SystemExit", SystemExit),
        (Dreaming(), "chose 'castle\\nkingside', which is no legal move here", None),
    ],
)
@pytest.mark.parametrize("event", [EVENT, SEALED], ids=["cribbage", "poker"])
def test_a_bot_that_fails_resigns_that_match_and_says_why(
    event: Tournament, bot: Bot, what: str, error: type[BaseException] | None
) -> None:
    referee = OneSeatReferee(event, IDENTITY)
    mine = desk(bot)
    end = play(mine, referee)
    assert end.bot_failed
    assert end.close is not None
    assert end.close.reason == pb.END_REASON_RESIGNED
    ((told, raised),) = recorded(mine).failures
    assert told == what
    assert (raised is None) if error is None else isinstance(raised, error)
    assert verify_match(join(referee.records)).unsigned_by == ()


# --- A referee that is not honest --------------------------------------------------------------


def after(number: int, change: Tamper) -> Tamper:
    """Change what is handed over the ``number``-th time, and leave all else as it is."""
    count = 0

    def tamper(outbox: Outbox) -> Outbox:
        nonlocal count
        count += 1
        return change(outbox) if count == number else outbox

    return tamper


def flipped(outbox: Outbox) -> Outbox:
    """One bit of the last record's signature."""
    *others, last = outbox.records
    data = bytearray(last)
    data[-1] ^= 1
    return Outbox((*others, bytes(data)), outbox.shows)


def dropped(outbox: Outbox) -> Outbox:
    return Outbox(outbox.records[1:], outbox.shows)


def without_faces(outbox: Outbox) -> Outbox:
    return Outbox(outbox.records, {})


@pytest.mark.parametrize(
    ("number", "change", "step"),
    [
        (1, flipped, Step.OPENING),
        (2, flipped, Step.CHAIN),
        (5, dropped, Step.CHAIN),
        (5, without_faces, Step.FACE),
    ],
)
def test_a_deviation_is_reported_and_the_match_left(
    number: int, change: Tamper, step: Step
) -> None:
    mine = desk()
    end = play(mine, OneSeatReferee(EVENT, IDENTITY, after(number, change)), then_gone=True)
    assert end.deviated
    assert end.close is None
    ((deviation, evidence),) = recorded(mine).deviations
    assert deviation.step == step
    assert deviation.blame == "referee"
    assert evidence is None


def test_the_evidence_of_a_deviation_is_what_was_sent_byte_by_byte(tmp_path: Path) -> None:
    mine = desk(evidence=tmp_path / "kept")
    referee = OneSeatReferee(EVENT, IDENTITY, after(5, flipped))
    play(mine, referee, then_gone=True)
    ((deviation, text),) = recorded(mine).deviations
    assert text is not None
    assert text.read_text() == f"{deviation}\n"
    kept = split(text.with_suffix(".records").read_bytes())
    assert kept[:-1] == tuple(referee.records[: len(kept) - 1])
    assert kept[-1] != referee.records[len(kept) - 1]
    assert split(text.with_suffix(".shows").read_bytes())


def test_evidence_that_cannot_be_kept_is_said_and_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"")
    mine = desk(evidence=tmp_path / "taken")
    end = play(mine, OneSeatReferee(EVENT, IDENTITY, after(2, flipped)), then_gone=True)
    assert end.deviated
    assert "r1-b1 deviated" in recorded(mine).told
    assert any("cannot be written" in told for told in recorded(mine).told)


def challenge(referee_key: bytes = REFEREE.public.raw) -> bytes:
    return down(challenge=service.Challenge(challenge=secret("challenge"), referee_key=referee_key))


@pytest.mark.parametrize(
    ("frames", "ends", "why"),
    [
        ([challenge(key("stranger").public.raw)], "", "another referee answers"),
        ([b"\xff\xff"], "", "does not keep to the protocol"),
        ([b""], "", "an empty frame out of turn"),
        ([challenge(), challenge()], "", "challenge out of turn"),
        ([down(close=b"x")], "", "close out of turn"),
        ([challenge(), down(close=b"x")], "", "close out of turn"),
        ([challenge()], "in order", "before the match's end"),
        ([], "in order", "before the match's end"),
        ([challenge()], "cable cut", "connection to the referee is lost: cable cut"),
        ([], "", "did not answer within 30 s"),
        (
            [
                down(
                    refusal=service.Refusal(
                        code=service.REFUSAL_CODE_BAD_PROOF, text="no such\nseat"
                    )
                )
            ],
            "",
            "refuses the bot: no such\N{REPLACEMENT CHARACTER}seat",
        ),
    ],
)
def test_a_referee_who_cannot_be_played_with_is_left_with_one_line(
    frames: list[bytes], ends: str, why: str
) -> None:
    mine = desk()
    end = talk(mine, *frames, ends=ends)
    assert end == MatchEnd(end.ticket, None)
    (told,) = recorded(mine).told
    assert why in told


def test_nothing_is_signed_for_another_referee() -> None:
    async def main() -> MemoryStream:
        mine, theirs = MemoryStream.pair()
        theirs.send(challenge(key("stranger").public.raw))
        await play_seat(mine, ticket(EVENT), desk())
        return mine

    (sent,) = run(main).sent
    assert decode(service.MatchUp, sent).WhichOneof("frame") == "hello"


def test_a_close_before_the_end_is_a_deviation() -> None:
    mine = desk()
    hello = service.Hello(tournament=EVENT.id, match="r1-b1", attempt=1, seat=0)
    certified = IDENTITY.certify(ticket(EVENT), key("my match key"))
    referee = Referee(terms(EVENT, IDENTITY, hello, certified), REFEREE, secret("stored"))
    opened = referee.start(NOW)
    close = pb.MatchClose(match=referee.fold.terms.head0, reason=pb.END_REASON_PLAYED_OUT)
    end = talk(
        mine,
        challenge(),
        down(records=service.Records(records=opened.records)),
        down(close=signed("match-close", close, REFEREE)),
    )
    assert end.deviated
    assert end.close is None
    ((deviation, _),) = recorded(mine).deviations
    assert deviation.step == Step.CLOSE
