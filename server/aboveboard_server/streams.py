"""What is done with a stream whoever is at its other end: pings, a last word, its end."""

import logging

import trio

from aboveboard_protos.bridge import Broken, Overflow, Stream
from aboveboard_protos.v1 import service_pb2 as service

PING_SECONDS = 20
SILENT_PINGS = 3
"""A bot is pinged after so much silence, and lost when so many pings had no answer."""

LAST_WORD_SECONDS = 1
"""In which the other side must have taken all that it was sent."""

log = logging.getLogger(__name__)


async def receive_or_ping(stream: Stream) -> bytes:
    """The next frame on a control stream. One that is dead without an end raises ``Broken``."""
    for number in range(1, SILENT_PINGS + 2):
        with trio.move_on_after(PING_SECONDS):
            return await stream.receive()
        if number <= SILENT_PINGS:
            stream.send(control(ping=service.Ping(number=number)))
    raise Broken(f"{SILENT_PINGS} pings had no answer")


def send(stream: Stream, *frames: bytes) -> None:
    """Send what its own task need not know of, if it still can be sent."""
    try:
        for frame in frames:
            stream.send(frame)
    except Overflow:
        stream.abort("it does not read what it is sent")
    except Broken:
        # Its own task finds out.
        log.debug("a stream broke while it was written to")


async def say_last(stream: Stream, frame: bytes, why: str = "") -> None:
    """Send a last frame and end the stream; ``why`` is for who does not take that in time."""
    try:
        stream.send(frame)
        await end(stream, why)
    except (Broken, Overflow):
        stream.abort(why)


async def end(stream: Stream, why: str = "") -> None:
    """End a stream in order if the other side lets it, and else break it off."""
    try:
        with trio.move_on_after(LAST_WORD_SECONDS):
            await stream.aclose()
    except Broken:
        log.debug("a stream broke while it was closed")
    finally:
        stream.abort(why)


def control(**frame: object) -> bytes:
    """A frame for a control stream."""
    return service.ControlDown(**frame).SerializeToString()  # type: ignore[arg-type]  # oneof
