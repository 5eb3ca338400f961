"""One seat of one match: how the bot's side plays it with an honest referee."""

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise

import pytest
import trio

from aboveboard_client.bot import Bot
from aboveboard_client.session.desk import Choice, in_thread
from aboveboard_client.session.greeting import Tournament
from aboveboard_client.session.match_session import play_seat
from aboveboard_client.terminal.reports import MatchEnd
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed
from aboveboard_referee.match.player import Turn
from aboveboard_referee.match.transcript import join
from aboveboard_referee.verify.match import verify_match
from tests.fakes.referees import (
    OneSeatReferee,
    ticket,
)
from tests.fakes.seats import EVENT, IDENTITY, SEALED, desk, dial, play, recorded

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
    match_key = IDENTITY.match_key(ticket(EVENT)).public
    assert decode(pb.MatchKey, certificate.body).key == match_key.raw
    assert match_key != IDENTITY.key.public


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
        async with trio.open_nursery() as nursery:
            door = partial(dial, nursery, OneSeatReferee(EVENT, IDENTITY).serve)
            return await play_seat(door, ticket(EVENT), mine)

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
        (Dreaming(), "chose 'castle\\nkingside', which is no legal move", None),
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


def test_a_bot_that_never_answers_loses_on_time_and_is_left_thinking() -> None:
    async def forever(choose: Callable[[], Choice]) -> Choice:
        await trio.sleep_forever()
        raise AssertionError("nobody wakes it")

    mine = replace(desk(), run_choice=forever)
    referee = OneSeatReferee(SEALED, IDENTITY, patience=60)
    end = play(mine, referee)
    assert end.close is not None
    assert end.close.reason == pb.END_REASON_TIME_OUT
    assert not mine.by_turns.locked()
    assert verify_match(join(referee.records)).unsigned_by == ()
