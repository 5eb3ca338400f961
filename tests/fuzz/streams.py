"""What comes over a stream from the other side: to a server, and to a bot."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache

import trio

from aboveboard_client.errors import AboveboardError
from aboveboard_client.public_log.log_state import MemoryLogs
from aboveboard_client.public_log.log_watch import LogWatch
from aboveboard_client.session.greeting import read_greeting
from aboveboard_client.session.match_session import play_seat
from aboveboard_protos.bridge import Stream, memory_pair
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.host.frames import PROTOCOL, plain_answer, read_frame, records_frame
from aboveboard_referee.match.referee import Outbox
from aboveboard_referee.match.transcript import join, split
from tests.fakes import seats, sessions
from tests.fakes.draw_calls import draw_call
from tests.fakes.entrants import Entrant
from tests.fakes.keys import secret
from tests.fakes.lobbies import Hall, in_hall, visit
from tests.fakes.logs import FakeLog
from tests.fakes.referees import (
    ORGANISER,
    REFEREE,
    OneSeatReferee,
    manifest,
    signed,
    ticket,
    tournament,
)
from tests.fuzz.matches import played
from tests.fuzz.mutate import body, records
from tests.fuzz.target import Target

FRAMES = 60
"""So many frames of a stream are enough."""


def frames_in(data: bytes) -> Sequence[bytes]:
    """The frames in an input, each behind its length."""
    return split(data)[:FRAMES]


# --- To a server -------------------------------------------------------------------------------


def match_frame(data: bytes) -> None:
    """A frame to a match host, by both of its readers."""
    plain = plain_answer(data)
    frame = read_frame(data)
    assert plain is None or (frame.WhichOneof("frame"), frame.answer) == ("answer", plain)


def match_frames() -> Iterator[bytes]:
    answer = next(data for _, data, _ in played("cribbage").inputs)
    hello = wire.Hello(protocol=PROTOCOL, tournament=bytes(32), match="m", attempt=1)
    for frame in (
        wire.MatchUp(hello=hello),
        wire.MatchUp(entrance=wire.Entrance(certificate=answer, admission=answer, have=3)),
        wire.MatchUp(answer=answer),
        wire.MatchUp(close_signature=bytes(64)),
        wire.MatchUp(ping=wire.Ping(number=7)),
        wire.MatchUp(pong=wire.Ping(number=7)),
    ):
        yield frame.SerializeToString()


def lobby(data: bytes) -> None:
    """Frames to a lobby, whose handler lets nothing out."""
    frames = frames_in(data)

    async def call(hall: Hall) -> None:
        visitor = await visit(hall)
        await visitor.says(*frames)
        visitor.stream.abort()

    in_hall(call)


def introductions() -> Iterator[bytes]:
    greeting = wire.Greeting(
        protocol=PROTOCOL,
        challenge=secret("challenge 1"),
        manifest=signed("tournament-manifest", manifest("cribbage"), ORGANISER),
    )
    bot, event = Entrant(1), tournament().id
    link = pb.DrawLink(tournament=event, round=1, link=secret("link"))
    objection = pb.Objection(tournament=event, match="r1-b1", attempt=1, step=3, found="that")
    later = (
        wire.ControlUp(ping=wire.Ping(number=1)),
        wire.ControlUp(draw_link=signed("draw-link", link, bot.key)),
        wire.ControlUp(objection=signed("objection", objection, bot.key)),
    )
    yield join([bot.join(greeting), *(frame.SerializeToString() for frame in later)])
    order = pb.StartOrder(challenge=greeting.challenge, tournament=event)
    start = wire.Start(start=signed("start", order, ORGANISER))
    yield join([wire.ControlUp(start=start).SerializeToString()])


# --- To a bot ----------------------------------------------------------------------------------


def session(data: bytes) -> None:
    """Frames of a server to a bot that joins; its matches are not to be reached."""
    played = sessions.session(*frames_in(data), unreachable=True)
    if played.error is not None:
        raise played.error


def sessions_heard() -> Iterator[bytes]:
    pairings = pb.Pairings(tournament=sessions.EVENT.id, round=1, game="cribbage")
    log = sessions.fake_log()
    yield join(
        [
            sessions.GREETING,
            # Not just the welcome after which the fake itself tells the log's news.
            sessions.frame(welcome=wire.Welcome(entrant=0, epoch=2)),
            sessions.frame(log_news=log.news()),
            sessions.frame(notice=wire.Notice(text="it begins")),
            sessions.frame(ping=wire.Ping(number=1)),
            sessions.frame(pairings=signed("pairings", pairings, ORGANISER)),
            sessions.ticket_frame(),
            sessions.FINISHED,
        ]
    )
    call = draw_call(log, 1)
    news = sessions.frame(log_news=log.news())
    yield join([sessions.GREETING, sessions.WELCOME, news, sessions.frame(draw_call=call)])
    yield join([sessions.GREETING, sessions.refusal(wire.REFUSAL_CODE_FULL, "no room")])


def greetings() -> Iterator[bytes]:
    yield sessions.GREETING


def seat(data: bytes) -> None:
    """Frames of a referee to a bot that plays: it plays on, leaves or resigns."""
    desk = seats.desk()
    seats.talk(desk, *frames_in(data), ends="in order")
    for deviation, _ in seats.recorded(desk).deviations:
        assert len(str(deviation)) < 1000


def seat_in_log(data: bytes) -> None:
    """The same for a bot that follows the public log, in which this match has been opened."""
    frames, news = frames_in(data), _log().news()

    @asynccontextmanager
    async def door() -> AsyncIterator[Stream]:
        mine, theirs = memory_pair()
        for frame in frames:
            theirs.send(frame)
        await theirs.aclose()
        yield mine

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            watch = LogWatch(sessions.EVENT, MemoryLogs(), nursery)
            await watch.news(news)
            desk = replace(seats.desk(), log=watch)
            await play_seat(door, ticket(sessions.EVENT), desk)
            nursery.cancel_scope.cancel()

    seats.run(main)


@cache
def _log() -> FakeLog:
    """The log of the tournament that has begun with the match of ``_heard``."""
    first = wire.MatchDown.FromString(_heard()[1]).records.records[0]
    return sessions.fake_log(first)


def seats_heard_in_log() -> Iterator[bytes]:
    challenge, first, *frames = _heard()
    opening = wire.MatchDown.FromString(first).records.records[0]
    logged = wire.MatchDown(logged=_log().receipt(opening)).SerializeToString()
    yield join([challenge, first, logged, *frames[:30]])


@cache
def _heard() -> tuple[bytes, ...]:
    """The frames of a referee in a real match."""
    frames: list[bytes] = []

    def listen(outbox: Outbox) -> Outbox:
        frames.append(records_frame(outbox.records, outbox.shows.get(0, ())))
        return outbox

    seats.play(seats.desk(), OneSeatReferee(seats.EVENT, seats.IDENTITY, tamper=listen))
    challenge = wire.Challenge(challenge=secret("challenge"), referee_key=REFEREE.public.raw)
    return (wire.MatchDown(challenge=challenge).SerializeToString(), *frames)


def seats_heard() -> Iterator[bytes]:
    frames = _heard()
    yield join(frames[:40])
    others = (
        wire.MatchDown(ping=wire.Ping(number=1)),
        wire.MatchDown(back=wire.Back(waited_us=5, grace_left_us=7)),
        wire.MatchDown(close=signed("match-close", pb.MatchClose(sequence=1), REFEREE)),
        wire.MatchDown(refusal=wire.Refusal(code=wire.REFUSAL_CODE_MATCH_OVER, text="over")),
    )
    yield join([*frames[:6], *(frame.SerializeToString() for frame in others)])


TARGETS = (
    Target("match-frame", match_frame, (Refused,), match_frames, body),
    Target("lobby", lobby, (Refused,), introductions, records),
    Target("lobby-believed", lobby, (Refused,), introductions, records, True),
    Target("session", session, (Refused, AboveboardError), sessions_heard, records),
    Target("session-believed", session, (Refused, AboveboardError), sessions_heard, records, True),
    Target("greeting", read_greeting, (AboveboardError,), greetings, body, True),
    Target("seat", seat, (Refused,), seats_heard, records),
    Target("seat-in-log", seat_in_log, (Refused,), seats_heard_in_log, records),
    Target("seat-in-log-believed", seat_in_log, (Refused,), seats_heard_in_log, records, True),
    Target("seat-believed", seat, (Refused,), seats_heard, records, True),
)
