"""One bot's connection to its seat."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import trio

from aboveboard_protos.bridge import Broken, Overflow, Stream
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.fairplay.body import Refused
from aboveboard_referee.games.contract import Seat
from aboveboard_referee.host.frames import (
    ping_frame,
    pong_frame,
    read_frame,
    records_frame,
    refusal_frame,
)
from aboveboard_referee.host.round_trips import RoundTrips

HELD_SECONDS = 0.5
"""How long records wait at most for the next frame of a seat that is asked nothing new, and
an answer for the others to its question."""

HELD_RECORDS = 64
"""Most records that wait so."""


@dataclass(eq=False)
class Connection:
    """A stream on which a bot has proved the match ``key`` of a seat.

    ``certificate`` is the exact Signed for the key, ``have`` how many of the match's
    records the bot holds already, ``turns`` whether it is told what it is asked.
    """

    seat: Seat
    stream: Stream
    certificate: bytes
    key: bytes
    have: int = 0
    turns: bool = False
    unasked: int = 0  # frames of late, but for answers that counted
    trips: RoundTrips = field(default_factory=RoundTrips)
    refusal: tuple[service.RefusalCode, str] | None = None
    reading: trio.CancelScope = field(default_factory=trio.CancelScope)
    _records: list[bytes] = field(default_factory=list)
    _shows: list[bytes] = field(default_factory=list)
    _held_since: float = 0.0

    def hold(self, records: Sequence[bytes], shows: Sequence[bytes], now: float) -> None:
        """Let records, the last of them signed, wait for whatever is sent next.

        The last are mostly of a seat's own answer, and the next of another's: together they
        cost one write instead of two.
        """
        if not self._records:
            self._held_since = now
        self._records += records
        self._shows += shows
        if len(self._records) >= HELD_RECORDS:
            self.release()

    def release(self, before: float = math.inf) -> None:
        """Send what is held back, if some of it has been since ``before``."""
        if self._records and self._held_since <= before:
            frame = records_frame(self._records, self._shows)
            self._records, self._shows = [], []
            self._put(frame)

    def send(self, frame: bytes) -> None:
        """Put a frame on its way, without waiting; whoever does not read is cut off.

        Its reader finds out, and says so in the order of things.
        """
        self.release()
        self._put(frame)

    def _put(self, frame: bytes) -> None:
        try:
            self.stream.send(frame)
        except Overflow:
            self.stream.abort("it does not read what it is sent")
        except Broken:
            return

    def ping(self, now: float) -> None:
        """Begin to measure a round trip; ``now`` in seconds."""
        self.send(ping_frame(self.trips.begin(now)))

    def took_ping(self, frame: service.MatchUp, at: float) -> bool:
        """Answer a ping, or take the answer to one that came ``at``; whether it was either."""
        match frame.WhichOneof("frame"):
            case "ping":
                self.send(pong_frame(frame.ping.number))
                return True
            case "pong":
                self.trips.end(frame.pong.number, at)
                return True
        return False

    def pinged(self, data: bytes, at: float) -> bool:
        """Whether the frame was a ping or a pong, which is seen to then."""
        try:
            return self.took_ping(read_frame(data), at)
        except Refused:
            return False

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
