"""A bot's stay in a tournament, with a server that follows a script."""

from collections.abc import Sequence
from typing import Any

import pytest

from aboveboard_client.bot import load
from aboveboard_client.errors import AboveboardError, OutsideFailure, VerdictAgainst, WrongUse
from aboveboard_client.session.reconnect import Patience
from aboveboard_client.state.journal import MemoryJournal, MemoryJournals, Place
from aboveboard_protos.bridge import Stream
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import decode
from aboveboard_referee.fairplay.envelope import parse_signed, verify_sole
from aboveboard_referee.host.frames import PROTOCOL
from aboveboard_referee.tournament.ledger.entries import check_entry
from tests.fakes.keys import key, secret
from tests.fakes.referees import NOW, ORGANISER, signed, ticket
from tests.fakes.sessions import (
    CLOSE,
    EVENT,
    FINISHED,
    GREETING,
    IDENTITY,
    WELCOME,
    Played,
    frame,
    refusal,
    session,
    ticket_frame,
)

# --- Entering ----------------------------------------------------------------------------------


def test_the_entry_and_a_proof_of_its_key_are_what_a_bot_joins_with() -> None:
    played = session(GREETING, WELCOME, FINISHED)
    join = played.sent[0].join
    assert (join.protocol, join.capacity) == (PROTOCOL, 1)
    entry, _ = check_entry(parse_signed(join.entry), EVENT.id, NOW)
    assert (entry.name, entry.key, entry.software) == ("me", IDENTITY.key.public.raw, "test")
    assert not entry.house
    login = parse_signed(join.login)
    verify_sole(login, "login", IDENTITY.key.public)
    assert decode(pb.Login, login.body) == pb.Login(
        challenge=secret("challenge"),
        tournament=EVENT.id,
        organiser_key=ORGANISER.public.raw,
        key=IDENTITY.key.public.raw,
    )


def test_the_same_bot_enters_with_the_same_bytes_every_time() -> None:
    first, again = (session(GREETING, WELCOME, FINISHED).sent[0].join.entry for _ in range(2))
    assert first == again


def test_a_bot_that_does_not_play_every_game_does_not_enter() -> None:
    played = session(GREETING, WELCOME, bot=load("allegra-house", bytes(32)))
    assert isinstance(played.error, WrongUse)
    assert "the tournament has cribbage" in str(played.error)
    assert played.sent == []


@pytest.mark.parametrize(
    ("frames", "error", "why"),
    [
        (
            [refusal(service.REFUSAL_CODE_NAME_TAKEN, "the name me is taken")],
            WrongUse,
            "the name me is taken",
        ),
        (
            [refusal(service.REFUSAL_CODE_ENTRIES_CLOSED, "entries are closed")],
            WrongUse,
            "entries are closed",
        ),
        (
            [refusal(service.REFUSAL_CODE_FULL, "\x1b[2Jfull")],
            WrongUse,
            "refuses: \N{REPLACEMENT CHARACTER}\\[2Jfull",
        ),
        ([FINISHED], OutsideFailure, "neither welcomes nor refuses"),
        ([b"\xff"], OutsideFailure, "does not keep to the protocol"),
        ([], OutsideFailure, "did not answer within 30 s"),
        (
            [WELCOME, refusal(service.REFUSAL_CODE_REPLACED, "a newer one came")],
            OutsideFailure,
            "replaced by a newer one: a newer one came",
        ),
        ([WELCOME, GREETING], OutsideFailure, "greeting out of turn"),
        ([WELCOME, b""], OutsideFailure, "an empty frame out of turn"),
    ],
)
def test_a_server_that_will_not_have_the_bot_ends_the_session_with_one_line(
    frames: Sequence[bytes], error: type[AboveboardError], why: str
) -> None:
    played = session(GREETING, *frames)
    assert type(played.error) is error
    with pytest.raises(error, match=why):
        raise played.error


def test_a_server_that_says_nothing_at_all_is_not_waited_for_long() -> None:
    played = session()
    assert isinstance(played.error, OutsideFailure)
    assert played.seconds == pytest.approx(30)


# --- Playing -------------------------------------------------------------------------------------


def test_a_session_plays_its_tickets_and_ends_with_the_signed_table() -> None:
    async def script(stream: Stream, played: Played) -> None:
        for data in (GREETING, WELCOME, ticket_frame("r1-b1")):
            stream.send(data)
        await played.reports.until("r1-b1 ended")
        stream.send(ticket_frame("r2-b1", seat=1))
        await played.reports.until("r2-b1 ended")
        stream.send(FINISHED)

    played = session(script=script)
    assert played.error is None
    assert played.outcome is not None
    assert played.outcome.close == CLOSE
    assert played.outcome.standing == CLOSE.standings[1]
    assert [end.close for end in played.outcome.ends] == [
        referee.close for referee in played.referees.values()
    ]
    assert played.reports.told == [
        "joined as 0, epoch 1",
        "r1-b1 begins",
        "r1-b1 ended",
        "r2-b1 begins",
        "r2-b1 ended",
        "finished",
    ]


@pytest.mark.parametrize("capacity", [1, 2, 3])
def test_no_more_matches_are_played_at_once_than_the_bot_has_room_for(capacity: int) -> None:
    async def script(stream: Stream, played: Played) -> None:
        stream.send(GREETING)
        stream.send(WELCOME)
        for number in range(1, 4):
            stream.send(ticket_frame(f"r1-b{number}"))
        for number in range(1, 4):
            await played.reports.until(f"r1-b{number} ended")
        stream.send(FINISHED)

    played = session(script=script, capacity=capacity)
    assert played.sent[0].join.capacity == capacity
    assert played.at_once == capacity
    assert all(end.close is not None for end in played.reports.ends)


def test_a_ticket_that_comes_again_is_played_once_and_another_attempt_anew() -> None:
    async def script(stream: Stream, played: Played) -> None:
        for data in (GREETING, WELCOME, ticket_frame(), ticket_frame(), ticket_frame(attempt=2)):
            stream.send(data)
        await played.reports.until("r1-b1 ended", times=2)
        stream.send(FINISHED)

    played = session(script=script)
    assert [end.ticket.attempt for end in played.reports.ends] == [1, 2]


def test_a_foreign_ticket_is_reported_and_not_used() -> None:
    foreign = frame(ticket=signed("ticket", ticket(EVENT), key("forger")))
    played = session(GREETING, WELCOME, foreign, FINISHED)
    assert played.outcome is not None
    assert played.referees == {}
    assert played.reports.told[1].startswith("ticket refused: no signature by")


def test_a_referee_that_cannot_be_reached_costs_that_match_alone() -> None:
    async def script(stream: Stream, played: Played) -> None:
        for data in (GREETING, WELCOME, ticket_frame()):
            stream.send(data)
        await played.reports.until("r1-b1 ended")
        stream.send(FINISHED)

    played = session(script=script, unreachable=True)
    assert played.outcome is not None
    assert "r1-b1: the referee cannot be reached: nobody is there" in played.reports.told
    assert played.outcome.ends[0].close is None


def test_a_bot_that_fails_in_one_match_plays_the_next() -> None:
    class Once:
        games: tuple[str, ...] = ()
        failed = False

        def choose(self, turn: Any) -> object:
            if not self.failed:
                self.failed = True
                raise LookupError("once")
            return turn.legal[0]

    async def script(stream: Stream, played: Played) -> None:
        for data in (GREETING, WELCOME, ticket_frame("r1-b1"), ticket_frame("r2-b1")):
            stream.send(data)
        await played.reports.until("r2-b1 ended")
        stream.send(FINISHED)

    played = session(script=script, bot=Once())
    assert [end.bot_failed for end in played.reports.ends] == [True, False]
    reasons = [end.close and end.close.reason for end in played.reports.ends]
    assert reasons == [pb.END_REASON_RESIGNED, pb.END_REASON_PLAYED_OUT]


def test_notices_and_pairings_are_told_and_pings_answered() -> None:
    pairings = pb.Pairings(tournament=EVENT.id, round=1, game="cribbage", byes=[0])
    played = session(
        GREETING,
        WELCOME,
        frame(notice=service.Notice(text="hello")),
        frame(pairings=signed("pairings", pairings, ORGANISER)),
        frame(ping=service.Ping(number=5)),
        FINISHED,
    )
    assert played.reports.told[1:] == ["notice: hello", "round 1", "finished"]
    assert [up.pong.number for up in played.sent if up.WhichOneof("frame") == "pong"] == [5]


@pytest.mark.parametrize(
    "data",
    [
        frame(pairings=signed("pairings", pb.Pairings(tournament=EVENT.id), key("forger"))),
        frame(pairings=signed("pairings", pb.Pairings(tournament=bytes(32)), ORGANISER)),
        frame(finished=service.Finished(close=signed("tournament-close", CLOSE, key("forger")))),
        frame(finished=service.Finished(close=b"")),
    ],
)
def test_what_the_organiser_did_not_sign_is_a_verdict_against(data: bytes) -> None:
    played = session(GREETING, WELCOME, data)
    assert isinstance(played.error, VerdictAgainst)


def test_a_bot_with_matches_to_go_back_to_waits_for_its_server() -> None:
    journals = MemoryJournals()
    patience = Patience(total=60.0)
    assert len(session(nobody=True, patience=patience).dialled) == 1
    place = Place(secret("a tournament"), "r1-b1", 1)
    journals.open_ones[place] = MemoryJournal()
    played = session(nobody=True, patience=patience, journals=journals)
    assert isinstance(played.error, OutsideFailure)
    assert played.seconds >= 60
    assert len(played.dialled) > 5
