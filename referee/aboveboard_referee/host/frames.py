"""The frames of a match stream, from and to bytes."""

from collections.abc import Sequence

from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode

PLAY = "/aboveboard.v1.Referee/Play"
"""The method that a match stream is opened with."""

PROTOCOL = 1
"""The version of the wire contract. Others are refused when they say hello."""

FRAME_LIMIT = 8192
"""Most bytes of a frame that a bot sends; an answer has half of that at most."""


def other_protocol(said: int) -> str:
    """What a bot of another version is told, whoever it dials."""
    older = "this server" if said > PROTOCOL else "the bot"
    return f"the server speaks protocol {PROTOCOL} and the bot protocol {said}: upgrade {older}"


def read_frame(data: bytes) -> service.MatchUp:
    """A bot's frame; ``Refused`` if it is none."""
    frame = decode(service.MatchUp, data, limit=FRAME_LIMIT)
    if frame.WhichOneof("frame") is None:
        raise Refused("an empty frame")
    return frame


def records_frame(
    records: Sequence[bytes], shows: Sequence[bytes] = (), *, past: bool = False
) -> bytes:
    """Records that belong together, with what one seat alone may see.

    ``past`` is for a bot that comes back: it answers nothing until it is up to date.
    """
    return service.MatchDown(
        records=service.Records(records=records, shows=shows, past=past)
    ).SerializeToString()


def close_frame(close: bytes) -> bytes:
    return service.MatchDown(close=close).SerializeToString()


def challenge_frame(challenge: bytes, referee_key: bytes) -> bytes:
    return service.MatchDown(
        challenge=service.Challenge(challenge=challenge, referee_key=referee_key)
    ).SerializeToString()


def back_frame(waited_us: int, grace_left_us: int) -> bytes:
    return service.MatchDown(
        back=service.Back(waited_us=waited_us, grace_left_us=grace_left_us)
    ).SerializeToString()


def ping_frame(number: int) -> bytes:
    return service.MatchDown(ping=service.Ping(number=number)).SerializeToString()


def pong_frame(number: int) -> bytes:
    return service.MatchDown(pong=service.Ping(number=number)).SerializeToString()


def refusal_frame(code: service.RefusalCode, text: str) -> bytes:
    return service.MatchDown(refusal=service.Refusal(code=code, text=text)).SerializeToString()
