"""The frames of a match stream, from and to bytes."""

from collections.abc import Sequence

from google.protobuf.message import Message

from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused, decode
from aboveboard_referee.fairplay.varint import varint

PLAY = "/aboveboard.v1.Referee/Play"
"""The method that a match stream is opened with."""

PROTOCOL = 3
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


def plain_answer(data: bytes) -> bytes | None:
    """The answer in a frame that has one; ``None`` for any other, which `read_frame` is for.

    Nearly every frame has one, and it takes no parser to take it out::

        tag of `answer` | length | the answer, to the end
    """
    start = 2 if len(data) < 2 + 0x80 else 3
    if not start <= len(data) <= FRAME_LIMIT:
        return None
    head = _ANSWER + varint(len(data) - start)
    return data[start:] if data[:start] == head else None


def records_frame(
    records: Sequence[bytes], shows: Sequence[bytes] = (), *, past: bool = False
) -> bytes:
    """Records that belong together, with what one seat alone may see.

    ``past`` is for a bot that comes back: it answers nothing until it is up to date.

    Every answer leads to one, and what there is to encode is little beside the copies
    that messages would make of all records::

        MatchDown = tag of `records` | length | Records
        Records   = { tag of `records` | length | record } { tag of `shows` | length | show }
                    [ tag of `past` | 1 ]
    """
    parts: list[bytes] = []
    for tag, items in ((_RECORD, records), (_SHOW, shows)):
        for item in items:
            parts += (tag, varint(len(item)), item)
    if past:
        parts.append(_PAST)
    body = b"".join(parts)
    return b"".join((_RECORDS, varint(len(body)), body))


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


def logged_frame(receipt: service.Receipt) -> bytes:
    return service.MatchDown(logged=receipt).SerializeToString()


def turn_frame(asked: int, duty: str, json: bytes) -> bytes:
    """What a seat is asked, for a bot that wants it told."""
    turn = service.Turn(asked=asked, duty=duty, json=json)
    return service.MatchDown(turn=turn).SerializeToString()


def ping_frame(number: int) -> bytes:
    return service.MatchDown(ping=service.Ping(number=number)).SerializeToString()


def pong_frame(number: int) -> bytes:
    return service.MatchDown(pong=service.Ping(number=number)).SerializeToString()


_LENGTH_DELIMITED = 2


def _tag(message: type[Message], field: str, wire_type: int = _LENGTH_DELIMITED) -> bytes:
    """The tag before a field; all of ours have one byte."""
    return bytes([message.DESCRIPTOR.fields_by_name[field].number << 3 | wire_type])


_ANSWER = _tag(service.MatchUp, "answer")
_RECORDS = _tag(service.MatchDown, "records")
_RECORD = _tag(service.Records, "records")
_SHOW = _tag(service.Records, "shows")
_PAST = _tag(service.Records, "past", 0) + b"\x01"


def refusal_frame(code: service.RefusalCode, text: str) -> bytes:
    return service.MatchDown(refusal=service.Refusal(code=code, text=text)).SerializeToString()
