"""How many streams the server takes, from each address and in all, before it reads one byte.

A stream *waits* until its bot has proved who it is. Those are few at any time, and cheap to
open for somebody who means harm, so they are bounded much more tightly than streams of bots.
Each method has a bound of its own: who reads the log does not keep bots out.

Where the bound of all addresses together is reached, a new stream takes the place of one that has
waited longest among those of the address that has most. A few addresses that fill all places
otherwise keep every bot out that lost its connection, until it has lost its match.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from aboveboard_protos.bridge import Broken, CallRefused, Handler, Rate, Stream
from aboveboard_protos.v1 import service_pb2 as service
from aboveboard_referee.host.frames import PLAY
from aboveboard_server.config.door_tables import Limits
from aboveboard_server.door.buckets import Buckets, address_of_peer
from aboveboard_server.lobby import CONTROL
from aboveboard_server.log.log_desk import ASK
from aboveboard_server.streams import say_last

RETRY_SECONDS = 2.0
"""When a place may have become free: whoever waits there proves itself sooner, as a rule."""

BURST_SECONDS = 2.0
"""An address may open so much of its rate at once."""

TOLD_SECONDS = 60.0
"""An address that is refused is told to the operator so often, however often it dials."""

K = TypeVar("K")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Waiting:
    method: str
    address: str


def rates_of(limits: Limits, methods: Iterable[str]) -> dict[str, Rate]:
    """What one stream may send in a second, by its method.

    All that a bot has to say outside of its matches is a few words now and then.
    """
    few = max(1, limits.frames_per_second // 10)
    frames = {method: limits.frames_per_second if method == PLAY else few for method in methods}
    return {method: Rate(most, limits.bytes_per_second) for method, most in frames.items()}


class Door:
    """Counts streams. ``now`` is in seconds.

    Whoever proves a bot's key on a stream says so by ``proved``; streams of the log never do.
    """

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        rate = limits.new_streams_per_second
        self._limits = limits
        self._new = Buckets(rate, rate * BURST_SECONDS, now)
        self._told = Buckets(1 / TOLD_SECONDS, 1, now)
        self.refused: Counter[service.RefusalCode] = Counter()  # streams so far
        self._streams: Counter[str] = Counter()  # by address
        self._waiting: dict[Stream, _Waiting] = {}
        self._waiting_from: Counter[_Waiting] = Counter()
        self._waiting_at: Counter[str] = Counter()  # by method
        self._displaced: set[Stream] = set()

    def guard(self, handlers: Mapping[str, Handler]) -> dict[str, Handler]:
        """The same handlers, called only for streams that there is room for."""
        return {method: self._guarded(method, handler) for method, handler in handlers.items()}

    def proved(self, stream: Stream) -> None:
        """The bot at a stream has proved its key: it waits no longer."""
        waiting = self._waiting.pop(stream, None)
        if waiting is not None:
            self._waiting_at[waiting.method] -= 1
            _less(self._waiting_from, waiting)

    def _guarded(self, method: str, handler: Handler) -> Handler:
        async def handle(stream: Stream) -> None:
            address = address_of_peer(stream.peer)
            refusal = self._refusal(method, address)
            if refusal is not None:
                self.refused[refusal.code] += 1
                if self._told.take(address):
                    log.info("streams from %s are refused: %s", address, refusal.text)
                await _refuse(method, stream, refusal)
                return
            waiting = _Waiting(method, address)
            self._streams[address] += 1
            self._waiting[stream] = waiting
            self._waiting_at[method] += 1
            self._waiting_from[waiting] += 1
            try:
                await handler(stream)
            except Broken:
                if stream not in self._displaced:
                    raise
            finally:
                self._displaced.discard(stream)
                self.proved(stream)
                _less(self._streams, address)

        return handle

    def _refusal(self, method: str, address: str) -> service.Refusal | None:
        """Why there is no room for one more stream, if there is none."""
        limits = self._limits
        if not self._new.take(address):
            wait = self._new.wait(address)
            return _busy("too many streams are opened from there", max(wait, RETRY_SECONDS))
        if self._streams[address] >= limits.streams_per_address:
            return _busy("too many streams come from there", RETRY_SECONDS)
        if self._waiting_from[_Waiting(method, address)] >= limits.waiting_per_address:
            return _busy("too many come from there that do not say who they are", RETRY_SECONDS)
        if self._waiting_at[method] >= limits.waiting and not self._displace(method, address):
            return _busy("too many have come at once", RETRY_SECONDS)
        return None

    def _displace(self, method: str, newcomer: str) -> bool:
        """End a stream that waits, for a newcomer whose address has fewer; whether there is one."""
        alike = {key: count for key, count in self._waiting_from.items() if key.method == method}
        most = max(alike.values())
        if most <= self._waiting_from[_Waiting(method, newcomer)]:
            return False
        longest = next(stream for stream, key in self._waiting.items() if alike.get(key) == most)
        self.proved(longest)
        self._displaced.add(longest)
        longest.abort(f"too many have come at once; try again in {RETRY_SECONDS:g} s")
        return True


_FRAMES = {
    CONTROL: service.ControlDown,
    PLAY: service.MatchDown,
    ASK: service.LogSaid,
}


def _busy(text: str, seconds: float) -> service.Refusal:
    return service.Refusal(code=service.REFUSAL_CODE_BUSY, text=text, retry_us=int(seconds * 1e6))


def _less(counter: Counter[K], key: K) -> None:
    """Count one less, and keep nothing of who is gone."""
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


async def _refuse(method: str, stream: Stream, refusal: service.Refusal) -> None:
    """Say why in the frame that its method has, and end the stream."""
    frame = _FRAMES.get(method)
    if frame is None:
        raise CallRefused("RESOURCE_EXHAUSTED", refusal.text)
    await say_last(stream, frame(refusal=refusal).SerializeToString(), refusal.text)
