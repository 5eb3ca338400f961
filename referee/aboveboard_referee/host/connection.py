"""One bot's connection to its seat."""

from dataclasses import dataclass, field

import trio

from aboveboard_protos.bridge import Broken, Overflow, Stream
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.host.frames import ping_frame, refusal_frame
from aboveboard_referee.host.round_trips import RoundTrips


@dataclass(eq=False)
class Connection:
    """A stream on which a bot has proved the match ``key`` of a seat.

    ``certificate`` is the exact Signed for the key, ``have`` how many of the match's
    records the bot holds already.
    """

    seat: Seat
    stream: Stream
    certificate: bytes
    key: bytes
    have: int = 0
    unread: int = 0  # frames that came and wait to be looked at
    trips: RoundTrips = field(default_factory=RoundTrips)
    refusal: tuple[service.RefusalCode, str] | None = None
    reading: trio.CancelScope = field(default_factory=trio.CancelScope)

    def send(self, frame: bytes) -> None:
        """Put a frame on its way, without waiting; whoever does not read is cut off.

        Its reader finds out, and says so in the order of things.
        """
        try:
            self.stream.send(frame)
        except Overflow:
            self.stream.abort("it does not read what it is sent")
        except Broken:
            return

    def ping(self, now: float) -> None:
        """Begin to measure a round trip; ``now`` in seconds."""
        self.send(ping_frame(self.trips.begin(now)))

    def turn_away(self, code: service.RefusalCode, text: str) -> None:
        """End it with a message, by whoever reads it."""
        self.refusal = (code, text)
        self.reading.cancel()


async def refuse(stream: Stream, code: service.RefusalCode, text: str) -> None:
    """Say why and end the stream, within a second."""
    try:
        stream.send(refusal_frame(code, text))
        with trio.move_on_after(1):
            await stream.aclose()
    except (Broken, Overflow):
        pass
    stream.abort()
