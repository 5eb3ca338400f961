"""What comes over a stream from the other side: to a server, and to a bot."""

from collections.abc import Iterator, Sequence
from functools import cache

from aboveboard_client.errors import AboveboardError
from aboveboard_client.greeting import read_greeting
from aboveboard_protos.v1 import bodies_pb2 as pb
from aboveboard_protos.v1 import service_pb2 as wire
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.host.frames import PROTOCOL, plain_answer, read_frame, records_frame
from aboveboard_referee.match.referee import Outbox
from aboveboard_referee.match.transcript import join, split
from tests.fakes import seats, sessions
from tests.fakes.keys import secret
from tests.fakes.lobbies import Hall, in_hall, visit
from tests.fakes.referees import ORGANISER, REFEREE, OneSeatReferee, manifest, signed, tournament
from tests.fakes.serving import Entrant
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
    ping = wire.ControlUp(ping=wire.Ping(number=1)).SerializeToString()
    yield join([Entrant(1).join(greeting), ping])
    order = pb.StartOrder(challenge=greeting.challenge, tournament=tournament().id)
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
    yield join(
        [
            sessions.GREETING,
            sessions.WELCOME,
            sessions.frame(notice=wire.Notice(text="it begins")),
            sessions.frame(ping=wire.Ping(number=1)),
            sessions.frame(pairings=signed("pairings", pairings, ORGANISER)),
            sessions.ticket_frame(),
            sessions.FINISHED,
        ]
    )
    yield join([sessions.GREETING, sessions.refusal(wire.REFUSAL_CODE_FULL, "no room")])


def greetings() -> Iterator[bytes]:
    yield sessions.GREETING


def seat(data: bytes) -> None:
    """Frames of a referee to a bot that plays: it plays on, leaves or resigns."""
    desk = seats.desk()
    seats.talk(desk, *frames_in(data), ends="in order")
    for deviation, _ in seats.recorded(desk).deviations:
        assert len(str(deviation)) < 1000


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
    Target("seat-believed", seat, (Refused,), seats_heard, records, True),
)
